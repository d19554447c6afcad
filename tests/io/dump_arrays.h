// Dumps made by hand for tests: arrays whose numbers come but once, in other layouts, under other names.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "core/io/dump.h"
#include "tests/io/io_testing.h"

namespace attn::tests::dumps {

using Sizes = std::vector<std::size_t>;

// Numbers that come but once: i times a step that is no fraction of another.
inline Array made(Sizes shape, double begin = 0) {
  std::vector<float> values(std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        static_cast<float>(begin + 0.37 * static_cast<double>(i % 101) - 0.011 * static_cast<double>(i));
  return {.shape = std::move(shape), .values = std::move(values)};
}

inline Array of(Sizes shape, std::vector<float> values) {
  return {.shape = std::move(shape), .values = std::move(values)};
}

// numpy.transpose(array, axes).
inline Array turned(const Array& array, const std::vector<std::size_t>& axes) {
  Array result{.shape = {}, .values = {}};
  for (const std::size_t axis : axes) result.shape.push_back(array.shape[axis]);
  for (std::size_t at = 0; at < array.values.size(); ++at) {
    std::vector<std::size_t> place(axes.size());
    for (std::size_t rest = at, a = axes.size(); a-- > 0; rest /= result.shape[a])
      place[axes[a]] = rest % result.shape[a];
    std::size_t from = 0;
    for (std::size_t a = 0; a < place.size(); ++a) from = from * array.shape[a] + place[a];
    result.values.push_back(array.values[from]);
  }
  return result;
}

inline Array reshaped(Array array, Sizes shape) {
  array.shape = std::move(shape);
  return array;
}

// Five tokens of 8 features, 4 heads of 2 over 2 key/value heads.
inline NamedArrays plain() {
  return {{"x", made({5, 8})},
          {"w_q", made({8, 8}, 1)},
          {"w_k", made({8, 4}, 2)},
          {"w_v", made({8, 4}, 3)},
          {"w_o", made({8, 6}, 4)},
          {"b_q", made({8}, 5)},
          {"weights", made({4, 5, 5}, 6)},
          {"output", made({5, 6}, 7)}};
}

inline const ArrayMeaning& meaning_of(const Dump& dump, const std::string& name) {
  const auto found = std::ranges::find(dump.names, name, &ArrayMeaning::name);
  REQUIRE(found != dump.names.end());
  return *found;
}

inline const Tensor* stage_of(const Dump& dump, const std::string& id) {
  const auto found = std::ranges::find(dump.stages, id, &GivenStage::id);
  return found == dump.stages.end() ? nullptr : &found->numbers;
}

inline bool holds(const Tensor& tensor, const Array& array) {
  return std::ranges::equal(tensor.values(), array.values);
}
inline bool holds(const Tensor* tensor, const Array& array) {
  return tensor && holds(*tensor, array);
}

inline bool notes_have(const Dump& dump, const std::string& part) {
  return std::ranges::any_of(dump.notes,
                             [&](const std::string& note) { return mentions(note, {part.c_str()}); });
}

inline void check_plain(const Dump& dump) {
  const NamedArrays own = plain();
  const LayerSpec& layer = dump.layer;
  CHECK_FALSE(layer.direct);
  CHECK(layer.heads == 4);
  CHECK(layer.kv_heads == 2);
  for (const auto& [name, tensor] : {std::pair("x", layer.x),
                                     {"w_q", layer.w_q},
                                     {"w_k", layer.w_k},
                                     {"w_v", layer.w_v},
                                     {"w_o", layer.w_o},
                                     {"b_q", layer.b_q}})
    CHECK_MESSAGE(holds(tensor, own.at(name)), name);
  CHECK(holds(stage_of(dump, "weights"), own.at("weights")));
  CHECK(holds(stage_of(dump, "output"), own.at("output")));
  CHECK(dump.stages.front().id == "weights");
  for (const ArrayMeaning& name : dump.names)
    CHECK_MESSAGE(name.refused.empty(), name.name, " ", name.refused);
}

// What is under the name `from` under another.
inline NamedArrays renamed(NamedArrays arrays,
                           const std::vector<std::pair<std::string, std::string>>& names) {
  for (const auto& [from, to] : names) {
    auto node = arrays.extract(from);
    REQUIRE(node);
    node.key() = to;
    arrays.insert(std::move(node));
  }
  return arrays;
}

inline Array transposed(const Array& array) {
  return turned(array, {1, 0});
}

}  // namespace attn::tests::dumps
