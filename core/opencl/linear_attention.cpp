// Linear attention on a device, there and back: states of parts of the keys, running sums over them, and rows
// of queries times a state, which is carried from row to row where rows see different keys.
#include "core/operations/linear_attention.h"

#include <numeric>

#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// As linear_attention.cl and linear_attention_group.cl have them.
constexpr cl_uint kDivide = 1, kBackwards = 2;
constexpr std::size_t kStateRows = 6, kStateBlock = 64, kStateTall = 48, kStateChunk = 256, kColumnGroup = 64;
// Rows of a part, at most where loops end early: where a state is carried, roundings add up no further.
constexpr std::size_t kLeastPart = 64, kMostPart = 512, kShortPart = 16;
constexpr std::size_t kItemsOfUnit = 4;  // that few parts for each compute unit

// Y[x] = Σ (a_x · b_y) c_y over the rows y that row x sees. MIX_ARGUMENTS of linear_attention_row.cl.
struct Mix {
  cl::Buffer a, b, c;
  std::size_t matrices, rows, shared, count, p, w;
  std::vector<cl_uint> seen;  // of count, by row; never fewer
  cl_uint what = 0;
  std::size_t y_width, y_first = 0;

  std::size_t valid() const { return seen.empty() ? 0 : seen.back(); }
  bool all_alike() const { return seen.empty() || seen.front() == seen.back(); }
};

struct States {
  std::shared_ptr<DeviceMemory> numbers;
  std::size_t deep, wide, part, parts;
  std::size_t size() const { return deep * (wide + 1); }
};

struct LinearBench {
  Workbench& bench;
  bool groups = bench.context().variant().groups;
  std::size_t lanes = bench.context().float_lanes();
  const char* family = groups ? "linear_attention_group" : "linear_attention";

  std::size_t wide_of(std::size_t columns) const {
    return groups ? columns : divide_up(columns, lanes) * lanes;
  }
  bool endless() const { return bench.context().variant().most_steps == kEndless; }
  // Rows of a part, where each of the matrices has so many.
  std::size_t part_of(std::size_t rows, std::size_t matrices) const {
    const std::size_t items = kItemsOfUnit * bench.context().device().getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    const std::size_t parts = std::max<std::size_t>(1, divide_up(items, std::max<std::size_t>(1, matrices)));
    return endless() ? std::clamp(divide_up(rows, parts), kLeastPart, kMostPart) : kShortPart;
  }

  // Rows of C as wide as processors want them.
  std::shared_ptr<DeviceMemory> widened(const Tensor& x) const {
    const std::size_t rows = x.stack() * x.rows(), wide = wide_of(x.columns());
    if (wide == x.columns()) return nullptr;
    auto laid = bench.scratch(rows * wide);
    if (rows > 0)
      bench.launch_by_number("elementwise", "widen", rows, wide, bench.input(x), laid->buffer,
                             dimension(x.columns()));
    return laid;
  }

  // Of the first `valid` rows of B and C; C's lie `wide` apart.
  States states_of(const Mix& mix, std::size_t valid) const {
    States s{.numbers = nullptr,
             .deep = groups ? std::max<std::size_t>(1, mix.p)
                            : std::max<std::size_t>(1, divide_up(mix.p, kStateRows)) * kStateRows,
             .wide = wide_of(mix.w),
             .part = part_of(valid, mix.shared),
             .parts = 0};
    s.parts = std::max<std::size_t>(1, divide_up(valid, s.part));
    s.numbers = bench.scratch(mix.shared * (s.parts + 1) * s.size());
    const auto sum = [&](const char* kernel, const WorkSize& range) {
      bench.launch(family, kernel, range, mix.b, mix.c, s.numbers->buffer, dimension(mix.count),
                   dimension(mix.p), dimension(s.deep), dimension(s.wide), dimension(valid),
                   dimension(s.part), dimension(s.parts));
    };
    const Steps blocks = divide_up(s.part, kStateBlock), chunks = divide_up(s.deep, kStateTall),
                used = std::min(s.part, kStateBlock), tall = std::min(s.deep, kStateTall);
    if (groups)
      sum("sum_part_group",
          {cl::NDRange(divide_up(s.wide + 1, kColumnGroup) * kColumnGroup, s.parts, mix.shared),
           cl::NDRange(kColumnGroup, 1, 1), s.deep * (1 + s.part)});
    else
      sum("sum_part", {cl::NDRange(s.parts, mix.shared), cl::NDRange(1, 1),
                       s.size() + blocks * chunks *
                                      (1 + tall * (2 + used) +
                                       tall / kStateRows * (1 + s.wide / lanes) * tile_steps(used))});
    bench.launch_by_number(family, "run_up", Extent{mix.shared, s.size(), s.parts + 1}, s.numbers->buffer,
                           dimension(s.parts));
    return s;
  }

  // Of a tile of sums to which so many products are added.
  Steps tile_steps(Steps count) const { return 3 * kStateRows * (1 + 4) + count * (5 + kStateRows * 5); }

