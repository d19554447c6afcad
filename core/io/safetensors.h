// Hugging Face's .safetensors: named tensors behind a header in JSON that says where each lies. Files may be
// of many gigabytes: the header is read, and of the numbers those that are asked for.
// https://huggingface.co/docs/safetensors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/layer_npz.h"
#include "core/system/file_pieces.h"

namespace attn {

// What the header says of a tensor: checked against the file and the other tensors.
struct SafeTensor {
  std::string name;   // untrusted: a key and a word in messages, never a path
  std::string dtype;  // as written: "F32", "BF16"
  std::vector<std::size_t> shape;
  std::uint64_t offset = 0, bytes = 0;  // in the file
  // Why its numbers are not read ("the type F8_E4M3 is not read: …", too many); empty when they are.
  std::string refusal = {};
};

// In the order in which they lie in the file. Throws Error with the place and the reason: what the header
// says has to fill the file without a hole or an overlap. No number is read.
std::vector<SafeTensor> list_safetensors(const FilePieces& file);

// The numbers of these, as floats (bfloat16 and float16 widened, BOOL as 0 and 1, 64-bit ones rounded; of
// kTruthArray every number as 0 or 1). `tensors`: as listed of this file. Throws Error naming the tensor.
NamedArrays read_safetensors(const FilePieces& file, std::span<const SafeTensor> tensors);

// The one of this name. Throws Error where there is none, or its numbers are not read.
Array read_safetensor(const FilePieces& file, const std::string& name);

// A tensor as it is written: type F32, rows first.
struct WrittenTensor {
  std::string name;
  std::vector<std::size_t> shape;
  std::span<const float> numbers;
};
// A file of them, in their order: the same bytes for the same numbers.
std::vector<std::byte> safetensors_of(std::span<const WrittenTensor> tensors);

}  // namespace attn
