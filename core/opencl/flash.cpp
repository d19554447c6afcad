// Flash attention on a device: rows of a head an item on processors, a tile of them a work-group on GPUs;
// where a query keeps keys apart, a row an item on both.
#include "core/operations/flash.h"

#include "core/opencl/family.h"
#include "core/opencl/flash_scores.h"
#include "core/opencl/flash_tiles.h"
#include "core/system/error.h"

namespace attn::opencl {
namespace {

constexpr std::size_t kSumRows = 6;  // of tile.cl, rows whose sums are in registers

// As the kernels number them. Where there are no keys at all nothing is mixed: zeros.
cl_uint empty_of(EmptyRow choice, std::size_t keys) {
  if (keys == 0) return 0;
  return choice == EmptyRow::nan ? 1 : choice == EmptyRow::uniform ? 2 : 0;
}

std::size_t keys_of_panel(const Context& context) {
  return context.tile_vectors() * context.float_lanes();
}

FlashTiles tiles_of(const Context& context, const FlashAttention& op) {
  if (!op.tiles) return flash_tiles(context.variant());
  if (!flash_choice(context.variant()).has(*op.tiles))
    throw Error(device_name(context.device()) + " has no flash attention in tiles of " + to_text(*op.tiles),
                Fault::device);
  return *op.tiles;
}

// One call, and FLASH_ARGUMENTS of flash.cl for it, in their order.
struct Flash {
  Workbench& bench;
  const FlashAttention& op;
  Inputs inputs;
  FlashTiles tiles;
  std::size_t heads, queries, keys, d, c, shared;  // shared: K and V, by the g

  Flash(Workbench& on, const FlashAttention& what, Inputs given)
      : bench(on),
        op(what),
        inputs(given),
        tiles(tiles_of(on.context(), what)),
        heads(given[0].stack()),
        queries(given[0].rows()),
        keys(given[1].rows()),
        d(given[0].columns()),
        c(given[2].columns()),
        shared(given[1].stack()) {}

  template <class Launch>
  void with_arguments(const cl::Buffer& runs, const Launch& launch) const {
    const FlashInputs at(op);
    const auto offsets = what_of(op) & kByOffset ? offset_table(bench, op, inputs) : nullptr;
    const auto tops = op.weights ? bench.scratch(heads * queries * divide_up(keys, tiles.keys)) : nullptr;
    const auto buffer = [&](std::size_t input) { return input ? bench.input(inputs[input]) : runs; };
    const auto group = [&](std::size_t input) {
      return dimension(input ? heads / inputs[input].stack() : 1);
    };
    launch(runs, offsets ? offsets->buffer : runs, buffer(at.bias), buffer(at.mask),
           tops ? tops->buffer : runs, dimension(queries), dimension(keys), dimension(d), dimension(c),
           dimension(heads / shared), group(at.bias), group(at.mask), static_cast<cl_float>(op.scale),
           static_cast<cl_float>(op.cap), what_of(op), empty_of(op.empty_row, keys));
  }

  // Of a processor's item, for each of its keys' panels and its tiles of rows: scores, what the row does to
  // them, lane by lane where keys may be hidden, values, and weights, the second time in vectors; for each
  // tile the largest scores; then the rows' ends, and the last keys' biases and masks, lane by lane.
  Steps steps_of_item(std::size_t lanes, std::size_t panel) const {
    const Steps sums = divide_up(std::min(tiles.rows, queries), kSumRows), tall = sums * kSumRows;
    const Steps wide = panel / lanes, run = 1 + wide;
    const Steps product = 2 + run + kSumRows * run;
    const Steps scores = sums * (2 + (d + 2) * product);
    const Steps row = tall * wide * (2 + 2 * lanes);
    const Steps values = sums * (1 + tiles_across(divide_up(c, lanes), wide) * (2 + panel) * product);
    const Steps looked = op.masked ? tall * (1 + panel) : 0;
    const Steps kept = op.weights ? tall * (2 + panel + wide + lanes) : 0;
    const Steps largest = divide_up(keys, tiles.keys) * tall * 2 * lanes;
    const Steps ends = tall * (14 + d + 2 * c + 7 * lanes);
    const Steps means = op.empty_row == EmptyRow::uniform ? tall * c * keys : 0;
    return divide_up(keys, panel) * (scores + row + values + looked + kept + tall) + largest + ends + means;
  }

