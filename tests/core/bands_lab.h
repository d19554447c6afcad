// Large layers in small: a machine that keeps little, and its bands run to the end.
#pragma once

#include <doctest/doctest.h>

#include <cmath>

#include "core/evaluate/band_run.h"
#include "core/evaluate/evaluator.h"
#include "core/reference/backend.h"
#include "tests/random_layer.h"

namespace attn::tests {

inline constexpr std::size_t kLittle = 6000;  // bytes: what is large is 24 numbers and more

inline LayerSpec layer_of(std::size_t tokens) {
  LayerSpec layer;
  layer.x = drawn({1, tokens, 6}, 1);
  for (Tensor* w : {&layer.w_q, &layer.w_k, &layer.w_v}) *w = drawn({1, 6, 6}, 2);
  layer.heads = layer.kv_heads = 2;
  layer.masks = {{CausalRule{}}};
  return layer;
}

// What is wrong with a device: this is added to every number of an operation.
struct Wrong {
  float off = 0;
  std::string_view operation = Normalize::kName;
};

// The reference as a device: its bands are fused where they can be.
class ReferenceDevice final : public Backend {
 public:
  explicit ReferenceDevice(const Wrong& wrong) : wrong_(wrong) {}
  std::string name() const override { return "device"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
    const Tensor right = reference_->run(operation, inputs);
    if (wrong_.off == 0 || attn::name(operation) != wrong_.operation) return right;
    std::vector<float> values(right.values().begin(), right.values().end());
    for (float& value : values) value += wrong_.off;
    return {right.shape(), std::move(values)};
  }

 private:
  Wrong wrong_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

struct Machine {
  explicit Machine(std::size_t most_kept, const Wrong& wrong = {})
      : budget(std::size_t{1} << 30, most_kept), backend(std::make_unique<ReferenceDevice>(wrong)) {}
  Results run(const LayerSpec& layer) {
    const Document document{{layer}};
    return evaluator.evaluate(document, build_layer(document, kLayerA));
  }

  Budget budget;
  std::unique_ptr<Backend> backend;
  Evaluator evaluator{*backend, budget};
};

inline Results to_the_end(const Results& large, Backend& backend) {
  Results seen = large;
  for (const BandPart part : {BandPart::first, BandPart::rest}) {
    BandRun bands(std::make_shared<const Results>(seen), part);
    while (!bands.done()) bands.step(backend);
    seen = bands.seen();
  }
  return seen;
}

// By the graph alone.
inline Results by_stages(const Results& large) {
  Results result = large;
  Bands bands = *large.bands;
  bands.fused = nullptr;
  result.bands = std::make_shared<const Bands>(std::move(bands));
  return result;
}

// Products are summed in another order where there are other rows, and rounded to floats.
inline bool same(float a, float b) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 0x1p-22f * (1 + std::abs(a));
}

inline void check_summary(const Summary& a, const Summary& b) {
  CHECK(same(a.all.least, b.all.least));
  CHECK(same(a.all.most, b.all.most));
  CHECK(a.finite == b.finite);
}

// That weights, and what comes of them, are those of flash attention of the whole layer. Returns of how many
// stages.
inline std::size_t check_fused(const Results& seen, Machine& all) {
  const Results flash = all.evaluator.evaluate(
      seen.document, build_flash_layer(seen.document, {.weights = true, .mask = true}));
  std::size_t stages = 0;
  for (StageIndex i = 0; i < seen.graph.stages.size(); ++i) {
    const Stage& stage = seen.graph.stages[i];
    const auto made = flash.graph.find(stage.id);
    if (!seen.bands->has(i) || !made || stage.role == Role::mask) continue;
    INFO(stage.id);
    ++stages;
    check_summary(seen.summaries[i], flash.summaries[*made]);
    if (seen.bands->kept[i])
      CHECK(
          std::ranges::equal(seen.outputs[i].whole().values(), flash.outputs[*made].whole().values(), same));
  }
  return stages;
}

}  // namespace attn::tests
