// The stages that every mechanism has, projections and feed-forward, and the layer as a whole.
#include "core/cost/count.h"

#include <algorithm>

#include "core/cost/count_builder.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, kCostStages> kStageTitles{
    "Q", "K", "V", "scores", "scale", "mask", "softmax", "weights·V", "W_O", "feed-forward"};

using Factors = CostBuilder::Factors;

// X·W with W of d × columns.
void count_projection(CostBuilder& b, CostStage stage, const Factors& columns) {
  const auto with = [&](Factors factors) {
    factors.insert(factors.end(), columns.begin(), columns.end());
    return factors;
  };
  b.product(stage, "X·W", with({b.n, b.d}));
  b.moves(stage,
          {b.bytes("X read", {b.n, b.d}), b.weights("W read", with({b.d})), b.bytes("written", with({b.n}))});
  b.holds(stage, "made", with({b.n}));
}

void count_projections(CostBuilder& b) {
  count_projection(b, CostStage::q, {b.h, b.d_k});
  count_projection(b, CostStage::k, {b.h_kv, b.d_k});
  count_projection(b, CostStage::v, {b.h_kv, b.d_k});
  count_projection(b, CostStage::output, {b.d});
}

void count_feed_forward(CostBuilder& b) {
  constexpr CostStage kStage = CostStage::feed_forward;
  b.product(kStage, "X·W₁", {b.n, b.d, b.f});
  if (b.spec.gated) b.product(kStage, "X·W₃, the gate", {b.n, b.d, b.f});
  b.product(kStage, "hidden·W₂", {b.n, b.f, b.d});
  const CostFactor matrices = b.spec.gated ? b.number("3", 3) : b.two;
  b.moves(kStage, {b.bytes("X read", {b.n, b.d}), b.weights("weights read", {matrices, b.d, b.f}),
                   b.bytes("hidden written and read", {b.two, b.n, b.f}), b.bytes("written", {b.n, b.d})});
  b.holds(kStage, "hidden", {b.n, b.f});
  if (b.spec.gated) {
    b.moves(kStage, {b.bytes("gate written and read", {b.two, b.n, b.f})});
    b.holds(kStage, "gate", {b.n, b.f});
  }
  b.holds(kStage, "made", {b.n, b.d});
}

}  // namespace

CostBuilder::CostBuilder(const CostSpec& s) : spec(s) {
  const bool shared = s.kv_heads != s.heads;
  n = {"n", s.n}, m = {s.past > 0 ? "m" : "n", s.keys()}, d = {"d", s.d}, h = {"h", s.heads};
  h_kv = {shared ? "h_kv" : "h", s.kv_heads}, d_k = {"d_k", s.head_width()}, f = {"f", s.inner_width()};
  size = {"size", bytes_of(s.format)}, pairs = {"pairs", attended_pairs(s)};
  for (std::size_t i = 0; i < kCostStages; ++i)
    layer.stages[i] = {static_cast<CostStage>(i), kCostStageWords[i], kStageTitles[i], {}, {}, {}};
}

CostTerm CostBuilder::term(std::string_view what, Factors factors) const {
  if (spec.batch > 1) factors.push_back({"batch", spec.batch});
  return {what, std::move(factors)};
}

CostTerm CostBuilder::bytes(std::string_view what, Factors factors) const {
  CostTerm result = term(what, std::move(factors));
  result.factors.push_back(size);
  return result;
}

CostTerm CostBuilder::weights(std::string_view what, Factors factors) const {
  factors.push_back(size);
  return {what, std::move(factors)};
}

void CostBuilder::twice_backward(CostTerm& term) const {
  if (spec.backward) term.factors.insert(term.factors.begin(), two);
}

void CostBuilder::product(CostStage stage, std::string_view what, Factors multiply_adds) {
  multiply_adds.insert(multiply_adds.begin(), two);
  CostTerm result = term(what, std::move(multiply_adds));
  result.matrix = true;
  twice_backward(result);
  at(stage).operations.terms.push_back(std::move(result));
}

void CostBuilder::operations(CostStage stage, std::string_view what, Factors factors) {
  at(stage).operations.terms.push_back(term(what, std::move(factors)));
}

void CostBuilder::moves(CostStage stage, std::initializer_list<CostTerm> terms) {
  for (CostTerm moved : terms) {
    twice_backward(moved);
    at(stage).bytes_moved.terms.push_back(std::move(moved));
  }
}

void CostBuilder::holds(CostStage stage, std::string_view what, Factors factors) {
  CostTerm held = bytes(what, std::move(factors));
  twice_backward(held);
  at(stage).bytes_held.terms.push_back(std::move(held));
}

void CostBuilder::holds_at_once(std::string_view what, Factors factors) {
  CostTerm held = bytes(what, std::move(factors));
  twice_backward(held);
  layer.held.terms.push_back(std::move(held));
}

LayerCost count_layer(const CostSpec& spec) {
  check_cost(spec);
  CostBuilder b(spec);
  if (spec.mechanism.kind == MechanismKind::recurrent) {
    count_recurrent(b);
  } else {
    count_projections(b);
    if (spec.mechanism.kind == MechanismKind::linear)
      count_linear(b);
    else
      count_scores(b);
  }
  count_feed_forward(b);
  return std::move(b.layer);
}

CostPart part_of(CostStage stage) {
  if (stage <= CostStage::v) return CostPart::projections;
  if (stage <= CostStage::head_output) return CostPart::mixing;
  return stage == CostStage::output ? CostPart::output : CostPart::feed_forward;
}

Count operations(const LayerCost& layer) {
  Count sum = 0;
  for (const StageCost& stage : layer.stages) sum += stage.operations.value();
  return sum;
}

Count operations(const LayerCost& layer, CostPart part) {
  Count sum = 0;
  for (const StageCost& stage : layer.stages)
    if (part_of(stage.stage) == part) sum += stage.operations.value();
  return sum;
}

Count bytes_moved(const LayerCost& layer) {
  Count sum = 0;
  for (const StageCost& stage : layer.stages) sum += stage.bytes_moved.value();
  return sum;
}

std::size_t sequential_steps(const CostSpec& spec) {
  return spec.mechanism.kind == MechanismKind::recurrent ? spec.n : 1;
}

std::size_t path_length(const CostSpec& spec) {
  const std::size_t farthest = spec.keys() - 1;  // from the first token to the last
  switch (spec.mechanism.kind) {
    case MechanismKind::recurrent:
      return spec.keys();
    case MechanismKind::window:
      return spec.mechanism.reach == 0
                 ? 0
                 : std::max<std::size_t>(1, (farthest + spec.mechanism.reach - 1) / spec.mechanism.reach);
    case MechanismKind::strided:
      return 2;  // to a token a whole number of strides away, and from there within one
    default:
      return 1;
  }
}

}  // namespace attn
