// Random products in chunks of dimensions, each added to what the dimensions before came to: what is
// remembered of one width serves the next.
#include <cmath>

#include "core/softmax/builder.h"
#include "core/softmax/fields.h"

namespace attn {
namespace {

// A width that is dragged, however far, costs at most as many dimensions.
constexpr std::size_t kChunk = 8;

struct Chain {
  SoftmaxBuilder& b;
  std::size_t rows, keys;

  // With the dimensions from `from` to `to` behind those of `before`; none at 0.
  StageIndex add(std::size_t from, std::size_t to, StageIndex before) const {
    const std::string width = std::to_string(to);
    return b.graph.add(
        {.id = "to" + width,
         .title = "q·k",
         .formula = "d_k " + width,
         .operation =
             RandomProducts{
                 .seed = b.spec.seed, .first = from, .count = to - from, .rows = rows, .keys = keys},
         .inputs = from == 0 ? std::vector<StageIndex>{} : std::vector<StageIndex>{before},
         .rows = b.row_of_products,
         .columns = b.key_of_products,
         .traced = false,
         .role = Role::score,
         .drawn = Drawn::never,
         .sentence = "the product of query %i and its key %j over " + width + " dimensions"});
  }
};

// Every width that others start from: powers of two, then multiples of the chunk.
std::vector<std::size_t> landmarks() {
  std::vector<std::size_t> widths;
  for (std::size_t width = 1; width <= kChunk; width *= 2) widths.push_back(width);
  for (std::size_t width = 2 * kChunk; width <= softmax_field::kMostWidth; width += kChunk)
    widths.push_back(width);
  return widths;
}

bool is_power_of_two(std::size_t number) {
  return (number & (number - 1)) == 0;
}

StageIndex append_chain(SoftmaxBuilder& b) {
  ProductStages& stages = b.places.products;
  const Chain chain{b, (b.spec.pairs + b.spec.row_keys - 1) / b.spec.row_keys, b.spec.row_keys};
  std::size_t width = 0, nearest = 0;
  StageIndex last = 0, today = 0;
  for (const std::size_t next : landmarks()) {
    last = chain.add(width, next, last);
    width = next;
    if (next <= b.spec.width) nearest = next, today = last;
    if (!is_power_of_two(next)) continue;
    stages.widths.push_back(next), stages.of_width.push_back(last);
  }
  return nearest < b.spec.width ? chain.add(nearest, b.spec.width, today) : today;
}

StageIndex append_largest(SoftmaxBuilder& b, const std::string& id, StageIndex products) {
  return b.graph.add({.id = id + "_largest",
                      .title = "largest weight, " + id,
                      .formula = "1 ÷ Σ exp(score − row max)",
                      .operation = RowStatistic{RowFigure::largest_share},
                      .inputs = {products},
                      .rows = b.row_of_products,
                      .columns = b.one,
                      .role = Role::statistic,
                      .range = Range::unit,
                      .drawn = Drawn::never,
                      .sentence = "the largest weight that a softmax of row %i has"});
}

}  // namespace

void append_products(SoftmaxBuilder& b) {
  ProductStages& stages = b.places.products;
  stages.part = b.graph.parts.size();
  b.graph.begin_part({.prefix = "products.", .title = "random products"});
  stages.raw = append_chain(b);
  b.graph.stages[stages.raw].traced = true;
  const std::string width = std::to_string(b.spec.width);
  stages.scaled = b.graph.add(
      {.id = "scaled",
       .title = "q·k ÷ √d_k",
       .formula = "÷ √" + width,
       .operation = Scale{.factor = 1 / std::sqrt(static_cast<double>(b.spec.width)), .text = "1/√" + width},
       .inputs = {stages.raw},
       .rows = b.row_of_products,
       .columns = b.key_of_products,
       .role = Role::score,
       .drawn = Drawn::never,
       .sentence = "the product of query %i and its key %j, divided by √" + width});
  stages.raw_largest = append_largest(b, "raw", stages.raw);
  stages.scaled_largest = append_largest(b, "scaled", stages.scaled);
}

}  // namespace attn
