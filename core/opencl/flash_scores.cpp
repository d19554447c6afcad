// Bits, runs of keys, and a table of what is added by distance.
#include "core/opencl/flash_scores.h"

namespace attn::opencl {

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

cl::Buffer runs_of(Workbench& bench, const FlashAttention& op, std::size_t queries, std::size_t keys) {
  std::vector<cl_uint> runs;
  for (std::size_t row = 0; row < queries; ++row) {
    const KeyRange run = run_of(op.masks, {queries, keys, row, 0, op.first});
    runs.push_back(dimension(run.first)), runs.push_back(dimension(run.last));
  }
  return bench.table(runs);
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
