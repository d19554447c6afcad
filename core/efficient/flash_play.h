// Flash attention played tile by tile: a row's running maximum, sum and output, tile after tile, and how far
// they are from the softmax of the whole row. Numbers alone; the arithmetic is in double, or in float as on
// devices.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/attention/layer.h"
#include "core/evaluate/results.h"

namespace attn {

// One head as the kernel reads it: scores with scale, cap and biases, the keys that are hidden, and values.
struct FlashHead {
  Tensor scores = {}, mask = {},
         values = {};  // h×n×m; nonzero = hidden, may be empty; g×m×d_v. Heads share fewer matrices.
  std::size_t head = 0;
  bool with_one = false;  // softmax-1: a key of the score 0 and the value 0 stands before all others
  Tensor on_device = {};  // h×n×d_v or wider: the output that a device computed; may be empty

  std::size_t queries() const { return scores.rows(); }
  std::size_t keys() const { return scores.columns(); }
  std::size_t width() const { return values.columns(); }
  // By the mask, or by a score of −∞: the key has no part in the output, whatever it holds.
  bool hides(std::size_t query, std::size_t key) const;
  double score(std::size_t query, std::size_t key) const;
  double value(std::size_t key, std::size_t feature) const;
};
// Of results that are here. `layer`: its stages.
FlashHead flash_head(const Results& results, const LayerStages& layer, const LayerSpec& spec,
                     std::size_t head);

struct FlashTile {
  std::size_t row = 0, column = 0;  // of the tiles
  bool operator==(const FlashTile&) const = default;
};

// The tiles of rows × columns, the last ones shorter where the sizes do not divide, in the kernel's order:
// row after row of tiles, keys from the first on. A tile with no key left in any of its rows is skipped.
class FlashTiling {
 public:
  FlashTiling() = default;
  FlashTiling(const FlashHead& head, std::size_t rows, std::size_t columns);

  struct Span {
    std::size_t first = 0, end = 0;
  };
  std::size_t down() const { return down_; }
  std::size_t across() const { return across_; }
  std::size_t count() const { return down_ * across_; }
  std::size_t computed() const { return order_.size(); }
  std::size_t skipped() const { return count() - computed(); }
  bool skips(FlashTile tile) const { return places_[tile.row * across_ + tile.column] == kSkipped; }
  Span queries_of(std::size_t tile_row) const;
  Span keys_of(std::size_t tile_column) const;
  std::size_t tile_row_of(std::size_t query) const { return query / rows_; }
  std::size_t tile_column_of(std::size_t key) const { return key / columns_; }
  // Its place in the kernel's order; none: it is skipped.
  std::optional<std::size_t> place(FlashTile tile) const;
  FlashTile at(std::size_t place) const { return order_[place]; }
  // Of a row of tiles the one that is computed nearest to that column; none: all are skipped.
  std::optional<FlashTile> nearest(FlashTile tile) const;
  // In all tiles that are computed, masked pairs of them too: pairs, and rows, one for each tile.
  struct Work {
    std::size_t pairs = 0, rows = 0;
  };
  Work work() const;
  std::size_t bytes() const;

 private:
  static constexpr std::size_t kSkipped = static_cast<std::size_t>(-1);
  std::size_t queries_ = 0, keys_ = 0, rows_ = 1, columns_ = 1, down_ = 0, across_ = 0;
  std::vector<std::size_t> places_;  // of each tile
  std::vector<FlashTile> order_;
};

// What one tile does to a row. Before the first m is −∞ and l and o are 0; of softmax-1 m is 0 and l is 1.
struct FlashLine {
  FlashTile tile = {};
  FlashTiling::Span keys = {};
  double largest = 0;              // score of the tile; −∞: it leaves the row no key
  double before = 0, l = 0;        // m and l before it
  double maximum = 0;              // m′ = max(m, largest)
  double factor = 0;               // e^(m − m′); 0 where nothing was before
  double sum = 0;                  // Σ e^(S − m′)
  double l_after = 0;              // factor·l + sum
  std::vector<double> added = {};  // Σ e^(S − m′)·v, by feature
  std::vector<double> o = {};      // factor·o + added
  double from_exact = 0;           // the largest |o ÷ l − exact|

  // What the row would be if this tile were the last; 0 where no key was left so far.
  double output(std::size_t feature) const { return l_after == 0 ? 0 : o[feature] / l_after; }
};

struct FlashRowPlay {
  std::vector<FlashLine> lines = {};        // of the tiles that are computed
  double exact_l = 0;                       // Σ e^(S − max S) over the whole row
  std::vector<double> exact = {};           // by feature: softmax·V in two passes, in double; 0: no key left
  std::vector<double> without_factor = {};  // what the row would end at, were nothing put to its new scale
  double distance = 0;                      // at the end from exact; NaN where one of the two is

  bool empty() const { return exact_l == 0; }  // no key left
  double output(std::size_t feature) const { return lines.empty() ? 0 : lines.back().output(feature); }
  std::size_t bytes() const;
};

// T: what scores, sums and outputs are computed in. The exact row is in double, whatever T is.
template <class T>
FlashRowPlay play_row(const FlashHead& head, const FlashTiling& tiling, std::size_t query);
extern template FlashRowPlay play_row<double>(const FlashHead&, const FlashTiling&, std::size_t);
extern template FlashRowPlay play_row<float>(const FlashHead&, const FlashTiling&, std::size_t);

// A key of a tile, for one row.
struct FlashKey {
  std::size_t key = 0;
  bool hidden = false;
  double score = 0, shifted = 0, exponential = 0;  // S, S − m′, e^(S − m′); of a hidden one −∞, −∞, 0
};
std::vector<FlashKey> keys_of_line(const FlashHead& head, const FlashLine& line, std::size_t query);

// All rows, one after another.
struct FlashRows {
  std::size_t rows = 0;  // that were played
  double in_double = 0;  // the farthest from exact, of outputs that are numbers in both
  double in_float = 0;
  // The device's output from that in double, of rows that have a key; and the largest such distance as a
  // share of the accepted one.
  double on_device = 0, excess = 0;
  std::size_t worst = 0;       // the row that is farthest in double
  std::size_t not_finite = 0;  // numbers of the outputs that are NaN or ∞, in double
  std::size_t empty = 0;       // rows without a key
  void add(const FlashHead& head, const FlashTiling& tiling);  // the next row
};
// What rounding explains between a row in tiles and in one piece, in numbers that have this unit roundoff:
// each of the weights, which add up to 1, passes at most a product for each tile and a sum for each key.
double rounding_of_tiles(const FlashHead& head, const FlashTiling& tiling, double epsilon);

// Numbers that are held besides Q, K and V, of n tokens with outputs of this width.
double held_by_flash(std::size_t tile_rows, std::size_t tile_columns, std::size_t width);
inline double held_by_output(double n, std::size_t width) {
  return n * static_cast<double>(width);
}
inline double held_by_weights(double queries, double keys) {
  return queries * keys;
}

}  // namespace attn
