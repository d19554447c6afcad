// The shape whose cost is counted: what it may be, and which keys its queries reach.
#include "core/cost/cost.h"

#include <algorithm>
#include <cmath>

#include "core/system/error.h"

namespace attn {
namespace {

void check_range(std::string_view what, std::size_t number, std::size_t most, std::size_t least = 1) {
  if (number >= least && number <= most) return;
  throw Error(std::string(what) + " " + std::to_string(number) +
                  (number < least ? " is too few" : " is too large to count") + ": take " +
                  std::to_string(least) + " to " + std::to_string(most),
              Fault::option);
}

// "4, 6 or 8": the divisors of `whole` around `wish`.
std::string divisors_near(std::size_t whole, std::size_t wish) {
  std::size_t below = std::min(wish, whole), above = std::min(wish, whole);
  while (whole % below != 0) --below;
  while (whole % above != 0) ++above;
  return below == above ? std::to_string(below) : std::to_string(below) + " or " + std::to_string(above);
}

// Σ min(i, w) over i < count.
Count sum_of_least(std::size_t count, std::size_t w) {
  const Count rising = std::min(count, w);
  return rising * (rising > 0 ? rising - 1 : 0) / 2 + (count - rising) * w;
}

// Σ ⌊i/l⌋ over i < count.
Count sum_of_quotients(std::size_t count, std::size_t l) {
  const Count whole = count / l, rest = count % l;
  return l * (whole * (whole > 0 ? whole - 1 : 0) / 2) + rest * whole;
}

std::size_t stride_of(const CostSpec& spec) {
  if (spec.mechanism.reach > 0) return spec.mechanism.reach;
  const std::size_t m = spec.keys();
  auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(m)));
  while (root * root >= m) --root;
  while (root * root < m) ++root;
  return root;
}

// Of the keys at least a stride before the first query, those a whole number of strides before some query.
std::size_t far_keys(const CostSpec& spec, std::size_t stride) {
  if (spec.past < stride) return 0;
  const std::size_t far = spec.past - stride + 1;  // at distances stride … past from the first query
  if (spec.n >= stride) return far;
  // Of each stride's distances the first and the last n − 1 are met.
  const std::size_t rest = far % stride;
  return far / stride * spec.n + std::min<std::size_t>(rest, 1) +
         (rest + spec.n > stride + 1 ? rest + spec.n - stride - 1 : 0);
}

}  // namespace

std::size_t bytes_of(StoredFormat format) {
  switch (format) {
    case StoredFormat::float32:
      return 4;
    case StoredFormat::float16:
    case StoredFormat::bfloat16:
      return 2;
    case StoredFormat::int8:
      return 1;
  }
  return 0;
}

std::string word_of(const Mechanism& mechanism) {
  std::string word(kMechanismWords[static_cast<std::size_t>(mechanism.kind)]);
  const bool told = mechanism.kind == MechanismKind::window ||
                    (mechanism.kind == MechanismKind::strided && mechanism.reach > 0);
  return told ? word + ":" + std::to_string(mechanism.reach) : word;
}

void check_cost(const CostSpec& spec) {
  check_range("n", spec.n, kMostCostTokens);
  check_range("the past", spec.past, kMostCostTokens, 0);
  check_range("d", spec.d, kMostCostWidth);
  check_range("heads", spec.heads, spec.d);
  check_range("key/value heads", spec.kv_heads, spec.heads);
  check_range("layers", spec.layers, kMostCostLayers);
  check_range("batch", spec.batch, kMostCostBatch);
  check_range("the feed-forward width", spec.inner_width(), kMostCostInner);
  check_range("the window or stride", spec.mechanism.reach, kMostCostTokens, 0);
  if (spec.d % spec.heads != 0)
    throw Error("d " + std::to_string(spec.d) + " is not divisible by " + std::to_string(spec.heads) +
                    " heads: use " + divisors_near(spec.d, spec.heads) + " heads",
                Fault::option);
  if (spec.heads % spec.kv_heads != 0)
    throw Error(std::to_string(spec.heads) + " heads cannot share " + std::to_string(spec.kv_heads) +
                    " key/value heads evenly: use " + divisors_near(spec.heads, spec.kv_heads),
                Fault::option);
}

Count attended_pairs(const CostSpec& spec) {
  const std::size_t m = spec.keys(), n = spec.n, past = spec.past;
  if (spec.mechanism.kind == MechanismKind::window) {
    const std::size_t w = spec.mechanism.reach;
    const Count before = sum_of_least(m, w) - sum_of_least(past, w);
    return before + n + (spec.causal ? 0 : sum_of_least(n, w));
  }
  if (spec.mechanism.kind == MechanismKind::strided) {
    const std::size_t l = stride_of(spec);
    const Count near = sum_of_least(m, l - 1) - sum_of_least(past, l - 1);  // at distances 1 … l − 1
    const Count far = sum_of_quotients(m, l) - sum_of_quotients(past, l);
    return near + far + n + (spec.causal ? 0 : sum_of_quotients(n, l));
  }
  return Count{n} * m;
}

std::size_t reached_keys(const CostSpec& spec) {
  if (spec.mechanism.kind == MechanismKind::window) return spec.n + std::min(spec.past, spec.mechanism.reach);
  if (spec.mechanism.kind == MechanismKind::strided) {
    const std::size_t stride = stride_of(spec);
    return spec.n + std::min(spec.past, stride - 1) + far_keys(spec, stride);
  }
  return spec.keys();
}

}  // namespace attn
