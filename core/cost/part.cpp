// The study's shape as counts take it, and its edits.
#include "core/cost/part.h"

#include <algorithm>

#include "core/cost/cost.h"
#include "core/cost/fields.h"
#include "core/cost/presets.h"

namespace attn {
namespace {

// What of it is a layer's shape, written one way.
CostSpec layer_of(const CostStudy& study) {
  CostSpec spec;
  spec.d = study.d, spec.heads = study.heads, spec.kv_heads = study.kv_heads;
  spec.feed_forward = study.feed_forward == 0 ? 4 * study.d : study.feed_forward;
  spec.gated = study.gated, spec.biases = study.biases, spec.layers = study.layers;
  spec.causal = study.causal;
  return spec;
}

void take_checked(CostStudy& study, const CostStudy& wanted) {
  check_study(wanted);
  study = wanted;
}

}  // namespace

bool CostStudy::operator==(const CostStudy& other) const {
  return equal_fields(*this, other);
}

Mechanism mechanism_of(const CostStudy& study, MechanismKind kind) {
  switch (kind) {
    case MechanismKind::window:
      return {kind, study.window};
    case MechanismKind::strided:
      return {kind, study.stride};
    case MechanismKind::full:
    case MechanismKind::flash:
    case MechanismKind::linear:
    case MechanismKind::recurrent:
      break;
  }
  return {kind, 0};
}

CostSpec spec_of(const CostStudy& study, MechanismKind kind) {
  CostSpec spec = layer_of(study);
  spec.n = study.n, spec.batch = study.batch, spec.format = study.format, spec.backward = study.backward;
  spec.mechanism = mechanism_of(study, kind);
  return spec;
}

void check_study(const CostStudy& study) {
  for (const MechanismKind kind : study.mechanisms) check_cost(spec_of(study, kind));
}

void set_heads(CostStudy& study, std::size_t heads) {
  CostStudy wanted = study;
  const std::size_t sharing = study.kv_heads == 0 ? 1 : study.heads / study.kv_heads;
  wanted.heads = heads;
  wanted.kv_heads = sharing > 1 && heads % sharing == 0 ? heads / sharing : heads;
  take_checked(study, wanted);
}

void set_kv_heads(CostStudy& study, std::size_t kv_heads) {
  CostStudy wanted = study;
  wanted.kv_heads = kv_heads;
  take_checked(study, wanted);
}

void set_width(CostStudy& study, std::size_t d) {
  CostStudy wanted = study;
  wanted.d = d;
  take_checked(study, wanted);
}

void set_feed_forward(CostStudy& study, std::size_t width) {
  CostStudy wanted = study;
  wanted.feed_forward = width == 4 * study.d ? 0 : width;
  take_checked(study, wanted);
}

void toggle_mechanism(CostStudy& study, MechanismKind kind) {
  const auto found = std::ranges::find(study.mechanisms, kind);
  if (found == study.mechanisms.end())
    study.mechanisms.insert(std::ranges::upper_bound(study.mechanisms, kind), kind);
  else if (study.mechanisms.size() > 1)
    study.mechanisms.erase(found);
}

void take_preset(CostStudy& study, const Preset& preset) {
  const CostSpec& shape = preset.shape;
  study.d = shape.d, study.heads = shape.heads, study.kv_heads = shape.kv_heads;
  study.feed_forward = shape.inner_width() == 4 * shape.d ? 0 : shape.feed_forward;
  study.gated = shape.gated, study.biases = shape.biases, study.layers = shape.layers;
  study.causal = shape.causal, study.vocabulary = preset.others.vocabulary;
}

const Preset* preset_of(const CostStudy& study) {
  const CostSpec mine = layer_of(study);
  const auto found = std::ranges::find_if(presets(), [&](const Preset& preset) {
    CostSpec shape = mine;
    shape.d = preset.shape.d, shape.heads = preset.shape.heads, shape.kv_heads = preset.shape.kv_heads;
    shape.feed_forward = preset.shape.inner_width(), shape.gated = preset.shape.gated;
    shape.biases = preset.shape.biases, shape.layers = preset.shape.layers;
    shape.causal = preset.shape.causal;
    return shape == mine && preset.others.vocabulary == study.vocabulary;
  });
  return found == presets().end() ? nullptr : &*found;
}

}  // namespace attn
