// JSON, with a listener that keeps nothing.
#include "core/io/json.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  return tests::refused_or_parsed(data, size, [](Bytes bytes) {
    struct Nothing : JsonListener {
      void scalar(nlohmann::json&&) override {}
      void begin(bool) override {}
      void end() override {}
      void key(std::string) override {}
    } nothing;
    read_json(source_of(as_text(bytes)), nothing);
  });
}
