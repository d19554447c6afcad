// Bits, tables of what is kept, and of what is added by distance.
#include "core/opencl/flash_scores.h"

#include <algorithm>
#include <numeric>

#include "core/system/error.h"

namespace attn::opencl {
namespace {

// Of each row the others that it keeps, from its start on.
struct Kept {
  std::vector<cl_uint> starts{0}, others = {};

  std::size_t rows() const { return starts.size() - 1; }
  void add(const KeyRuns& runs) {
    for (const KeyRange& run : runs)
      for (std::size_t key = run.first; key < run.last; ++key) others.push_back(static_cast<cl_uint>(key));
    starts.push_back(dimension(others.size()));
  }
  std::size_t longest() const {
    cl_uint most = 0;
    for (std::size_t row = 0; row < rows(); ++row) most = std::max(most, starts[row + 1] - starts[row]);
    return most;
  }
};

// The first `rows` of them.
Kept runs_as_lists(const std::vector<cl_uint>& runs, std::size_t rows) {
  Kept kept;
  for (std::size_t row = 0; row < rows; ++row) kept.add({{runs[2 * row], runs[2 * row + 1]}});
  return kept;
}

// Lists take at most a fourth of the largest memory that the device gives: the host holds them too, and as
// many again where they are transposed. Kernels count in 32 bits.
void check_lists(const Workbench& bench, double pairs) {
  const cl::Device& device = bench.context().device();
  const auto largest = static_cast<double>(device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>());
  const double most = std::min(largest / (4 * sizeof(cl_uint)), 4294967295.0);
  if (pairs <= most) return;
  throw Error(device_name(device) +
                  " has no memory for lists of the keys that these masks leave apart: more than " +
                  std::to_string(static_cast<std::size_t>(most)) +
                  " pairs. Use another device, or masks that leave fewer",
              Fault::device);
}

// By each of the `count` others the rows that keep it.
Kept transposed(const Kept& of, std::size_t count) {
  Kept result;
  result.starts.assign(count + 1, 0), result.others.resize(of.others.size());
  for (const cl_uint other : of.others) ++result.starts[other + 1];
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
  std::vector<cl_uint> next(result.starts.begin(), result.starts.end() - 1);
  for (std::size_t row = 0; row < of.rows(); ++row)
    for (cl_uint i = of.starts[row]; i < of.starts[row + 1]; ++i)
      result.others[next[of.others[i]]++] = static_cast<cl_uint>(row);
  return result;
}

// The starts, and the rows in an order in which those that begin alike, as those of a stride do, are one
// behind the other: they keep much the same, and find it near.
std::vector<cl_uint> rows_of(const Kept& kept) {
  std::vector<cl_uint> order(kept.rows());
  std::iota(order.begin(), order.end(), cl_uint{0});
  std::ranges::stable_sort(order, {}, [&](cl_uint row) {
    return kept.starts[row] < kept.starts[row + 1] ? kept.others[kept.starts[row]] : 0;
  });
  std::vector<cl_uint> rows = kept.starts;
  rows.insert(rows.end(), order.begin(), order.end());
  return rows;
}

}  // namespace

cl_uint what_of(const FlashAttention& op) {
  cl_uint what = 0;
  if (op.cap > 0) what |= kCapped;
  if (op.alibi || op.offsets) what |= kByOffset;
  if (op.bias) what |= kBiased;
  if (op.masked) what |= kMasked;
  if (op.with_one) what |= kWithOne;
  if (op.weights) what |= kWeights;
  return what;
}

KeptTable kept_table(Workbench& bench, const FlashAttention& op, std::size_t queries, std::size_t keys,
                     FlashSide rows) {
  std::vector<cl_uint> runs;
  runs.reserve(2 * queries);
  Kept kept;
  KeptKeys of(op.masks, queries, keys, op.first);
  bool apart = false;
  double pairs = 0;
  for (std::size_t row = 0; row < queries; ++row) {
    const KeyRuns& left = of.of(row);
    runs.push_back(left.empty() ? 0 : dimension(left.front().first));
    runs.push_back(left.empty() ? 0 : dimension(left.back().last));
    pairs += static_cast<double>(size_of(left));
    if (!apart && left.size() < 2) continue;
    check_lists(bench, pairs);
    if (!apart) kept = runs_as_lists(runs, row);
    apart = true;
    kept.add(left);
  }
  KeptTable table{.runs = bench.table(runs)};
  if (!apart) return table;
  if (rows == FlashSide::keys) kept = transposed(kept, keys);
  table.lists = {bench.table(rows_of(kept)), bench.table(kept.others), kept.longest()};
  return table;
}

WideRows wide_rows(Workbench& bench, const Tensor& x) {
  const std::size_t lanes = bench.context().float_lanes(), rows = x.stack() * x.rows();
  const std::size_t columns = divide_up(x.columns(), lanes) * lanes;
  if (columns == x.columns()) return {columns, nullptr, bench.input(x)};
  auto memory = bench.scratch(rows * columns);
  const cl::Buffer buffer = memory->buffer;
  bench.launch_by_number("elementwise", "widen", rows, columns, bench.input(x), buffer,
                         dimension(x.columns()));
  return {columns, std::move(memory), buffer};
}

WorkSize listed_rows(const Workbench& bench, std::size_t rows, std::size_t matrices, Steps steps) {
  constexpr std::size_t kItems = 64;  // of a GPU's group
  const std::size_t group = bench.context().variant().groups ? kItems : 1;
  return {cl::NDRange(divide_up(rows, group) * group, matrices), cl::NDRange(group, 1), steps};
}

Steps tiles_across(Steps vectors, Steps wide) {
  return vectors / wide + divide_up(vectors % wide, 2);
}

Steps steps_of_list(const Workbench& bench, std::size_t others, std::size_t wide) {
  constexpr Steps kLoops = 12;    // of a number of a chunk, at most
  constexpr Steps kMixed = 8;     // of flash_list_row.cl, at most
  constexpr Steps kNarrower = 8;  // tiles of fewer vectors, of two matrices
  const Steps lanes = bench.context().float_lanes(), chunk = 4 * lanes;
  const Steps vectors = divide_up(wide, lanes), tiles = std::min(vectors, vectors / kMixed + kNarrower);
  const Steps each = kLoops + 2 * lanes + vectors + tiles * (1 + kMixed);
  return divide_up(others, chunk) * (chunk * each + 2 * divide_up(wide, lanes));
}

std::shared_ptr<DeviceMemory> offset_table(Workbench& bench, const FlashAttention& op, Inputs inputs) {
  const std::size_t heads = inputs[0].stack(), queries = inputs[0].rows(), keys = inputs[1].rows();
  constexpr std::size_t kBehind = 64;  // zeros behind a row
  const std::size_t columns = queries + keys - 1 + kBehind;
  const std::ptrdiff_t from = 1 - static_cast<std::ptrdiff_t>(queries) - op.first;
  std::vector<cl_uint> indices(op.offsets ? columns : 1);
  for (std::size_t t = 0; op.offsets && t < columns; ++t)
    indices[t] = dimension(index_of(*op.offsets, from + static_cast<std::ptrdiff_t>(t)));
  std::vector<cl_float> slopes(heads);
  for (std::size_t h = 0; op.alibi && h < heads; ++h)
    slopes[h] = static_cast<cl_float>(alibi_slope(h, heads));
  const auto table = bench.scratch(heads * columns);
  const cl::Buffer slope_table = bench.table(slopes);
  const Tensor* numbers = op.offsets ? &inputs[FlashInputs(op).offsets] : nullptr;
  bench.launch_by_number("offset", "offset_table", heads, columns,
                         numbers ? bench.input(*numbers) : slope_table, bench.table(indices), slope_table,
                         table->buffer, cl_uint{numbers != nullptr},
                         dimension(numbers ? heads / numbers->stack() : 1),
                         dimension(numbers ? numbers->columns() : 0), static_cast<cl_long>(from));
  return table;
}

}  // namespace attn::opencl
