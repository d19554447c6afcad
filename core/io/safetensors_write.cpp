// The header's length in eight bytes, the header filled up with blanks to whole numbers, and the numbers one
// tensor behind the other, as processors here have them: the least significant byte first.
#include <bit>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/io/safetensors.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

constexpr std::size_t kAligned = 8;

static_assert(std::endian::native == std::endian::little);

}  // namespace

std::vector<std::byte> safetensors_of(std::span<const WrittenTensor> tensors) {
  nlohmann::ordered_json header{{"__metadata__", {{"format", "pt"}}}};  // whose names and layouts they are
  std::size_t end = 0;
  for (const WrittenTensor& tensor : tensors) {
    const std::size_t begin = std::exchange(end, end + tensor.numbers.size_bytes());
    header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump();
  text.resize((text.size() + kAligned - 1) / kAligned * kAligned, ' ');
  std::vector<std::byte> file;
  file.reserve(sizeof(std::uint64_t) + text.size() + end);
  append_little(file, std::uint64_t{text.size()});
  append(file, text);
  for (const WrittenTensor& tensor : tensors) append(file, std::as_bytes(tensor.numbers));
  return file;
}

}  // namespace attn
