// What is counted once for each change of the study, and what of the measurements is drawn.
#include <algorithm>
#include <cmath>

#include "app/workspaces/cost/scene.h"
#include "core/system/memory.h"

namespace attn {
namespace {

constexpr std::size_t kPerDoubling = 2;    // in logarithms the curves are all but straight
constexpr std::size_t kTokenSamples = 17;  // of the next token's cost
std::vector<float> token_samples() {
  std::vector<float> n;
  const auto doublings = static_cast<std::size_t>(std::lround(std::log2(kLastTokens / kFirstTokens)));
  for (std::size_t i = 0; i <= doublings * kPerDoubling; ++i)
    n.push_back(static_cast<float>(
        std::round(kFirstTokens * std::exp2(static_cast<double>(i) / static_cast<double>(kPerDoubling)))));
  return n;
}

float as_float(Count count) {
  return static_cast<float>(static_cast<double>(count));
}

void count_curves(CostMemo& memo, const CostStudy& study) {
  const std::vector<float> n = token_samples();
  memo.n = Samples::of(n);
  memo.curves.clear();
  for (const MechanismKind kind : study.mechanisms) {
    std::vector<float> operations_of, held;
    for (const float tokens : n) {
      const LayerCost layer =
          count_layer(with_tokens(spec_of(study, kind), static_cast<std::size_t>(tokens)));
      operations_of.push_back(as_float(operations(layer, CostPart::mixing)));
      held.push_back(as_float(layer.held.value()));
    }
    CostCurve& curve = memo.curves.emplace_back();
    curve.kind = kind;
    curve.cost.operations = Samples::of(std::move(operations_of)), curve.held = Samples::of(std::move(held));
    curve.longest = longest_within(spec_of(study, kind), memo.memory);
  }
  // Of every token the same.
  const LayerCost one = count_layer(with_tokens(spec_of(study, MechanismKind::full), 1));
  const Count made = operations(one, CostPart::projections) + operations(one, CostPart::output);
  const Count all = made + operations(one, CostPart::feed_forward);
  std::vector<float> projections, rest;
  for (const float tokens : n) {
    projections.push_back(tokens * as_float(made));
    rest.push_back(tokens * as_float(all));
  }
  memo.projections.operations = Samples::of(std::move(projections));
  memo.rest.operations = Samples::of(std::move(rest));
  memo.crossings = crossovers(spec_of(study, MechanismKind::full));
}

// The next token's, whose attention reads the others: with their keys and values kept, with those made again,
// and with all of the layer made again for every token.
void count_next_token(CostMemo& memo, const CostStudy& study) {
  std::vector<float> past, cached, again, recomputed;
  CostSpec spec = spec_of(study, MechanismKind::full);
  spec.backward = false;  // nothing is learned then
  const std::size_t last = study.n - 1, count = std::min(kTokenSamples, last + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t t = count == 1 ? 0 : i * last / (count - 1);
    const LayerCost kept = count_layer(decoding(spec, t, KeyCache::kept));
    const LayerCost all = count_layer(decoding(spec, t, KeyCache::none));
    const auto of_attention = [](const LayerCost& layer) {
      return operations(layer) - operations(layer, CostPart::feed_forward);
    };
    const auto keys_and_values = [](const LayerCost& layer) {
      return layer[CostStage::k].operations.value() + layer[CostStage::v].operations.value();
    };
    past.push_back(static_cast<float>(t));
    cached.push_back(as_float(of_attention(kept)));
    again.push_back(as_float(of_attention(kept) - keys_and_values(kept) + keys_and_values(all)));
    recomputed.push_back(as_float(of_attention(all)));
  }
  memo.past = Samples::of(std::move(past)), memo.cached.operations = Samples::of(std::move(cached));
  memo.again.operations = Samples::of(std::move(again));
  memo.recomputed.operations = Samples::of(std::move(recomputed));
}

// In seconds at the peak, once that is known.
void draw_at(double peak, CountedCurve& curve) {
  curve.drawn = curve.operations;
  if (!(peak > 0)) return;
  std::vector<float> seconds;
  for (std::size_t i = 0; i < curve.operations.count; ++i)
    seconds.push_back(static_cast<float>(curve.operations[i] / peak));
  curve.drawn = Samples::of(std::move(seconds));
}

MeasuredCurve measured_curve(const Measured& measured, std::string_view subject) {
  std::vector<float> n, median, low, high;
  for (const MeasuredPoint* point : measured.of(subject)) {
    if (point->seconds.empty()) continue;
    n.push_back(static_cast<float>(point->n));
    median.push_back(static_cast<float>(point->seconds.median()));
    low.push_back(static_cast<float>(point->seconds.quantile(0.25)));
    high.push_back(static_cast<float>(point->seconds.quantile(0.75)));
  }
  if (n.empty()) return {};
  return {.n = Samples::of(std::move(n)),
          .median = Samples::of(std::move(median)),
          .low = Samples::of(std::move(low)),
          .high = Samples::of(std::move(high)),
          .fit = fit_power(measured, subject)};
}

void take_measured(CostMemo& memo) {
  memo.tokens.clear(), memo.baselines.clear();
  for (CostCurve& curve : memo.curves)
    curve.points = memo.measured
                       ? measured_curve(*memo.measured, kMechanismWords[static_cast<std::size_t>(curve.kind)])
                       : MeasuredCurve();
  if (!memo.measured) return;
  for (const MeasureSubject& subject : measure_subjects()) {
    if (subject.part == MeasuredPart::attention) continue;
    auto& curves = subject.part == MeasuredPart::next_token ? memo.tokens : memo.baselines;
    curves.push_back(measured_curve(*memo.measured, subject.name));
  }
}

}  // namespace

void keep_bars(CostMemo& memo, MechanismKind kind) {
  if (memo.bars_of == kind) return;
  const CostStudy& study = *memo.study;
  memo.bars_of = kind;
  memo.bars.clear();
  for (const int power : {-4, -2, 0, 2, 4}) {
    const double n = std::round(static_cast<double>(study.n) * std::exp2(power));
    if (n < 1 || n > kLastTokens) continue;
    const auto tokens = static_cast<std::size_t>(n);
    memo.bars.push_back({tokens, count_layer(with_tokens(spec_of(study, kind), tokens))});
  }
}

void keep_counts(CostMemo& memo, const Frame& frame) {
  const CostStudy& study = frame.draft.cost;
  const DeviceFacts& facts = frame.engine.facts;
  const std::uint64_t memory = facts.memory > 0 ? facts.memory : machine_memory();
  std::shared_ptr<const Measured> measured = frame.measuring.measured;
  if (measured && measured->shape != measured_shape(study)) measured.reset();
  const double peak = measured ? measured->peak() : 0;
  CostStudy shape = study;
  if (memo.study) shape.n = memo.study->n;
  const bool recount = memo.study != shape || memo.memory != memory, moved = recount || memo.study != study;
  memo.memory = memory;
  if (recount) count_curves(memo, study);
  if (moved) {
    for (CostCurve& curve : memo.curves) curve.at = count_layer(spec_of(study, curve.kind));
    count_next_token(memo, study);
    memo.bars_of.reset();
  }
  if (moved || memo.peak != peak) {
    for (CostCurve& curve : memo.curves) draw_at(peak, curve.cost);
    for (CountedCurve* curve : {&memo.projections, &memo.rest, &memo.cached, &memo.again, &memo.recomputed})
      draw_at(peak, *curve);
  }
  const bool others = memo.measured != measured;
  memo.study = study, memo.peak = peak, memo.measured = std::move(measured);
  if (recount || others) take_measured(memo);
}

}  // namespace attn