  void on_processor(const cl::Buffer& runs, const cl::Buffer& y) const {
    const std::size_t lanes = bench.context().float_lanes(), panel = keys_of_panel(bench.context());
    const std::size_t panels = std::max<std::size_t>(1, divide_up(keys, panel));
    const std::size_t padded = divide_up(c, lanes) * lanes, laid = shared * panels * panel;
    const auto k = bench.scratch(laid * d), v = bench.scratch(laid * divide_up(c, panel) * panel),
               special = bench.scratch(shared * panels);
    bench.launch("flash", "pack",
                 WorkSize{cl::NDRange(panels, shared), cl::NDRange(1, 1), panel * (2 + d + padded) + d},
                 bench.input(inputs[1]), bench.input(inputs[2]), k->buffer, v->buffer, special->buffer,
                 dimension(keys), dimension(d), dimension(c));
    const WorkSize range{cl::NDRange(divide_up(queries, tiles.rows), heads), cl::NDRange(1, 1),
                         steps_of_item(lanes, panel)};
    with_arguments(runs, [&](const auto&... arguments) {
      bench.launch("flash", "flash", range, bench.input(inputs[0]), k->buffer, v->buffer, special->buffer,
                   bench.input(inputs[2]), y, arguments..., dimension(panels), dimension(padded),
                   dimension(tiles.rows), dimension(tiles.keys));
    });
  }

  void on_gpu(const cl::Buffer& runs, const cl::Buffer& y) const {
    const auto [rows, group] = tiles;
    const Steps steps =
        divide_up(keys, group) * (rows * (d + 5) + 2 * group + 5 * group * rows) + rows * (d + 2 * keys);
    const WorkSize range{cl::NDRange(divide_up(queries, rows) * group, heads), cl::NDRange(group, 1), steps};
    with_arguments(runs, [&](const auto&... arguments) {
      bench.launch("flash_group", "flash_group", range, bench.input(inputs[0]), bench.input(inputs[1]),
                   bench.input(inputs[2]), y, arguments...);
    });
  }

  void by_lists(const KeptTable& kept, const cl::Buffer& y) const {
    const WideRows k = wide_rows(bench, inputs[1]), v = wide_rows(bench, inputs[2]);
    const std::size_t every = op.empty_row == EmptyRow::uniform ? c : 0;
    const Steps steps = steps_of_list(bench, kept.lists->longest, k.columns + v.columns) + 2 * (d + c) +
                        keys * (every + (op.weights ? 3 : 0));
    with_arguments(kept.runs, [&](const auto&... arguments) {
      bench.launch("flash_lists", "flash_lists", listed_rows(bench, queries, heads, steps),
                   bench.input(inputs[0]), k.buffer, v.buffer, bench.input(inputs[2]), y, kept.lists->rows,
                   kept.lists->others, arguments..., dimension(k.columns), dimension(v.columns));
    });
  }
};

}  // namespace

Tensor compute(Workbench& bench, const FlashAttention& op, Inputs inputs) {
  const Flash flash(bench, op, inputs);
  const std::size_t columns = flash.c + 1 + (op.weights ? flash.keys : 0);
  return bench.compute({flash.heads, flash.queries, columns}, [&](const cl::Buffer& y) {
    const KeptTable kept = kept_table(bench, op, flash.queries, flash.keys);
    if (kept.lists)
      flash.by_lists(kept, y);
    else
      bench.context().variant().groups ? flash.on_gpu(kept.runs, y) : flash.on_processor(kept.runs, y);
  });
}

template Tensor run(Workbench&, const FlashAttention&, Inputs);

}  // namespace attn::opencl
