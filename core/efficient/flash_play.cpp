// A row of flash attention, tile after tile, beside the softmax of the whole row.
#include "core/efficient/flash_play.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/checks/comparison.h"
#include "core/operations/matmul.h"

namespace attn {
namespace {

constexpr double kNoKey = -std::numeric_limits<double>::infinity();

// As a score is compared: NaN is largest, so that it is not lost.
double larger(double a, double b) {
  return b > a || std::isnan(b) ? b : a;
}

void exact_row(const FlashHead& head, std::size_t query, FlashRowPlay& play) {
  double largest = head.with_one ? 0 : kNoKey;
  for (std::size_t key = 0; key < head.keys(); ++key)
    if (!head.hides(query, key)) largest = larger(largest, head.score(query, key));
  play.exact.assign(head.width(), 0);
  play.exact_l = head.with_one ? std::exp(-largest) : 0;
  for (std::size_t key = 0; key < head.keys(); ++key) {
    if (head.hides(query, key)) continue;
    const double weight = std::exp(head.score(query, key) - largest);
    play.exact_l += weight;
    for (std::size_t f = 0; f < head.width(); ++f) play.exact[f] += weight * head.value(key, f);
  }
  for (double& output : play.exact)
    if (play.exact_l != 0) output /= play.exact_l;
}

// NaN where one of them is.
double farthest(const std::vector<double>& exact, const std::function<double(std::size_t)>& output) {
  double most = 0;
  for (std::size_t f = 0; f < exact.size(); ++f) most = larger(most, std::abs(output(f) - exact[f]));
  return most;
}

// What is kept of a row between tiles.
template <class T>
struct Running {
  T maximum, l;
  std::vector<T> o;
  Running(const FlashHead& head)
      : maximum(head.with_one ? T(0) : static_cast<T>(kNoKey)), l(head.with_one), o(head.width()) {}
};

template <class T>
FlashLine take_tile(const FlashHead& head, FlashTiling::Span keys, std::size_t query, Running<T>& row) {
  FlashLine line{.keys = keys,
                 .largest = kNoKey,
                 .before = static_cast<double>(row.maximum),
                 .l = static_cast<double>(row.l)};
  for (std::size_t key = keys.first; key < keys.end; ++key)
    if (!head.hides(query, key)) line.largest = larger(line.largest, head.score(query, key));
  line.maximum = larger(line.before, line.largest);
  const T maximum = static_cast<T>(line.maximum);
  const T factor = line.before == kNoKey ? T(0) : std::exp(row.maximum - maximum);
  T sum = 0;
  std::vector<T> added(head.width());
  for (std::size_t key = keys.first; key < keys.end; ++key) {
    if (head.hides(query, key)) continue;
    const T weight = std::exp(static_cast<T>(head.score(query, key)) - maximum);
    sum += weight;
    for (std::size_t f = 0; f < added.size(); ++f) added[f] += weight * static_cast<T>(head.value(key, f));
  }
  row.maximum = maximum;
  row.l = factor * row.l + sum;
  for (std::size_t f = 0; f < added.size(); ++f) row.o[f] = factor * row.o[f] + added[f];
  line.factor = static_cast<double>(factor), line.sum = static_cast<double>(sum);
  line.l_after = static_cast<double>(row.l);
  line.added.assign(added.begin(), added.end());
  line.o.assign(row.o.begin(), row.o.end());
  return line;
}

}  // namespace

bool FlashHead::hides(std::size_t query, std::size_t key) const {
  if (!mask.empty() && mask[{shared_matrix(head, mask.stack(), scores.stack()), query, key}] != 0)
    return true;
  return score(query, key) == kNoKey;
}

double FlashHead::score(std::size_t query, std::size_t key) const {
  return static_cast<double>(scores[{head, query, key}]);
}

double FlashHead::value(std::size_t key, std::size_t feature) const {
  return static_cast<double>(values[{shared_matrix(head, values.stack(), scores.stack()), key, feature}]);
}

FlashHead flash_head(const Results& results, const LayerStages& layer, const LayerSpec& spec,
                     std::size_t head) {
  return {.scores = results.outputs[layer.weighed].whole(),
          .mask = layer.mask ? results.outputs[*layer.mask].whole() : Tensor(),
          .values = results.outputs[layer.v].whole(),
          .head = head,
          .with_one = spec.weighting == Weighting::softmax_1};
}

FlashTiling::FlashTiling(const FlashHead& head, std::size_t rows, std::size_t columns)
    : queries_(head.queries()),
      keys_(head.keys()),
      rows_(rows),
      columns_(columns),
      down_((queries_ + rows - 1) / rows),
      across_((keys_ + columns - 1) / columns),
      places_(down_ * across_, kSkipped) {
  for (std::size_t query = 0; query < queries_; ++query)
    for (std::size_t key = 0; key < keys_; ++key)
      if (!head.hides(query, key)) places_[query / rows * across_ + key / columns] = 0;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i] != kSkipped) {
      places_[i] = order_.size();
      order_.push_back({i / across_, i % across_});
    }
}

