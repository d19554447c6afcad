// Offsets from queries to keys: which number each stands for, and how numbers go there and back.
#include "core/operations/offset.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/operations/family.h"
#include "core/system/error.h"

namespace attn {
namespace {

std::ptrdiff_t offset_of(std::ptrdiff_t first, Cell cell) {
  return static_cast<std::ptrdiff_t>(cell.column) - static_cast<std::ptrdiff_t>(cell.row) - first;
}

std::ptrdiff_t place_of(std::ptrdiff_t first, std::size_t query) {
  return first + static_cast<std::ptrdiff_t>(query);
}

// Of one direction: `own` of the buckets hold a distance each, the others share what is farther.
std::size_t bucket_of(std::size_t distance, std::size_t count, std::size_t max_distance) {
  const std::size_t own = count / 2;
  if (distance < own) return distance;
  const double e = static_cast<double>(own);
  const double share = std::log(static_cast<double>(distance) / e) /
                       std::log(static_cast<double>(max_distance) / e) * static_cast<double>(count - own);
  // Where a bucket begins exactly at a distance (16 and 32 of 128) a rounding must not put it before.
  const double near = std::round(share);
  const double whole = std::abs(share - near) < 1e-12 ? near : std::floor(share);
  return std::min(own + static_cast<std::size_t>(whole), count - 1);
}

std::size_t one_way(const Buckets& rule) {
  return rule.causal ? rule.count : rule.count / 2;
}

struct IndexOf {
  std::ptrdiff_t offset;
  std::size_t operator()(const Clip& rule) const {
    const auto limit = static_cast<std::ptrdiff_t>(rule.limit);
    return static_cast<std::size_t>(std::clamp(offset, -limit, limit) + limit);
  }
  std::size_t operator()(const Buckets& rule) const {
    const auto distance = static_cast<std::size_t>(std::abs(offset));
    if (rule.causal) return bucket_of(offset > 0 ? 0 : distance, rule.count, rule.max_distance);
    const std::size_t behind = offset > 0 ? one_way(rule) : 0;
    return behind + bucket_of(distance, one_way(rule), rule.max_distance);
  }
};

struct OffsetRuleWords {
  std::ptrdiff_t offset;
  std::string signed_words(std::ptrdiff_t n) const {
    return (n < 0 ? "−" : "") + std::to_string(std::abs(n));
  }
  std::string operator()(const Clip& rule) const {
    const auto limit = static_cast<std::ptrdiff_t>(rule.limit);
    const std::ptrdiff_t clipped = std::clamp(offset, -limit, limit);
    const std::string text = "offset j − i = " + signed_words(offset);
    return clipped == offset ? text : text + ", clipped to " + signed_words(clipped);
  }
  std::string operator()(const Buckets& rule) const {
    return "offset j − i = " + signed_words(offset) + ": bucket " + std::to_string(IndexOf{offset}(rule)) +
           " of " + std::to_string(rule.count);
  }
};

}  // namespace

std::size_t index_count(const OffsetRule& rule) {
  struct Count {
    std::size_t operator()(const Clip& r) const { return 2 * r.limit + 1; }
    std::size_t operator()(const Buckets& r) const { return r.count; }
  };
  return std::visit(Count{}, rule);
}

std::size_t index_of(const OffsetRule& rule, std::ptrdiff_t offset) {
  return std::visit(IndexOf{offset}, rule);
}

void check_rule(const OffsetRule& rule) {
  const auto* buckets = std::get_if<Buckets>(&rule);
  if (!buckets) return;
  const std::size_t least = buckets->causal ? 2 : 4;
  if (buckets->count < least || (!buckets->causal && buckets->count % 2 != 0))
    throw Error(std::to_string(buckets->count) + " buckets cannot be shared out: use " +
                (buckets->causal ? "2 or more" : "an even number, 4 or more"));
  if (buckets->max_distance <= one_way(*buckets) / 2)
    throw Error("distances up to " + std::to_string(one_way(*buckets) / 2) +
                " have a bucket of their own: use a larger maximal distance than " +
                std::to_string(buckets->max_distance));
}

double alibi_slope(std::size_t head, std::size_t heads) {
  const std::size_t below = std::bit_floor(heads);
  const auto slope = [](std::size_t r, std::size_t h) {
    return std::exp2(-8 * static_cast<double>(r + 1) / static_cast<double>(h));
  };
  return head < below ? slope(head, below) : slope(2 * (head - below), 2 * below);
}

Slopes slopes(const DistanceBias& op) {
  Slopes all{.of_heads = {}, .first = op.first};
  for (std::size_t head = 0; head < op.heads; ++head)
    all.of_heads.push_back(static_cast<float>(alibi_slope(head, op.heads)));
  return all;
}

double distance_bias(double slope, std::ptrdiff_t offset) {
  return -slope * static_cast<double>(std::abs(offset));
}

Offsets::Offsets(std::size_t queries, std::size_t keys, std::ptrdiff_t first_place)
    : from(1 - static_cast<std::ptrdiff_t>(queries) - first_place),
      to(static_cast<std::ptrdiff_t>(keys) - first_place) {}

OffsetRange offsets_at(const OffsetRule& rule, std::size_t index, const Offsets& all) {
  OffsetRange range;
  for (std::ptrdiff_t offset = all.from; offset < all.to; ++offset) {
    if (index_of(rule, offset) != index) continue;
    if (range.first == range.last) range.first = offset;
    range.last = offset + 1;
  }
  return range;
}

KeyRange keys_at(OffsetRange offsets, std::ptrdiff_t place, std::size_t keys) {
  const auto key = [&](std::ptrdiff_t offset) {
    return static_cast<std::size_t>(
        std::clamp(offset + place, std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(keys)));
  };
  return {key(offsets.first), key(offsets.last)};
}

Shape result_shape(const DistanceBias& op, Shapes) {
  if (op.heads == 0) throw Error("a layer needs at least one head: use 1 or more");
  return {op.heads, op.rows, op.columns};
}

Shape result_shape(const ByOffset& op, Shapes inputs) {
  check_rule(op.rule);
  const Shape x = inputs[0];
  if ((x.rows != 1 && x.rows != op.queries) || x.columns != index_count(op.rule))
    throw Error("numbers for offsets are " + to_string(x) + ", but must be " + std::to_string(op.queries) +
                "×" + std::to_string(index_count(op.rule)) + ": a row for each query, or one for all");
  return {x.stack, op.queries, op.keys};
}

Shape result_shape(const SumByOffset& op, Shapes inputs) {
  check_rule(op.rule);
  return {inputs[0].stack, inputs[0].rows, index_count(op.rule)};
}

Explanation explain(const DistanceBias& op, Inputs, Cell cell) {
  const double slope = alibi_slope(cell.head, op.heads);
  const std::ptrdiff_t offset = offset_of(op.first, cell);
  const double distance = static_cast<double>(std::abs(offset));
  Explanation e =
      only("−slope × distance", {.operands = {constant(-slope, "−slope"), constant(distance, "|i − j|")},
                                 .value = distance_bias(slope, offset)});
  e.formula = {words("− slope × |i − j| = −"), number_of(slope, " × "),
               words(std::to_string(static_cast<std::size_t>(distance)))};
  return e;
}

Explanation explain(const ByOffset& op, Inputs inputs, Cell cell) {
  const std::ptrdiff_t offset = offset_of(op.first, cell);
  const Cell from{cell.head, inputs[0].rows() == 1 ? 0 : cell.row, index_of(op.rule, offset)};
  const Operand x = operand(inputs, 0, from);
  const std::string rule = std::visit(OffsetRuleWords{offset}, op.rule);
  Explanation e = only(rule, {.operands = {x}, .value = x.value});
  e.formula = {cell_of(0, from), words(", " + rule)};
  e.passages = {{words(rule)}};
  return e;
}

Explanation explain(const SumByOffset& op, Inputs inputs, Cell cell) {
  const Shape x = inputs[0].shape();
  const OffsetRange offsets = offsets_at(op.rule, cell.column, {x.rows, x.columns, op.first});
  const KeyRange keys = keys_at(offsets, place_of(op.first, cell.row), x.columns);
  std::vector<Term> terms;
  for (std::size_t key = keys.first; key < keys.last; ++key) {
    const Operand share = operand(inputs, 0, {cell.head, cell.row, key});
    terms.push_back({.operands = {share}, .value = share.value});
  }
  Explanation e = sum_of("Σ over the keys of this offset", std::move(terms));
  e.passages = {{words("added to the others of its offset")}};
  return e;
}

Regions reach(const DistanceBias&, Shapes, std::size_t, Cell) {
  return {};
}

Regions reach(const ByOffset& op, Shapes inputs, std::size_t, Cell cell) {
  const bool shared = inputs[0].rows == 1;
  const OffsetRange offsets = offsets_at(op.rule, cell.column, {op.queries, op.keys, op.first});
  Regions rows;
  for (std::size_t row = shared ? 0 : cell.row; row < (shared ? op.queries : cell.row + 1); ++row)
    if (const KeyRange keys = keys_at(offsets, place_of(op.first, row), op.keys); keys.last > keys.first)
      rows.push_back({{cell.head, row, keys.first}, {cell.head + 1, row + 1, keys.last}});
  return rows;
}

Regions reach(const SumByOffset& op, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.row, index_of(op.rule, offset_of(op.first, cell))});
}

