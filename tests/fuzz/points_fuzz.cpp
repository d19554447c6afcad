// Points: rows of finite numbers.
#include "core/io/points_file.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  return tests::refused_or_parsed(data, size, [](Bytes bytes) {
    look_like_points(bytes);
    const Tensor points = parse_points(bytes);
    tests::require(points.stack() == 1 && points.rows() > 0 && points.columns() > 1);
  });
}
