// Matrix products on a device: tiles for processors, tiles in local memory for GPUs.
#include <algorithm>

#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// Of matmul.cl: rows of a processor's tile, of its item at most, rows of B that are laid side by side; items
// of a GPU's group in a row.
constexpr std::size_t kRows = 6, kTall = 252, kDepth = 128, kTile = 16;
// Of matmul_tiles.cl: cells of an item in a row, and rows and columns from which on its tiles are half full.
constexpr std::size_t kWideCells = 4, kWideFrom = 33;
constexpr std::size_t kIn32Bits = std::size_t{1} << 32;
// Of matmul_blocks.cl: rows of an item at most, terms of a block; those of matmul_floats.cl's.
constexpr std::size_t kBlockTall = 96, kWideBlock = 128, kNarrowBlock = 64, kFloatBlock = 64;
// Items of a compute unit, enough for all of them to be done together; with fewer rows an item lays a panel
// for less.
constexpr std::size_t kEnoughItems = 12;
constexpr std::size_t kLeastTall = 8 * kRows;
// Of a single row: shares of a matrix that is read as it lies, for each compute unit; rows of a share at
// least; vectors that are joined by an item; numbers of such a matrix.
constexpr std::size_t kSharesOfUnit = 2, kRowsOfShare = 16, kJoinWide = 16,
                      kManyNumbers = std::size_t{1} << 14;

// Both products as the kernels see them.
struct Product {
  Tensor a, b, bias, residual;  // the last two may be empty
  AfterProduct after = AfterProduct::nothing;
  Shape shape, result;  // one product of shape.stack; a projection's result is split into heads
  std::size_t depth = 0, a_group = 1, b_group = 1;  // matrices of the product that share one of A, B
  // Numbers from one matrix, one row as it lies, to the next.
  std::size_t a_matrix = 0, b_matrix = 0, a_row = 0, b_row = 0;
  bool left_transposed = false, transposed = false, in_blocks = false, in_float = false;
};

// PRODUCT_ARGUMENTS of product.cl, in its order: every kernel of both files takes them.
template <class Launch>
void with_arguments(Workbench& bench, const Product& p, const cl::Buffer& c, Launch launch) {
  const cl::Buffer a = bench.input(p.a), b = bench.input(p.b);
  const auto given = [&](const Tensor& t) {
    return t.empty() ? a : bench.input(t);
  };  // some buffer; not read
  launch(a, b, given(p.bias), cl_uint{!p.bias.empty()}, given(p.residual), c, dimension(p.shape.rows),
         dimension(p.shape.columns), dimension(p.depth), dimension(p.result.columns), dimension(p.a_group),
         dimension(p.b_group), cl_ulong{p.a_matrix}, cl_ulong{p.b_matrix}, cl_ulong{p.a_row},
         cl_ulong{p.b_row}, cl_uint{p.left_transposed}, cl_uint{p.transposed}, static_cast<cl_uint>(p.after));
}

// A kernel for processors: vectors of its panel and their lanes, rows of an item at most, terms that are
// summed at a time.
struct Panels {
  const char* kernel;
  std::size_t vectors, lanes, tall, depth;
  std::size_t columns() const { return vectors * lanes; }
};

Panels panels_for(const Context& context, const Product& p) {
  const std::size_t width = context.vector_width(), lanes = context.float_lanes();
  const std::size_t narrow = lanes > 8 && width <= 8 ? 8 : lanes;
  if (!p.in_blocks) return {"matmul_panels", width >= 8 ? 4u : 2u, width, kTall, kDepth};
  if (p.shape.columns <= narrow) return {"matmul_narrow", 1, narrow, kBlockTall, kNarrowBlock};
  return {"matmul_blocks", context.tile_vectors(), lanes, kBlockTall, kWideBlock};
}

