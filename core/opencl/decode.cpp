// Decoding on a device: rows put into a cache, in place where the result is to be there; one query's
// attention in shares of the keys, on processors an item each, on GPUs a work-group, and then joined.
#include "core/operations/decode.h"

#include "core/opencl/family.h"
#include "core/opencl/flash_scores.h"

namespace attn::opencl {
namespace {

constexpr std::size_t kKeysOfDecode = 64;  // of both kernels
constexpr std::size_t kLineOfDecode = 16;  // floats that are asked for at once
constexpr std::size_t kSplitsOfUnit = 2;   // that few shares of the keys for each compute unit

const char* decode_family(const Context& context) {
  return context.variant().groups ? "decode_group" : "decode";
}

std::size_t splits_of(const Context& context, const CachedAttention& op, std::size_t matrices,
                      std::size_t keys) {
  if (op.splits > 0) return op.splits;
  const std::size_t items = kSplitsOfUnit * context.device().getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  return std::clamp<std::size_t>(divide_up(items, matrices), 1,
                                 std::max<std::size_t>(1, divide_up(keys, kKeysOfDecode)));
}

}  // namespace

Tensor compute(Workbench& bench, const PutRows&, Inputs inputs) {
  const Tensor &x = inputs[0], &rows = inputs[1];
  return bench.compute(x.shape(), [&](const cl::Buffer& y) {
    const cl::Buffer cache = bench.input(x);
    if (cache() != y()) bench.copy(cache, y, 0, x.shape().size() * sizeof(float));
    if (rows.shape().size() == 0) return;
    bench.launch_by_number(decode_family(bench.context()), "put_rows", rows.stack() * rows.rows(),
                           rows.columns(), bench.input(rows), bench.input(inputs[kPutPlace]), y,
                           dimension(x.rows()), dimension(rows.rows()));
  });
}

Tensor compute(Workbench& bench, const CachedAttention& op, Inputs inputs) {
  const std::size_t heads = inputs[0].stack(), d = inputs[0].columns(), shared = inputs[1].stack(),
                    keys = inputs[1].rows(), c = inputs[2].columns(), group = heads / shared;
  const bool groups = bench.context().variant().groups;
  const std::size_t matrices = groups ? heads : shared;
  const std::size_t splits = splits_of(bench.context(), op, matrices, keys);
  const FlashAttention flash = as_flash(op, keys, 0);
  std::vector<cl_float> slopes(heads);
  for (std::size_t h = 0; op.alibi && h < heads; ++h)
    slopes[h] = static_cast<cl_float>(alibi_slope(h, heads));
  const Steps blocks = divide_up(divide_up(keys, splits), kKeysOfDecode);
  const Steps steps = groups
                          ? blocks * (kKeysOfDecode * (d + c + 3) + 2 * d) + d + c
                          : blocks * group * (kKeysOfDecode * (d + c + divide_up(c, kLineOfDecode) + 4) + d) +
                                group * c + kKeysOfDecode;
  const std::size_t wide = groups ? kKeysOfDecode : 1;  // items of a work-group
  return bench.compute({heads, 1, c + 1}, [&](const cl::Buffer& y) {
    const auto parts = bench.scratch(heads * splits * (c + 2));
    const char* const family = decode_family(bench.context());
    bench.launch(family, groups ? "attend_part_group" : "attend_part",
                 WorkSize{cl::NDRange(splits * wide, matrices), cl::NDRange(wide, 1), steps},
                 bench.input(inputs[0]), bench.input(inputs[1]), bench.input(inputs[2]),
                 bench.input(inputs[kCachedPlace]), bench.table(slopes), parts->buffer, dimension(keys),
                 dimension(d), dimension(c), dimension(group),
                 dimension(op.window ? std::min(*op.window, keys) + 1 : keys),
                 static_cast<cl_float>(op.scale), static_cast<cl_float>(op.cap), what_of(flash));
    bench.launch_by_number(family, "join_parts", Extent{heads, c + 1, 2 * splits}, parts->buffer, y,
                           dimension(splits), what_of(flash));
  });
}

template Tensor run(Workbench&, const PutRows&, Inputs);
template Tensor run(Workbench&, const CachedAttention&, Inputs);

}  // namespace attn::opencl
