// Flash attention on a device: rows of a head an item on processors, a tile of them a work-group on GPUs.
#include "core/operations/flash.h"

#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// Of flash.cl and flash_group.cl: rows of an item and of its tiles on processors, items and rows of a group
// on GPUs, zeros behind a row of offsets.
constexpr std::size_t kItemRows = 24, kSumRows = 6, kFlashGroup = 64, kTileRows = 16, kBehind = 64;

constexpr cl_uint kCapped = 1, kByOffset = 2, kBiased = 4, kMasked = 8, kWithOne = 16;

cl_uint what_of(const FlashAttention& op) {
  cl_uint what = 0;
  if (op.cap > 0) what |= kCapped;
  if (op.alibi || op.offsets) what |= kByOffset;
  if (op.bias) what |= kBiased;
  if (op.masked) what |= kMasked;
  if (op.with_one) what |= kWithOne;
  return what;
}

// As the kernels number them. Where there are no keys at all nothing is mixed: zeros.
cl_uint empty_of(EmptyRow choice, std::size_t keys) {
  if (keys == 0) return 0;
  return choice == EmptyRow::nan ? 1 : choice == EmptyRow::uniform ? 2 : 0;
}

std::size_t keys_of_panel(const Context& context) {
  const std::size_t lanes = context.float_lanes();
  return lanes == 16 ? 4 * lanes : 2 * lanes;
}

cl::Buffer runs_of(Workbench& bench, const FlashAttention& op, std::size_t queries, std::size_t keys) {
  std::vector<cl_uint> runs;
  for (std::size_t row = 0; row < queries; ++row) {
    const KeyRange run = run_of(op.masks, {queries, keys, row, 0, op.first});
    runs.push_back(dimension(run.first)), runs.push_back(dimension(run.last));
  }
  return bench.table(runs);
}

// The bias by distance, h×(n + m − 1 + kBehind): of query i and key j at n − 1 − i + j.
std::shared_ptr<DeviceMemory> offset_table(Workbench& bench, const FlashAttention& op, Inputs inputs) {
  const std::size_t heads = inputs[0].stack(), queries = inputs[0].rows(), keys = inputs[1].rows();
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

// One call, and FLASH_ARGUMENTS of flash.cl for it, in their order.
struct Flash {
  Workbench& bench;
  const FlashAttention& op;
  Inputs inputs;
  std::size_t heads, queries, keys, d, c, shared;  // shared: K and V, by the g

  Flash(Workbench& on, const FlashAttention& what, Inputs given)
      : bench(on),
        op(what),
        inputs(given),
        heads(given[0].stack()),
        queries(given[0].rows()),
        keys(given[1].rows()),
        d(given[0].columns()),
        c(given[2].columns()),
        shared(given[1].stack()) {}

  template <class Launch>
  void with_arguments(const Launch& launch) const {
    const FlashInputs at(op);
    const cl::Buffer runs = runs_of(bench, op, queries, keys);
    const auto offsets = what_of(op) & kByOffset ? offset_table(bench, op, inputs) : nullptr;
    const auto buffer = [&](std::size_t input) { return input ? bench.input(inputs[input]) : runs; };
    const auto group = [&](std::size_t input) {
      return dimension(input ? heads / inputs[input].stack() : 1);
    };
    launch(runs, offsets ? offsets->buffer : runs, buffer(at.bias), buffer(at.mask), dimension(queries),
           dimension(keys), dimension(d), dimension(c), dimension(heads / shared), group(at.bias),
           group(at.mask), static_cast<cl_float>(op.scale), static_cast<cl_float>(op.cap), what_of(op),
           empty_of(op.empty_row, keys));
  }

  // Of a processor's item, for each of its keys' panels and its tiles of rows: scores, what the row does to
  // them, and values, lane by lane where something is added; then the rows' ends.
  Steps steps_of_item(std::size_t lanes, std::size_t panel) const {
    const Steps tiles = kItemRows / kSumRows, wide = panel / lanes, vectors = divide_up(c, lanes),
                run = 1 + wide;
    const Steps scores = tiles * (1 + (d + 2) * (1 + run + kSumRows * run));
    const Steps row = kItemRows * wide * (3 + 3 * lanes);
    const Steps values = tiles * kSumRows * (1 + vectors * (1 + panel));
    const Steps looked = op.masked ? kItemRows * (1 + panel) : 0;
    const Steps ends = kItemRows * (6 + d + 2 * c + 4 * lanes);
    const Steps means = op.empty_row == EmptyRow::uniform ? kItemRows * c * keys : 0;
    return divide_up(keys, panel) * (scores + row + values + looked + kItemRows) + ends + means;
  }

  void on_processor(const cl::Buffer& y) const {
    const std::size_t lanes = bench.context().float_lanes(), panel = keys_of_panel(bench.context());
    const std::size_t panels = std::max<std::size_t>(1, divide_up(keys, panel));
    const std::size_t padded = divide_up(c, lanes) * lanes;
    const auto k = bench.scratch(shared * panels * panel * d),
               v = bench.scratch(shared * panels * panel * padded), special = bench.scratch(shared * panels);
    bench.launch("flash", "pack",
                 WorkSize{cl::NDRange(panels, shared), cl::NDRange(1, 1), panel * (2 + d + padded) + d},
                 bench.input(inputs[1]), bench.input(inputs[2]), k->buffer, v->buffer, special->buffer,
                 dimension(keys), dimension(d), dimension(c), dimension(padded));
    const WorkSize range{cl::NDRange(divide_up(queries, kItemRows), heads), cl::NDRange(1, 1),
                         steps_of_item(lanes, panel)};
    with_arguments([&](const auto&... arguments) {
      bench.launch("flash", "flash", range, bench.input(inputs[0]), k->buffer, v->buffer, special->buffer,
                   bench.input(inputs[2]), y, arguments..., dimension(panels), dimension(padded));
    });
  }

  void on_gpu(const cl::Buffer& y) const {
    const Steps steps =
        divide_up(keys, kFlashGroup) * (kTileRows * (d + 3) + 2 * kFlashGroup + 5 * kFlashGroup * kTileRows) +
        kTileRows * (d + 2 * keys);
    const WorkSize range{cl::NDRange(divide_up(queries, kTileRows) * kFlashGroup, heads),
                         cl::NDRange(kFlashGroup, 1), steps};
    with_arguments([&](const auto&... arguments) {
      bench.launch("flash_group", "flash_group", range, bench.input(inputs[0]), bench.input(inputs[1]),
                   bench.input(inputs[2]), y, arguments...);
    });
  }
};

}  // namespace

Tensor compute(Workbench& bench, const FlashAttention& op, Inputs inputs) {
  const Flash flash(bench, op, inputs);
  return bench.compute({flash.heads, flash.queries, flash.c + 1}, [&](const cl::Buffer& y) {
    bench.context().variant().groups ? flash.on_gpu(y) : flash.on_processor(y);
  });
}

template Tensor run(Workbench&, const FlashAttention&, Inputs);

}  // namespace attn::opencl