std::size_t units_of(const Context& context) {
  return std::max<std::size_t>(1, context.device().getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
}
std::size_t enough_items(const Context& context) {
  return kEnoughItems * units_of(context);
}

// Rows of an item of a processor.
std::size_t rows_of_item(const Context& context, const Panels& of, std::size_t rows, std::size_t panels) {
  const std::size_t blocks = divide_up(enough_items(context), panels);
  return divide_up(std::clamp(divide_up(rows, blocks), kLeastTall, of.tall), kRows) * kRows;
}

// Panels of an item whose sums are short, as long as there are items enough and a device runs all their
// loops.
std::size_t panels_of_item(const Context& context, const Product& p, std::size_t items) {
  if (p.in_blocks || !p.bias.empty() || p.depth > kDepth || context.variant().most_steps != kEndless)
    return 1;
  const std::size_t fit = kDepth / std::max<std::size_t>(1, p.depth);
  return std::clamp<std::size_t>(items * p.shape.stack / enough_items(context), 1, fit);
}

// Of an item: what it lays side by side, its products, and its cells, which are looked for among heads, and
// whose terms may be summed once more, or twice.
Steps panel_steps(const Context& context, const Product& p, const Panels& of, std::size_t tall,
                  std::size_t of_item) {
  const Steps columns = std::min<Steps>(p.shape.columns, of_item * of.columns());
  const Steps needed = divide_up(std::min<Steps>(of.columns(), columns), of.lanes);
  const Steps vectors = needed > 2 ? of.vectors : needed;
  const Steps rows = std::min(tall, p.shape.rows), tiles = divide_up(rows, kRows);
  const Steps of_vectors = kRows * (1 + of.vectors), again = p.in_blocks + !context.variant().double_sums;
  const Steps laid =
      p.depth * (2 + vectors * of.lanes) + tiles * (of_vectors + (p.in_blocks ? 0 : kRows * (p.depth + 1)));
  const Steps products =
      tiles * (p.depth * (1 + of.vectors + of_vectors) + (p.depth / of.depth + 1) * 3 * of_vectors);
  const Steps heads = p.result.stack / p.shape.stack;
  return of_item * (laid + products) + rows * (2 + columns * (4 + again * p.depth + heads));
}

// Whether a matrix is read once, by a kernel without panels.
bool is_one_row(const Context& context, const Product& p) {
  return p.shape.rows == 1 && !p.transposed && p.depth * p.shape.columns >= kManyNumbers &&
         context.variant().most_steps == kEndless;
}

// Shares of the matrix, then their sum.
template <class... Arguments>
void multiply_row(Workbench& bench, const Product& p, const Arguments&... arguments) {
  const std::size_t shares =
      std::clamp<std::size_t>(p.depth / kRowsOfShare, 1, kSharesOfUnit * units_of(bench.context()));
  const std::size_t width = bench.context().vector_width(), vectors = divide_up(p.shape.columns, width);
  const Steps steps = (divide_up(p.depth, shares) + 2) * (2 + vectors);
  // A sum takes as much as two floats, in both of its ways.
  const auto parts = bench.scratch(2 * p.shape.stack * shares * vectors * width);
  bench.launch("matmul", "matmul_row",
               WorkSize{cl::NDRange(shares, 1, p.shape.stack), cl::NDRange(1, 1, 1), steps}, arguments...,
               parts->buffer);
  const Steps joined = kJoinWide * (shares + width * (2 + p.result.stack));
  bench.launch(
      "matmul", "join_row",
      WorkSize{cl::NDRange(divide_up(vectors, kJoinWide), 1, p.shape.stack), cl::NDRange(1, 1, 1), joined},
      arguments..., parts->buffer, dimension(shares));
}

// Of matmul_floats.cl.
constexpr std::size_t kFloatTall = 96;

// Whether matmul_floats takes it.
bool is_plain(const Context& context, const Product& p) {
  return p.in_float && !context.variant().groups && p.shape.columns % context.float_lanes() == 0 &&
         p.depth > 0 && (p.after == AfterProduct::nothing || p.after == AfterProduct::residual);
}

// Sums in float of a B that lies as it is read, or is laid so first.
void multiply_floats(Workbench& bench, Product p, const cl::Buffer& c) {
  const std::size_t lanes = bench.context().float_lanes(), columns = p.shape.columns;
  std::shared_ptr<DeviceMemory> laid;
  if (p.transposed) {
    laid = bench.scratch(p.b.shape().size());
    bench.launch(
        "matmul_floats", "lay_transposed",
        WorkSize{cl::NDRange(columns / lanes, p.b.stack()), cl::NDRange(1, 1), p.depth * (1 + lanes)},
        bench.input(p.b), laid->buffer, dimension(p.depth), dimension(columns));
    p.transposed = false, p.b_row = columns;
  }
  const std::size_t wide = bench.context().tile_vectors() * lanes, panels = divide_up(columns, wide);
  const std::size_t blocks = divide_up(enough_items(bench.context()), panels * p.shape.stack);
  const std::size_t tall =
      divide_up(std::clamp(divide_up(p.shape.rows, blocks), kRows, kFloatTall), kRows) * kRows;
  const Steps steps = divide_up(tall, kRows) * (p.depth + divide_up(p.depth, kFloatBlock) + 2) * 2;
  const WorkSize range{cl::NDRange(panels, divide_up(p.shape.rows, tall), p.shape.stack),
                       cl::NDRange(1, 1, 1), steps};
  with_arguments(bench, p, c, [&](const cl::Buffer& a, const cl::Buffer& b, const auto&... others) {
    bench.launch("matmul_floats", "matmul_floats", range, a, laid ? laid->buffer : b, others...,
                 dimension(tall));
  });
}

// Whether tiles of many cells an item take it: where they are half full at least, by kernels that count the
// numbers of a tile in 32 bits, and on devices that do not leave their loops.
bool is_wide(const Context& context, const Product& p, std::size_t tile) {
  return std::min(p.shape.rows, p.shape.columns) >= kWideFrom && context.variant().most_steps == kEndless &&
         tile * std::max(p.a_row, p.b_row) < kIn32Bits;
}

template <class... Arguments>
void multiply_tiles(Workbench& bench, const Product& p, const Arguments&... arguments) {
  const auto [stack, rows, columns] = p.shape;
  const bool wide = is_wide(bench.context(), p, kTile * kWideCells);
  const std::size_t tile = wide ? kTile * kWideCells : kTile;
  const WorkSize range{cl::NDRange(divide_up(columns, tile) * kTile, divide_up(rows, tile) * kTile, stack),
                       cl::NDRange(kTile, kTile, 1), wide ? 0 : 5 * p.depth + p.result.stack + 2};
  if (!wide)
    bench.launch("matmul", "matmul_tiles", range, arguments..., cl_uint{p.in_blocks});
  else
    bench.launch("matmul_tiles", p.in_blocks ? "matmul_wide_tiles_blocks" : "matmul_wide_tiles", range,
                 arguments...);
}

Tensor multiply(Workbench& bench, const Product& p) {
  return bench.compute(p.result, [&](const cl::Buffer& c) {
    if (is_plain(bench.context(), p)) return multiply_floats(bench, p, c);
    const auto [stack, rows, columns] = p.shape;
    with_arguments(bench, p, c, [&](const auto&... arguments) {
      if (bench.context().variant().groups) return multiply_tiles(bench, p, arguments...);
      if (is_one_row(bench.context(), p)) return multiply_row(bench, p, arguments...);
      const Panels of = panels_for(bench.context(), p);
      const std::size_t panels = divide_up(columns, of.columns());
      std::size_t tall = rows_of_item(bench.context(), of, rows, panels * stack);
      const Steps most = bench.context().variant().most_steps;
      while (most != kEndless && tall > kRows && panel_steps(bench.context(), p, of, tall, 1) > most / 2)
        tall -= kRows;
      const std::size_t of_item = panels_of_item(bench.context(), p, panels * divide_up(rows, tall));
      const std::size_t across = divide_up(panels, of_item), down = divide_up(rows, tall);
      const auto range = [&, steps = panel_steps(bench.context(), p, of, tall, of_item)](std::size_t first,
                                                                                         std::size_t second) {
        return WorkSize{cl::NDRange(first, second, stack), cl::NDRange(1, 1, 1), steps};
      };
      if (p.in_blocks)
        bench.launch("matmul_blocks", of.kernel, range(down, across), arguments..., dimension(tall));
      else
        bench.launch("matmul", of.kernel, range(across, down), arguments..., dimension(tall),
                     dimension(of_item));
    });
  });
}

Tensor input_or_none(Inputs inputs, std::size_t number) {
  return number ? inputs[number] : Tensor();
}

}  // namespace

