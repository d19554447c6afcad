// The way back through flash attention on a device: rows of queries or of keys an item on processors, a tile
// of them a work-group on GPUs; where a query keeps keys apart, a row an item on both.
#include "core/operations/flash_gradient.h"

#include "core/opencl/family.h"
#include "core/opencl/flash_scores.h"

namespace attn::opencl {
namespace {

// Of flash_gradient.cl the most rows of an item (MOST_TALL of flash_tiles.cl), and those whose sums are in
// registers; of flash_gradient_group.cl a group.
constexpr std::size_t kBackRows = 48, kBackSums = 6, kBackTile = 8, kBackGroup = 64;
constexpr std::size_t kPairSteps = 4;    // loops over the lanes of a vector of pairs, at most
constexpr std::size_t kEnoughWays = 16;  // that few rows are divided among

// The side whose rows an item keeps, or the one that goes by: which inputs it is, and how many rows their
// matrices have.
struct FlashSideInputs {
  std::size_t x, z, rows;
};

struct FlashWayBack {
  Workbench& bench;
  const FlashGradient& op;
  Inputs inputs;
  FlashGradientInputs at;
  std::size_t heads, queries, keys, d, c, shared, panel;
  bool of_keys;
  FlashSideInputs rows, lanes;

  FlashWayBack(Workbench& on, const FlashGradient& what, Inputs given)
      : bench(on),
        op(what),
        inputs(given),
        at(what),
        heads(given[0].stack()),
        queries(given[0].rows()),
        keys(given[1].rows()),
        d(given[0].columns()),
        c(given[2].columns()),
        shared(given[1].stack()),
        panel(panel_of(on.context())),
        of_keys(what.of == FlashSide::keys),
        rows{0, at.gradient, queries},
        lanes{1, 2, keys} {
    if (of_keys) std::swap(rows, lanes);
  }

  static std::size_t panel_of(const Context& context) {
    if (context.variant().groups) return kBackGroup;
    return context.tile_vectors() * context.float_lanes();
  }
  const char* family(const KeptTable& kept) const {
    if (kept.lists) return "flash_gradient_lists";
    return bench.context().variant().groups ? "flash_gradient_group" : "flash_gradient";
  }
  std::size_t panels_of(std::size_t count) const { return std::max<std::size_t>(1, divide_up(count, panel)); }
  std::size_t matrices() const { return of_keys ? shared : heads; }
  std::size_t heads_of_row() const { return of_keys ? heads / shared : 1; }

  // GRADIENT_ARGUMENTS of flash_gradient_row.cl, in their order.
  template <class Launch>
  void with_arguments(const KeptTable& kept, const cl::Buffer& y, const Launch& launch) const {
    const FlashAttention& forward = op.forward;
    const std::size_t padded = panels_of(queries) * panel;
    const cl::Buffer& runs = kept.runs;
    const auto ends = bench.scratch(2 * heads * padded), seen = bench.scratch(2 * heads * padded);
    bench.launch_by_number(family(kept), "query_ends", Extent{heads, padded, c},
                           bench.input(inputs[at.result]), bench.input(inputs[at.gradient]), runs,
                           ends->buffer, seen->buffer, dimension(queries), dimension(c),
                           dimension(inputs[at.result].columns()));
    const cl_uint what = what_of(forward);
    const auto offsets = what & kByOffset ? offset_table(bench, forward, inputs) : nullptr;
    const auto buffer = [&](std::size_t input) { return input ? bench.input(inputs[input]) : runs; };
    const auto group = [&](std::size_t input) {
      return dimension(input ? heads / inputs[input].stack() : 1);
    };
    launch(y, ends->buffer, seen->buffer, offsets ? offsets->buffer : runs, buffer(at.bias), buffer(at.mask),
           dimension(heads), dimension(queries), dimension(keys), dimension(d), dimension(c),
           dimension(padded), dimension(heads / shared), group(at.bias), group(at.mask),
           static_cast<cl_float>(forward.scale), static_cast<cl_float>(forward.cap), what, cl_uint{of_keys});
  }

  // Where long loops are left early few at a time.
  std::size_t rows_of_item() const {
    const std::size_t most = bench.context().variant().most_steps == kEndless ? kBackRows : kBackSums;
    const std::size_t shared_out = divide_up(matrices() * rows.rows, kBackSums * kEnoughWays);
    return std::min(most, kBackSums * std::min(shared_out, divide_up(rows.rows, kBackSums)));
  }