  void add(const Mix& mix, const cl::Buffer& y) const {
    if (mix.w == 0 && !(mix.what & kDivide)) return;
    const States s = states_of(mix, mix.valid());
    const cl::Buffer seen = bench.table(mix.seen);
    const bool carried = groups || !mix.all_alike();
    const std::size_t tall = carried ? part_of(mix.rows, mix.matrices) : endless() ? kStateTall : kShortPart;
    const std::size_t blocks = divide_up(mix.rows, tall);
    const auto own = bench.scratch(carried ? mix.matrices * blocks * s.size() : 1);
    const auto launch = [&](const char* kernel, const WorkSize& range) {
      bench.launch(family, kernel, range, mix.a, mix.b, mix.c, seen, s.numbers->buffer, own->buffer, y,
                   dimension(mix.rows), dimension(mix.count), dimension(mix.p), dimension(mix.w),
                   dimension(s.deep), dimension(s.wide), dimension(mix.valid()), dimension(s.part),
                   dimension(s.parts), dimension(tall), dimension(mix.matrices / mix.shared),
                   dimension(mix.y_width), dimension(mix.y_first), mix.what);
    };
    if (groups) {
      launch("mix_group",
             {cl::NDRange(divide_up(s.wide + 1, kColumnGroup) * kColumnGroup, blocks, mix.matrices),
              cl::NDRange(kColumnGroup, 1, 1),
              mix.p + tall * (1 + 2 * mix.p) + taken(mix, s, tall) * (1 + mix.p)});
      if (mix.what & kDivide)
        bench.launch_by_number(family, "divide", Extent{mix.matrices * mix.rows, 1, mix.p + mix.w}, mix.a,
                               seen, y, dimension(mix.rows), dimension(mix.p), dimension(mix.w));
      return;
    }
    const WorkSize range{cl::NDRange(blocks, mix.matrices), cl::NDRange(1, 1), 0};
    const Steps vectors = 1 + s.wide / lanes, begin = 2 * mix.p + 4 * lanes;
    const Steps tile = tile_steps(mix.p) + divide_up(mix.p, kStateChunk) * (2 + kStateRows) * (1 + mix.p);
    if (!carried)
      launch("mix_all",
             {range.global, range.local,
              tall * (3 + begin) + divide_up(tall, kStateRows) * vectors * (tile + 4 * kStateRows)});
    else
      launch("mix_run", {range.global, range.local,
                         s.size() + tall * (begin + vectors * (5 + 5 * mix.p) + s.wide) +
                             taken(mix, s, tall) * (1 + mix.p + vectors * (4 + 5 * mix.p))});
  }

  // Rows of B and C that a block takes into its state at most.
  static std::size_t taken(const Mix& mix, const States& s, std::size_t tall) {
    std::size_t most = 0;
    for (std::size_t first = 0; first < mix.rows; first += tall)
      most = std::max<std::size_t>(most,
                                   mix.seen[std::min(first + tall, mix.rows) - 1] - mix.seen[first] + s.part);
    return most;
  }

  // A matrix in the order and width of the way back: `layers` matrices become one.
  std::shared_ptr<DeviceMemory> laid(const Tensor& x, std::size_t wide, std::size_t layers, cl_uint what,
                                     float behind = 0) const {
    const std::size_t rows = x.stack() * x.rows();
    auto to = bench.scratch(std::max<std::size_t>(1, rows * wide));
    if (rows > 0)
      bench.launch_by_number(family, "lay_matrix", Extent{rows, 1, wide}, bench.input(x), to->buffer,
                             dimension(x.rows()), dimension(x.columns()), dimension(wide), behind,
                             dimension(layers), what);
    return to;
  }
};

// By query.
std::vector<cl_uint> keys_seen_by(const LinearAttention& op, std::size_t queries, std::size_t keys) {
  std::vector<cl_uint> seen;
  for (std::size_t i = 0; i < queries; ++i) seen.push_back(dimension(keys_seen(op, i, queries, keys)));
  return seen;
}

// From the last key on: how many queries see it, of those that take turns in `layers` heads.
std::vector<cl_uint> queries_that_see(const std::vector<cl_uint>& seen, std::size_t keys,
                                      std::size_t layers) {
  std::vector<cl_uint> counts;
  std::size_t first = seen.size();
  for (std::size_t key = keys; key-- > 0;) {
    while (first > 0 && seen[first - 1] > key) --first;
    counts.push_back(dimension((seen.size() - first) * layers));
  }
  return counts;
}

struct LinearWayBack : LinearBench {
  const LinearGradient& op;
  Inputs inputs;
  std::size_t heads = inputs[0].stack(), queries = inputs[0].rows(), shared = inputs[1].stack(),
              keys = inputs[1].rows(), r = inputs[0].columns(), c = inputs[2].columns(),
              layers = heads / shared;
  std::vector<cl_uint> seen = keys_seen_by(op.forward, queries, keys);

