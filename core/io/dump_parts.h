// A dump while it is read: its arrays with what they are taken for, and the sizes that are known. For
// dump*.cpp only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/io/dump.h"
#include "core/io/dump_axes.h"
#include "core/io/dump_words.h"

namespace attn::dump {

struct Item {
  ArrayMeaning meaning;
  Array array = {};
  NameSays says = {};
  bool forced = false;  // by DumpRequest::names
  bool part = false;    // cut out of a packed one

  // Whether it still stands for something.
  bool is(std::string_view word) const { return meaning.meaning == word && meaning.refused.empty(); }
  void refuse(std::string why);
};

// A stage, and the array that it was read from.
struct TakenStage : GivenStage {
  Item* item = nullptr;
};

struct Reading {
  std::vector<Item> items = {};
  Dump dump = {};
  std::size_t batch = 0;                                       // the one that is read
  std::size_t batches = 0;                                     // 0: not known yet
  std::size_t queries = 0, keys = 0, heads = 0, kv_heads = 0;  // the same
  bool guessed = false;                                        // heads, from the widths of projections alone
  Axes liked = "hnd";                                          // where two layouts fit

  Item* find(std::string_view meaning);
  bool has(std::string_view meaning) { return find(meaning) != nullptr; }
  // Of all heads together, as its projection makes it; 0: nothing does.
  std::size_t width_of(char letter);
  bool projects() { return has("x") && has("w_q") && has("w_k") && has("w_v"); }
  bool holds_inputs() { return projects() || (has("q") && has("k") && has("v")); }
  void note(std::string words) { dump.notes.push_back(std::move(words)); }
};

// Items with their meanings, each meaning once. (dump_names.cpp)
Reading name_arrays(NamedArrays arrays, const DumpRequest& request);

// The sizes that arrays agree on, from the surest on. (dump_layer.cpp)
void learn_sizes(Reading& reading);
// Packed and transposed weights as ours; what fits no input is refused. (dump_weights.cpp)
void settle_weights(Reading& reading);
// The layer without its masks. (dump_layer.cpp)
LayerSpec layer_of(Reading& reading, const std::optional<LayerSpec>& instead);
// Masks, lengths and biases that the file has. (dump_masks.cpp)
void give_masks(Reading& reading, LayerSpec& layer);
// Rules that its numbers show. (dump_masks.cpp)
void tell_rules(Reading& reading, LayerSpec& layer);
// The stages of it that the file has. (dump_stages.cpp)
void give_stages(Reading& reading);
// What one of several names of scores stands for, whether queries and keys were rotated already, and which
// axis is heads where there are as many tokens: told by their numbers. (dump_told.cpp)
void tell_stages(std::vector<TakenStage>& stages, const LayerSpec& layer, std::vector<std::string>& notes);

// As h×n×d in the layout that fits, which is set down; empty, and refused, where none does.
Array take(Reading& reading, Item& item, std::span<const Axes> tried, const Expected& expected);

// From here on down a score counts as masked: −1e4 of half precision, −1e9, the lowest floats, −∞.
inline constexpr float kMasked = -9999;

}  // namespace attn::dump
