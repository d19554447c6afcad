// Matrix products on a device: tiles for processors, tiles in local memory for GPUs.
#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// Of matmul.cl: rows of a processor's tile of A·B, cells of one of A·Bᵀ, items of a work-group, rows of B
// that are kept.
constexpr std::size_t kRows = 6, kCells = 4, kTile = 16, kPanel = 512;
constexpr std::size_t kMostRowTiles = 16384;  // of the row tiles; the kernels stride over the rest
// Items enough for any processor's cores to be done together; with more of them, less is shared among row
// tiles.
constexpr std::size_t kEnoughItems = 64;

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

// Of a processor's tile: at each step of the depth what is read, lane by lane at an edge, and its products;
// then its cells, which sum their lanes, and terms beyond the range of float once more.
Steps tile_steps(const Context& context, const Product& p) {
  const Steps lanes = context.vector_width(), again = context.variant().double_sums ? 0 : p.depth;
  if (!p.transposed) return p.depth * (1 + 2 * lanes + kRows) + 3 * kRows + 2 * kRows * lanes * (1 + again);
  const Steps cells = kCells * kCells, reads = 2 * kCells * (1 + lanes);
  return (p.depth / lanes + 1) * (1 + reads + kCells + cells) + 2 * cells * (1 + lanes + again);
}

// The columns of B that an item keeps.
Steps panel_steps(const Context& context) {
  return kPanel * (1 + 2 * context.vector_width());
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
      // A tile of A·Bᵀ is 4×4 cells, one of A·B 6 rows of two vectors.
      const std::size_t tall = p.transposed ? kCells : kRows;
      const std::size_t wide = p.transposed ? kCells : 2 * bench.context().vector_width();
      const std::size_t others = divide_up(columns, wide) * stack;
      const std::size_t most = p.transposed ? kMostRowTiles : divide_up(kEnoughItems, others);
      const std::size_t tiles = divide_up(rows, tall), items = std::min(tiles, most);
      const Steps steps =
          divide_up(tiles, items) * (1 + tile_steps(bench.context(), p)) + panel_steps(bench.context());
      const WorkSize range{cl::NDRange(items, divide_up(columns, wide), stack), cl::NDRange(1, 1, 1), steps};
      if (p.transposed)
        bench.launch("matmul", "matmul_columns", range, a, b, c, sizes...);
      else
        bench.launch("matmul", "matmul_rows", range, a, b, bias, has_bias, c, sizes...);
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