  std::shared_ptr<DeviceMemory> laid_gradient(std::size_t wide, std::size_t of, cl_uint what) const {
    auto to = bench.scratch(std::max<std::size_t>(1, heads * queries * wide));
    if (heads * queries > 0)
      bench.launch_by_number(family, "lay_gradient", Extent{heads * queries, 1, c + wide},
                             bench.input(inputs[3]), bench.input(inputs[4]), bench.table(seen), to->buffer,
                             dimension(queries), dimension(c), dimension(wide), dimension(of), what);
    return to;
  }

  void to_queries(const cl::Buffer& y) const {
    const auto a = laid_gradient(c + 1, 1, 0), b = laid(inputs[2], c + 1, 1, 0, 1),
               k = laid(inputs[1], wide_of(r), 1, 0);
    add({.a = a->buffer,
         .b = b->buffer,
         .c = k->buffer,
         .matrices = heads,
         .rows = queries,
         .shared = shared,
         .count = keys,
         .p = c + 1,
         .w = r,
         .seen = seen,
         .y_width = r},
        y);
  }

  // Everything from the last row on, so that keys see the first queries.
  void to_keys(const cl::Buffer& y) const {
    Mix mix{.a = {},
            .b = {},
            .c = {},
            .matrices = shared,
            .rows = keys,
            .shared = shared,
            .count = queries * layers,
            .p = c + 1,
            .w = r,
            .seen = queries_that_see(seen, keys, layers),
            .what = kBackwards,
            .y_width = r + c};
    const auto values = laid(inputs[2], c + 1, 1, kBackwards, 1),
               gradients = laid_gradient(c + 1, layers, kBackwards),
               wide_queries = laid(inputs[0], wide_of(r), layers, kBackwards);
    mix.a = values->buffer, mix.b = gradients->buffer, mix.c = wide_queries->buffer;
    add(mix, y);
    const auto of_keys = laid(inputs[1], r, 1, kBackwards),
               of_queries = laid(inputs[0], r, layers, kBackwards),
               wide_gradients = laid_gradient(wide_of(c), layers, kBackwards);
    mix.a = of_keys->buffer, mix.b = of_queries->buffer, mix.c = wide_gradients->buffer;
    mix.p = r, mix.w = c, mix.y_first = r;
    add(mix, y);
  }
};

}  // namespace

Tensor compute(Workbench& bench, const LinearAttention& op, Inputs inputs) {
  const LinearBench linear{bench};
  const Tensor &q = inputs[0], &k = inputs[1], &v = inputs[2];
  return bench.compute({q.stack(), q.rows(), v.columns() + 1}, [&](const cl::Buffer& y) {
    const auto wide = linear.widened(v);
    linear.add({.a = bench.input(q),
                .b = bench.input(k),
                .c = wide ? wide->buffer : bench.input(v),
                .matrices = q.stack(),
                .rows = q.rows(),
                .shared = k.stack(),
                .count = k.rows(),
                .p = q.columns(),
                .w = v.columns(),
                .seen = keys_seen_by(op, q.rows(), k.rows()),
                .what = kDivide,
                .y_width = v.columns() + 1},
               y);
  });
}

Tensor compute(Workbench& bench, const LinearState& op, Inputs inputs) {
  const LinearBench linear{bench};
  const Tensor &k = inputs[0], &v = inputs[1];
  const std::size_t r = k.columns(), columns = v.columns() + 1;
  return bench.compute({k.stack(), r, columns}, [&](const cl::Buffer& y) {
    const auto wide = linear.widened(v);
    const States states = linear.states_of({.a = {},
                                            .b = bench.input(k),
                                            .c = wide ? wide->buffer : bench.input(v),
                                            .matrices = 0,
                                            .rows = 0,
                                            .shared = k.stack(),
                                            .count = k.rows(),
                                            .p = r,
                                            .w = v.columns(),
                                            .seen = {},
                                            .y_width = 0},
                                           op.keys);
    bench.launch_by_number(linear.family, "take_state", k.stack() * r, columns, states.numbers->buffer, y,
                           dimension(r), dimension(states.deep), dimension(states.wide),
                           dimension(states.parts));
  });
}

Tensor compute(Workbench& bench, const LinearGradient& op, Inputs inputs) {
  const LinearWayBack back{{bench}, op, inputs};
  if (op.of == LinearSide::queries)
    return bench.compute({back.heads, back.queries, back.r},
                         [&](const cl::Buffer& y) { back.to_queries(y); });
  return bench.compute({back.shared, back.keys, back.r + back.c},
                       [&](const cl::Buffer& y) { back.to_keys(y); });
}

template Tensor run(Workbench&, const LinearAttention&, Inputs);
template Tensor run(Workbench&, const LinearState&, Inputs);
template Tensor run(Workbench&, const LinearGradient&, Inputs);

}  // namespace attn::opencl
