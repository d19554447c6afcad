// Decoding: shapes, and how its numbers are explained.
#include "core/operations/decode.h"

#include "core/operations/family.h"
#include "core/system/error.h"

namespace attn {
namespace {

void check_place(const Shape& place) {
  if (place != Shape{1, 1, 1}) throw Error("a place of " + to_string(place) + " is not one number");
}

}  // namespace

std::optional<std::size_t> row_at(double place, std::size_t rows) {
  if (!(place >= 0 && place < static_cast<double>(rows))) return std::nullopt;
  return static_cast<std::size_t>(place);
}

FlashAttention as_flash(const CachedAttention& op, std::size_t keys, double place) {
  std::size_t seen = place >= static_cast<double>(keys) ? keys : 0;
  if (const auto row = row_at(place, keys)) seen = *row + 1;
  FlashAttention flash{.scale = op.scale,
                       .cap = op.cap,
                       .with_one = op.with_one,
                       .masks = {{PaddingRule{{seen}}}},
                       .first = static_cast<std::ptrdiff_t>(seen) - 1,
                       .alibi = op.alibi};
  if (op.window) flash.masks.push_back({WindowRule{*op.window}});
  return flash;
}

Shape result_shape(const PutRows&, Shapes inputs) {
  const Shape x = inputs[0], rows = inputs[1];
  if (x.stack != rows.stack || x.columns != rows.columns)
    throw Error("rows of " + to_string(rows) + " do not fit a cache of " + to_string(x));
  check_place(inputs[kPutPlace]);
  return x;
}

Shape result_shape(const CachedAttention& op, Shapes inputs) {
  if (inputs[0].rows != 1) throw Error("queries of " + to_string(inputs[0]) + " are not one a head");
  check_place(inputs[kCachedPlace]);
  return Family<FlashAttention>::result_shape(as_flash(op, inputs[1].rows, 0), inputs.first(kCachedPlace));
}

Explanation explain(const PutRows&, Inputs inputs, Cell cell) {
  const auto first = row_at(inputs[kPutPlace][{0, 0, 0}], inputs[0].rows());
  const bool put = first && cell.row >= *first && cell.row - *first < inputs[1].rows();
  const Operand x =
      put ? operand(inputs, 1, {cell.head, cell.row - *first, cell.column}) : operand(inputs, 0, cell);
  return only(put ? "put into the cache at its place" : "the cache's own",
              {.operands = {x}, .value = x.value});
}

Explanation explain(const CachedAttention& op, Inputs inputs, Cell cell) {
  return Family<FlashAttention>::explain(as_flash(op, inputs[1].rows(), inputs[kCachedPlace][{0, 0, 0}]),
                                         inputs.first(kCachedPlace), cell);
}

// Where rows are put the shapes do not say.
Regions reach(const PutRows&, Shapes inputs, std::size_t input, Cell cell) {
  const Shape x = inputs[0];
  if (input == 0) return region(cell);
  if (input == 1) return {{cell.head, cell.row, cell.column}, {cell.head + 1, x.rows, cell.column + 1}};
  return {{0, 0, 0}, {x.stack, x.rows, x.columns}};
}

Regions reach(const CachedAttention& op, Shapes inputs, std::size_t input, Cell cell) {
  if (input == kCachedPlace) return {{0, 0, 0}, {inputs[0].stack, 1, inputs[2].columns + 1}};
  return Family<FlashAttention>::reach(as_flash(op, inputs[1].rows, 0), inputs.first(kCachedPlace), input,
                                       cell);
}

Traits traits(const PutRows&, Shapes inputs, const Shape&) {
  return {.multiply_adds = size_of(inputs[0]),
          .counted = 0,
          .in_place = true,
          .passes_numbers = true,
          .stays_in_format = true};
}

// Counted with every key there is room for.
Traits traits(const CachedAttention& op, Shapes inputs, const Shape& result) {
  const auto keys = static_cast<double>(inputs[1].rows);
  return Family<FlashAttention>::traits(as_flash(op, inputs[1].rows, keys), inputs.first(kCachedPlace),
                                        result);
}

double size_of_terms(const CachedAttention& op, Inputs inputs) {
  return Family<FlashAttention>::size_of_terms(as_flash(op, 0, 0), inputs);
}

RowReads cut(PutRows&, Shapes, const RowRange&) {
  return std::nullopt;
}
RowReads cut(CachedAttention&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const PutRows&, Shapes, const Shape&) {
  return no_way_back("decoding asks for no gradient: it runs what was learnt");
}
Backward backward(const CachedAttention&, Shapes, const Shape&) {
  return no_way_back("decoding asks for no gradient: it runs what was learnt");
}

template struct Family<PutRows>;
template struct Family<CachedAttention>;

}  // namespace attn