Traits traits(const DistanceBias&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
Traits traits(const ByOffset&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .stays_in_format = true};
}
Traits traits(const SumByOffset&, Shapes inputs, const Shape&) {
  return {.multiply_adds = size_of(inputs[0])};
}

RowReads cut(DistanceBias& op, Shapes inputs, const RowRange& rows) {
  op.first += static_cast<std::ptrdiff_t>(rows.first);
  op.rows = rows.count;
  return same_rows(inputs);
}
RowReads cut(ByOffset& op, Shapes inputs, const RowRange& rows) {
  const bool shared = inputs[0].rows != op.queries;
  op.first += static_cast<std::ptrdiff_t>(rows.first);
  op.queries = rows.count;
  return shared ? same_rows(inputs, {0}) : same_rows(inputs);
}
RowReads cut(SumByOffset& op, Shapes inputs, const RowRange& rows) {
  op.first += static_cast<std::ptrdiff_t>(rows.first);
  return same_rows(inputs);
}

Backward backward(const DistanceBias&, Shapes, const Shape&) {
  return {};
}
Backward backward(const ByOffset& op, Shapes inputs, const Shape&) {
  Backward back;
  const BackwardValue rows = back.add(SumByOffset{op.rule, op.first}, {kGradient}, "Σ of %g by offset");
  const bool shared = inputs[0].rows != op.queries;
  back.flow(0, shared ? back.add(ColumnSum{.each = true}, {rows}, "Σ of %g by offset, over queries") : rows);
  return back;
}
Backward backward(const SumByOffset& op, Shapes inputs, const Shape&) {
  Backward back;
  back.flow(0, back.add(ByOffset{op.rule, inputs[0].rows, inputs[0].columns, op.first}, {kGradient},
                        "%g of the offset"));
  return back;
}

template struct Family<DistanceBias>;
template struct Family<ByOffset>;
template struct Family<SumByOffset>;

}  // namespace attn