Tensor compute(Workbench& bench, const MatMul& op, Inputs inputs) {
  const Shape a = left_factor(op, inputs[0].shape()), b = right_factor(op, inputs[1].shape());
  const std::size_t stack = std::max(a.stack, b.stack);
  const ProductInputs at(op.after, inputs.size());
  const Shape result{stack, a.rows, b.columns};
  return multiply(bench, {.a = inputs[0],
                          .b = inputs[1],
                          .bias = input_or_none(inputs, at.bias),
                          .residual = input_or_none(inputs, at.residual),
                          .after = op.after,
                          .shape = result,
                          .result = result,
                          .depth = a.columns,
                          .a_group = stack / a.stack,
                          .b_group = stack / b.stack,
                          .a_matrix = a.rows * a.columns,
                          .b_matrix = b.rows * b.columns,
                          .a_row = inputs[0].columns(),
                          .b_row = inputs[1].columns(),
                          .left_transposed = op.transpose_left,
                          .transposed = op.transpose_right,
                          .in_blocks = op.in_float || (op.in_blocks && a.columns >= MatMul::kManyTerms),
                          .in_float = op.in_float});
}

Tensor compute(Workbench& bench, const Project& op, Inputs inputs) {
  const Shape x = inputs[0].shape(), w = inputs[1].shape();
  const ProductInputs at(op.after, inputs.size());
  return multiply(bench, {.a = inputs[0],
                          .b = inputs[1],
                          .bias = input_or_none(inputs, at.bias),
                          .residual = input_or_none(inputs, at.residual),
                          .after = op.after,
                          .shape = {1, x.rows, w.columns},
                          .result = {op.heads, x.rows, w.columns / op.heads},
                          .depth = x.columns,
                          .a_row = x.columns,
                          .b_row = w.columns,
                          .in_blocks = x.columns >= MatMul::kManyTerms});
}

template Tensor run(Workbench&, const MatMul&, Inputs);
template Tensor run(Workbench&, const Project&, Inputs);

}  // namespace attn::opencl
