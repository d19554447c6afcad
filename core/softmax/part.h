// SoftmaxSpec: what the workspace of the softmax shows: one row of scores, what becomes of it, and products
// of random vectors. A plain value.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/attention/weighting.h"

namespace attn {

struct Document;

enum class RowSource {
  layer,  // what the softmax of the document's layer reads
  own,    // given
};

// Which of the random products are shown.
enum class ProductScale { raw, scaled, both };

// Its fields, and all that is said about them, are listed in fields.h.
struct SoftmaxSpec {
  RowSource source = RowSource::layer;
  std::size_t query = 0, head = 0;  // of the layer's row; past the last: the last
  Tensor scores = {};               // own ones, 1×1×m
  Labels keys = {};                 // of own scores; empty: indices
  std::vector<std::size_t> masked;  // own keys that are hidden, ascending
  double temperature = 1;           // the scores are divided by it; 0: hard
  std::vector<Weighting> weightings{Weighting::softmax, Weighting::softmax_1, Weighting::sparsemax};
  NumberFormat format = NumberFormat::float32;  // the same row once more in these numbers
  bool subtract_maximum = true;                 // there, before exp
  SumOrder summation = SumOrder::in_order;      // there
  std::size_t width = 64;                       // d_k of the random products
  std::size_t pairs = 4096;                     // at least so many products, in whole rows
  std::size_t row_keys = 16;                    // keys of a row of them
  std::uint64_t seed = 7;
  ProductScale products = ProductScale::both;

  bool operator==(const SoftmaxSpec& other) const;
};

// Edits of the person's own row. Each throws Error, with nothing changed, where there is no such key or there
// are too many.
void add_key(SoftmaxSpec& spec, std::string label, float score);
void remove_key(SoftmaxSpec& spec, std::size_t key);
void rename_key(SoftmaxSpec& spec, std::size_t key, std::string label);
// Scores from elsewhere as the person's own; those that are −∞ become masked keys.
void own_row(SoftmaxSpec& spec, std::span<const float> scores, Labels labels);
// Adds it to the others or takes it away; one stays.
void toggle_weighting(SoftmaxSpec& spec, Weighting weighting);

}  // namespace attn