FlashTiling::Span FlashTiling::queries_of(std::size_t tile_row) const {
  return {tile_row * rows_, std::min(queries_, (tile_row + 1) * rows_)};
}

FlashTiling::Span FlashTiling::keys_of(std::size_t tile_column) const {
  return {tile_column * columns_, std::min(keys_, (tile_column + 1) * columns_)};
}

std::optional<std::size_t> FlashTiling::place(FlashTile tile) const {
  if (skips(tile)) return std::nullopt;
  return places_[tile.row * across_ + tile.column];
}

std::optional<FlashTile> FlashTiling::nearest(FlashTile tile) const {
  for (std::size_t away = 0; away < across_; ++away) {
    if (tile.column >= away && !skips({tile.row, tile.column - away}))
      return FlashTile{tile.row, tile.column - away};
    if (tile.column + away < across_ && !skips({tile.row, tile.column + away}))
      return FlashTile{tile.row, tile.column + away};
  }
  return std::nullopt;
}

FlashTiling::Work FlashTiling::work() const {
  Work work;
  for (const FlashTile& tile : order_) {
    const Span queries = queries_of(tile.row), keys = keys_of(tile.column);
    work.rows += queries.end - queries.first;
    work.pairs += (queries.end - queries.first) * (keys.end - keys.first);
  }
  return work;
}

std::size_t FlashTiling::bytes() const {
  return places_.capacity() * sizeof(std::size_t) + order_.capacity() * sizeof(FlashTile);
}

std::size_t FlashRowPlay::bytes() const {
  const std::size_t vectors = exact.capacity() * 2 * (1 + lines.size());
  return lines.capacity() * sizeof(FlashLine) + vectors * sizeof(double);
}

template <class T>
FlashRowPlay play_row(const FlashHead& head, const FlashTiling& tiling, std::size_t query) {
  FlashRowPlay play;
  exact_row(head, query, play);
  Running<T> row(head);
  double bare_l = static_cast<double>(row.l);
  play.without_factor.assign(head.width(), 0);
  for (std::size_t column = 0; column < tiling.across(); ++column) {
    const FlashTile tile{tiling.tile_row_of(query), column};
    if (tiling.skips(tile)) continue;
    FlashLine line = take_tile<T>(head, tiling.keys_of(column), query, row);
    line.tile = tile;
    line.from_exact = farthest(play.exact, [&](std::size_t f) { return line.output(f); });
    bare_l += line.sum;
    for (std::size_t f = 0; f < head.width(); ++f) play.without_factor[f] += line.added[f];
    play.lines.push_back(std::move(line));
  }
  for (double& output : play.without_factor)
    if (bare_l != 0) output /= bare_l;
  play.distance = play.lines.empty() ? 0 : play.lines.back().from_exact;
  return play;
}

template FlashRowPlay play_row<double>(const FlashHead&, const FlashTiling&, std::size_t);
template FlashRowPlay play_row<float>(const FlashHead&, const FlashTiling&, std::size_t);

std::vector<FlashKey> keys_of_line(const FlashHead& head, const FlashLine& line, std::size_t query) {
  std::vector<FlashKey> keys;
  for (std::size_t key = line.keys.first; key < line.keys.end; ++key) {
    FlashKey found{.key = key, .hidden = head.hides(query, key), .score = kNoKey, .shifted = kNoKey};
    if (!found.hidden) {
      found.score = head.score(query, key);
      found.shifted = found.score - line.maximum;
      found.exponential = std::exp(found.shifted);
    }
    keys.push_back(found);
  }
  return keys;
}

void FlashRows::add(const FlashHead& head, const FlashTiling& tiling) {
  const FlashRowPlay in_doubles = play_row<double>(head, tiling, rows);
  const FlashRowPlay in_floats = play_row<float>(head, tiling, rows);
  if (in_doubles.distance > in_double) in_double = in_doubles.distance, worst = rows;
  if (in_floats.distance > in_float) in_float = in_floats.distance;
  for (std::size_t f = 0; f < head.width(); ++f) {
    const double output = in_doubles.output(f);
    not_finite += !std::isfinite(output);
    if (head.on_device.empty() || in_doubles.empty()) continue;
    const double off = distance(head.on_device[{head.head, rows, f}], output);
    on_device = std::max(on_device, off);
    excess = std::max(excess, off / accepted_distance(output));
  }
  empty += in_doubles.empty();
  ++rows;
}

double rounding_of_tiles(const FlashHead& head, const FlashTiling& tiling, double epsilon) {
  double largest = 0;
  for (std::size_t key = 0; key < head.keys(); ++key)
    for (std::size_t f = 0; f < head.width(); ++f)
      if (const double size = std::abs(head.value(key, f)); std::isfinite(size))
        largest = std::max(largest, size);
  const double steps = static_cast<double>(2 * head.keys() + 4 * tiling.across() + 8);
  return steps * epsilon * largest;
}

double held_by_flash(std::size_t tile_rows, std::size_t tile_columns, std::size_t width) {
  return static_cast<double>(tile_rows * tile_columns + tile_rows * (2 + width));
}

}  // namespace attn
