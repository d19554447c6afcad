// Matrix products on a device: tiles for processors, tiles in local memory for GPUs.
#include <algorithm>

#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// Of matmul.cl: rows of a processor's tile, of its item at most, rows of B that are laid side by side; items
// of a GPU's group in a row.
constexpr std::size_t kRows = 6, kTall = 252, kDepth = 128, kTile = 16;
// Items enough for any processor's cores to be done together; with fewer rows an item lays a panel for less.
constexpr std::size_t kEnoughItems = 64;
constexpr std::size_t kLeastTall = 8 * kRows;

// Both products as the kernels see them.
struct Product {
  Tensor a, b, bias;  // bias may be empty
  Shape shape;
  std::size_t depth = 0, a_group = 1, b_group = 1;    // matrices of the result that share one of A, B
  std::size_t a_matrix = 0, b_matrix = 0, b_row = 0;  // numbers from one matrix, one row of B, to the next
  bool transposed = false;
};

// PRODUCT_ARGUMENTS of matmul.cl, in its order: every kernel of the file takes them.
template <class Launch>
void with_arguments(const Product& p, Launch launch) {
  launch(dimension(p.shape.rows), dimension(p.shape.columns), dimension(p.depth), dimension(p.a_group),
         dimension(p.b_group), static_cast<cl_ulong>(p.a_matrix), static_cast<cl_ulong>(p.b_matrix),
         static_cast<cl_ulong>(p.b_row));
}

// Columns of a processor's panel.
std::size_t columns_of_panel(const Context& context) {
  return context.vector_width() * (context.vector_width() >= 8 ? 4 : 2);
}

// Rows of an item of a processor.
std::size_t rows_of_item(std::size_t rows, std::size_t panels) {
  const std::size_t blocks = divide_up(kEnoughItems, panels);
  return divide_up(std::clamp(divide_up(rows, blocks), kLeastTall, kTall), kRows) * kRows;
}

// Of an item: what it lays side by side, its products, and its cells, whose terms may be beyond the range of
// float and summed once more.
Steps panel_steps(const Context& context, const Product& p, std::size_t tall) {
  const Steps panel = columns_of_panel(context), again = context.variant().double_sums ? 0 : p.depth;
  const Steps chunks = p.depth / kDepth + 1;
  const Steps rows = std::min(tall, p.shape.rows), tiles = divide_up(rows, kRows);
  const Steps laid = p.depth * (2 + panel) + tiles * kRows * (p.depth + 2 * chunks);
  const Steps products = tiles * (p.depth * (1 + kRows + panel) + chunks * 2 * panel);
  return laid + products + rows * (2 + std::min<Steps>(panel, p.shape.columns) * (2 + again));
}

Tensor multiply(Workbench& bench, const Product& p) {
  return bench.compute(p.shape, [&](const cl::Buffer& c) {
    const cl::Buffer a = bench.input(p.a), b = bench.input(p.b);
    const cl_uint has_bias = !p.bias.empty(), transposed = p.transposed;
    const cl::Buffer bias = has_bias ? bench.input(p.bias) : a;  // some buffer; not read
    const auto [stack, rows, columns] = p.shape;
    with_arguments(p, [&](const auto&... sizes) {
      if (bench.context().variant().groups) {
        const WorkSize range{
            cl::NDRange(divide_up(columns, kTile) * kTile, divide_up(rows, kTile) * kTile, stack),
            cl::NDRange(kTile, kTile, 1), 3 * p.depth + 2};
        bench.launch("matmul", "matmul_tiles", range, a, b, bias, has_bias, c, sizes..., transposed);
        return;
      }
      const std::size_t panels = divide_up(columns, columns_of_panel(bench.context()));
      const std::size_t tall = rows_of_item(rows, panels * stack);
      const WorkSize range{cl::NDRange(divide_up(rows, tall), panels, stack), cl::NDRange(1, 1, 1),
                           panel_steps(bench.context(), p, tall)};
      bench.launch("matmul", "matmul_panels", range, a, b, bias, has_bias, c, sizes..., transposed,
                   dimension(tall));
    });
  });
}

}  // namespace

Tensor compute(Workbench& bench, const MatMul& op, Inputs inputs) {
  const Shape a = inputs[0].shape(), b = inputs[1].shape();
  const std::size_t stack = std::max(a.stack, b.stack);
  return multiply(bench, {.a = inputs[0],
                          .b = inputs[1],
                          .bias = {},
                          .shape = {stack, a.rows, op.transpose_right ? b.rows : b.columns},
                          .depth = a.columns,
                          .a_group = stack / a.stack,
                          .b_group = stack / b.stack,
                          .a_matrix = a.rows * a.columns,
                          .b_matrix = b.rows * b.columns,
                          .b_row = b.columns,
                          .transposed = op.transpose_right});
}

Tensor compute(Workbench& bench, const Project& op, Inputs inputs) {
  const Shape x = inputs[0].shape(), w = inputs[1].shape();
  const std::size_t width = w.columns / op.heads;
  return multiply(bench, {.a = inputs[0],
                          .b = inputs[1],
                          .bias = inputs.size() > 2 ? inputs[2] : Tensor(),
                          .shape = {op.heads, x.rows, width},
                          .depth = x.columns,
                          .a_group = op.heads,  // every head reads the one X
                          .b_group = 1,         // and its own columns of W
                          .a_matrix = 0,
                          .b_matrix = width,
                          .b_row = w.columns,
                          .transposed = false});
}

template Tensor run(Workbench&, const MatMul&, Inputs);
template Tensor run(Workbench&, const Project&, Inputs);

}  // namespace attn::opencl
