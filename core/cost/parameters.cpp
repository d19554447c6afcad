// Parameters and the cache of keys and values.
#include "core/cost/parameters.h"

#include <algorithm>

namespace attn {
namespace {

constexpr CostFactor kTwo{"2", 2};

CostTerm with_format(const CostSpec& spec, CostTerm term) {
  term.factors.push_back({"size", bytes_of(spec.format)});
  return term;
}

// Of every sequence.
Quantity kept(const CostSpec& spec, CostTerm term) {
  if (spec.batch > 1) term.factors.push_back({"batch", spec.batch});
  return {{with_format(spec, std::move(term))}};
}

}  // namespace

Parameters parameters(const CostSpec& spec) {
  check_cost(spec);
  const CostFactor d{"d", spec.d}, f{"f", spec.inner_width()}, d_k{"d_k", spec.head_width()};
  const CostFactor h_kv{spec.kv_heads == spec.heads ? "h" : "h_kv", spec.kv_heads};
  const bool biased = spec.biases == Biases::all;
  Parameters result;
  if (spec.mechanism.kind == MechanismKind::recurrent) {
    result.attention.terms = {{"W_x, W_h", {kTwo, d, d}}};
    if (biased) result.attention.terms.push_back({"bias", {d}});
  } else {
    if (spec.kv_heads == spec.heads)
      result.attention.terms = {{"W_Q, W_K, W_V, W_O", {{"4", 4}, d, d}}};
    else
      result.attention.terms = {{"W_Q, W_O", {kTwo, d, d}}, {"W_K, W_V", {kTwo, d, h_kv, d_k}}};
    if (biased) {
      result.attention.terms.push_back({"biases of Q and the output", {kTwo, d}});
      result.attention.terms.push_back({"biases of K and V", {kTwo, h_kv, d_k}});
    }
  }
  result.feed_forward.terms = {spec.gated ? CostTerm{"W₁, W₂, W₃", {{"3", 3}, d, f}}
                                          : CostTerm{"W₁, W₂", {kTwo, d, f}}};
  if (spec.biases != Biases::none) {
    const CostFactor inner = spec.gated ? CostFactor{"2·f", 2 * f.value} : f;
    result.feed_forward.terms.push_back({"inner biases", {inner}});
    result.feed_forward.terms.push_back({"outer biases", {d}});
  }
  return result;
}

Quantity cache_per_token(const CostSpec& spec) {
  check_cost(spec);
  const MechanismKind kind = spec.mechanism.kind;
  if (kind == MechanismKind::linear || kind == MechanismKind::recurrent) return {};
  const CostFactor h_kv{spec.kv_heads == spec.heads ? "h" : "h_kv", spec.kv_heads};
  return {{with_format(
      spec, {"keys and values", {kTwo, {"layers", spec.layers}, h_kv, {"d_k", spec.head_width()}}})}};
}

Quantity cache_of(const CostSpec& spec, std::size_t tokens) {
  check_cost(spec);
  const MechanismKind kind = spec.mechanism.kind;
  const CostFactor layers{"layers", spec.layers},
      h_kv{spec.kv_heads == spec.heads ? "h" : "h_kv", spec.kv_heads};
  const CostFactor d_k{"d_k", spec.head_width()};
  if (kind == MechanismKind::linear)
    return kept(spec, {"state and its sum", {layers, h_kv, d_k, {"(d_k+1)", d_k.value + 1}}});
  if (kind == MechanismKind::recurrent) return kept(spec, {"state", {layers, {"d", spec.d}}});
  const std::size_t rows = kind == MechanismKind::window ? std::min(tokens, spec.mechanism.reach) : tokens;
  return kept(spec, {"keys and values", {kTwo, {"tokens", rows}, layers, h_kv, d_k}});
}

}  // namespace attn
