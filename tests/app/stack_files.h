// Files with a small stack, as tests write them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/io/npz.h"
#include "core/system/file.h"

namespace attn::tests {

using StackArrays = std::map<std::string, Array>;

inline void write_stack(const std::string& path, const StackArrays& arrays) {
  std::vector<std::pair<std::string, std::vector<std::byte>>> members;
  for (const auto& [name, array] : arrays) members.emplace_back(name, write_npy(array.shape, array.values));
  write_file(path, write_npz(members));
}

// As .safetensors in bfloat16, the upper half of each float; some said to be of another type.
inline void write_bfloats(const std::string& path, const StackArrays& arrays,
                          const std::map<std::string, std::string>& types = {}) {
  nlohmann::ordered_json header;
  std::vector<std::byte> data;
  for (const auto& [name, array] : arrays) {
    const std::size_t begin = data.size();
    for (const float x : array.values) {
      const std::uint32_t bits = std::bit_cast<std::uint32_t>(x) >> 16;
      data.push_back(static_cast<std::byte>(bits & 255)), data.push_back(static_cast<std::byte>(bits >> 8));
    }
    const auto type = types.find(name);
    header[name] = {{"dtype", type == types.end() ? "BF16" : type->second},
                    {"shape", array.shape},
                    {"data_offsets", {begin, data.size()}}};
  }
  const std::string text = header.dump();
  std::vector<std::byte> file;
  for (int i = 0; i < 8; ++i)
    file.push_back(static_cast<std::byte>((static_cast<std::uint64_t>(text.size()) >> (8 * i)) & 255));
  for (const char c : text) file.push_back(static_cast<std::byte>(c));
  file.insert(file.end(), data.begin(), data.end());
  write_file(path, file);
}

// As PyTorch saves an encoder of 2 layers: d 8, feed-forward 12, 5 tokens. Sixteenths, which bfloat16 holds.
inline StackArrays small_encoder() {
  StackArrays arrays;
  const auto add = [&](const std::string& name, std::vector<std::size_t> shape) {
    Array array{.shape = std::move(shape), .values = {}};
    std::size_t size = 1;
    for (const std::size_t side : array.shape) size *= side;
    for (std::size_t i = 0; i < size; ++i)
      array.values.push_back(
          static_cast<float>(std::round(8 * std::sin(static_cast<double>(i + 7 * arrays.size())))) / 16);
    arrays[name] = std::move(array);
  };
  add("x", {5, 8});
  for (const char* layer : {"encoder.layers.0.", "encoder.layers.1."}) {
    const std::string at = layer;
    add(at + "self_attn.in_proj_weight", {24, 8}), add(at + "self_attn.in_proj_bias", {24});
    add(at + "self_attn.out_proj.weight", {8, 8}), add(at + "self_attn.out_proj.bias", {8});
    add(at + "linear1.weight", {12, 8}), add(at + "linear1.bias", {12});
    add(at + "linear2.weight", {8, 12}), add(at + "linear2.bias", {8});
    for (const char* norm : {"norm1", "norm2"})
      add(at + norm + ".weight", {8}), add(at + norm + ".bias", {8});
  }
  return arrays;
}

}  // namespace attn::tests