  // Of a processor's item, for each panel that goes by: which pairs there are, two products of the rows with
  // it, what they become, and what they add to the sums.
  Steps steps_of_item(std::size_t width, std::size_t panels) const {
    const Steps tall = rows_of_item(), sums = tall / kBackSums, wide = panel / width, run = 1 + wide;
    const Steps each = 2 + run + kBackSums * run;
    const auto product = [&](Steps depth) { return sums * (1 + (depth + 2) * each); };
    const auto mix = [&](Steps columns) {
      return sums * (1 + tiles_across(divide_up(columns, width), wide) * (2 + panel) * each);
    };
    const Steps pairs = panel + tall * (1 + panel) + tall * wide * (1 + kPairSteps * width);
    return heads_of_row() * (1 + panels * (pairs + product(d) + product(c) + mix(d) + mix(c))) +
           tall * (4 + 3 * (d + c));
  }

  // A matrix as lanes.
  struct Laid {
    std::shared_ptr<DeviceMemory> across, along, special;
    std::size_t wide;
  };
  Laid lay(std::size_t input, std::size_t panels) const {
    const Tensor& x = inputs[input];
    const std::size_t width = bench.context().float_lanes(), wide = divide_up(x.columns(), width) * width;
    const std::size_t rows_of_all = x.stack() * panels * panel;
    Laid laid{.across = bench.scratch(rows_of_all * x.columns()),
              .along = bench.scratch(rows_of_all * divide_up(x.columns(), panel) * panel),
              .special = bench.scratch(x.stack() * panels),
              .wide = wide};
    bench.launch(
        "flash_gradient", "lay",
        WorkSize{cl::NDRange(panels, x.stack()), cl::NDRange(1, 1), panel * (2 + x.columns() + 2 * wide)},
        bench.input(x), laid.across->buffer, laid.along->buffer, laid.special->buffer, dimension(x.rows()),
        dimension(x.columns()));
    return laid;
  }

  void on_processor(const KeptTable& kept, const cl::Buffer& y) const {
    const std::size_t width = bench.context().float_lanes();
    const std::size_t panels = panels_of(lanes.rows);
    const Laid x = lay(lanes.x, panels), z = lay(lanes.z, panels);
    const WorkSize range{cl::NDRange(divide_up(rows.rows, rows_of_item()), matrices()), cl::NDRange(1, 1),
                         steps_of_item(width, panels)};
    with_arguments(kept, y, [&](const auto&... arguments) {
      bench.launch("flash_gradient", "flash_back", range, bench.input(inputs[rows.x]),
                   bench.input(inputs[rows.z]), x.across->buffer, z.across->buffer, x.along->buffer,
                   z.along->buffer, x.special->buffer, z.special->buffer, arguments..., dimension(panels),
                   dimension(x.wide), dimension(z.wide), dimension(rows_of_item()));
    });
  }

  void on_gpu(const KeptTable& kept, const cl::Buffer& y) const {
    const Steps tile = kBackTile * (kBackTile + d + c + 2) * 2 + 4 * (d + c) * kBackTile;
    const Steps steps = heads_of_row() * divide_up(lanes.rows, kBackGroup) * tile + kBackTile * (d + c);
    const WorkSize range{cl::NDRange(divide_up(rows.rows, kBackTile) * kBackGroup, matrices()),
                         cl::NDRange(kBackGroup, 1), steps};
    with_arguments(kept, y, [&](const auto&... arguments) {
      bench.launch("flash_gradient_group", "flash_back_group", range, bench.input(inputs[rows.x]),
                   bench.input(inputs[rows.z]), bench.input(inputs[lanes.x]), bench.input(inputs[lanes.z]),
                   arguments...);
    });
  }

  void by_lists(const KeptTable& kept, const cl::Buffer& y) const {
    const WideRows x = wide_rows(bench, inputs[lanes.x]), z = wide_rows(bench, inputs[lanes.z]);
    const Steps steps =
        heads_of_row() * (1 + steps_of_list(bench, kept.lists->longest, x.columns + z.columns)) + 3 * (d + c);
    with_arguments(kept, y, [&](const auto&... arguments) {
      bench.launch("flash_gradient_lists", "flash_back_lists",
                   listed_rows(bench, rows.rows, matrices(), steps), bench.input(inputs[rows.x]),
                   bench.input(inputs[rows.z]), x.buffer, z.buffer, kept.lists->rows, kept.lists->others,
                   arguments..., dimension(x.columns), dimension(z.columns));
    });
  }
};

}  // namespace

Tensor compute(Workbench& bench, const FlashGradient& op, Inputs inputs) {
  const FlashWayBack back(bench, op, inputs);
  const Shape shape{back.matrices(), back.rows.rows, back.of_keys ? back.d + back.c : back.d};
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const KeptTable kept = kept_table(bench, op.forward, back.queries, back.keys, op.of);
    if (kept.lists)
      back.by_lists(kept, y);
    else
      bench.context().variant().groups ? back.on_gpu(kept, y) : back.on_processor(kept, y);
  });
}

template Tensor run(Workbench&, const FlashGradient&, Inputs);

}  // namespace attn::opencl
