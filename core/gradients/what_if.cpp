// One thing otherwise, and how large the gradients are then.
#include "core/gradients/what_if.h"

#include <limits>
#include <utility>

#include "core/evaluate/weigh.h"
#include "core/gradients/fields.h"

namespace attn {
namespace {

constexpr double kCold = 0.1;
constexpr float kLarger = 10;

struct WhatIfField {
  WhatIf what;
  bool GradientsSpec::*on;
  std::string_view title;
};
constexpr WhatIfField kWhatIfs[] = {
    {WhatIf::scale_off, &GradientsSpec::scale_off, gradients_field::scale_off.text.title},
    {WhatIf::cold, &GradientsSpec::cold, gradients_field::cold.text.title},
    {WhatIf::no_mask, &GradientsSpec::no_mask, gradients_field::no_mask.text.title},
    {WhatIf::large_inputs, &GradientsSpec::large_inputs, gradients_field::large_inputs.text.title}};

void enlarge(Tensor& numbers) {
  if (numbers.empty()) return;
  std::vector<float> larger(numbers.values().begin(), numbers.values().end());
  for (float& number : larger) number *= kLarger;
  numbers = Tensor(numbers.shape(), std::move(larger));
}

// The gradients whose sizes are told.
std::vector<bool> told_gradients(const Graph& graph, const GradientsPlaces& places) {
  std::vector<bool> told(graph.stages.size(), false);
  for (const auto* shown : {&places.attention, &places.projected, &places.tokens, &places.parameters})
    for (const StageIndex of : *shown)
      if (const auto d = places.gradients.find(of)) told[*d] = true;
  return told;
}

// With all that they are made from.
std::vector<bool> with_inputs(const Graph& graph, std::vector<bool> needed) {
  for (StageIndex i = graph.stages.size(); i-- > 0;)
    if (needed[i])
      for (const StageIndex input : graph.stages[i].inputs) needed[input] = true;
  return needed;
}

void check_memory(Backend& backend, const Graph& graph, const std::vector<bool>& needed) {
  const Budget budget;
  const auto load_of = [&](const Graph& g) {
    return weigh(g, needed, Retention::until_read, backend, budget);
  };
  check_fits(load_of(graph), free_memory(), graph, load_of);
}

}  // namespace

std::vector<WhatIf> what_ifs_of(const GradientsSpec& spec) {
  std::vector<WhatIf> asked;
  for (const WhatIfField& field : kWhatIfs)
    if (spec.*field.on) asked.push_back(field.what);
  return asked;
}

std::string_view title_of(WhatIf what) {
  for (const WhatIfField& field : kWhatIfs)
    if (field.what == what) return field.title;
  return {};
}

Document what_ifs_about(const Document& document, Address address) {
  Document about;
  about.layers.resize(address.layer + 1);
  about.layer(address) = document.layer(address);
  about.overrides = overrides_of(document, kGradientsPlan, address);
  const GradientsSpec& spec = document.gradients;
  GradientsSpec& asked = about.gradients;
  asked.loss = spec.loss, asked.row = spec.row, asked.column = spec.column, asked.target = spec.target;
  for (const WhatIfField& field : kWhatIfs) asked.*field.on = spec.*field.on;
  return about;
}

Document otherwise(Document document, WhatIf what, Address address) {
  LayerSpec& layer = document.layer(address);
  switch (what) {
    case WhatIf::scale_off:
      layer.scale.mode = ScaleMode::none;
      break;
    case WhatIf::cold:
      layer.temperature = kCold;
      break;
    case WhatIf::no_mask:
      layer.masks.clear(), layer.mask = {};
      break;
    case WhatIf::large_inputs:
      if (layer.direct)
        for (Tensor* numbers : {&layer.q, &layer.k, &layer.v}) enlarge(*numbers);
      else
        for (Tensor* numbers : {&layer.x, &layer.memory}) enlarge(*numbers);
      break;
  }
  return document;
}

Built build_what_if(const Document& document, WhatIf what, Address address) {
  const auto given = [](const Graph& graph, const GradientsPlaces& places) {
    return graph.stages[places.asked].computed_from.value_or(places.asked);
  };
  const Built now = build_gradients(document, address);
  Built built = build_gradients(otherwise(document, what, address), address);
  const auto& places = *built.places.as<GradientsPlaces>();
  const StageIndex from = given(now.graph, *now.places.as<GradientsPlaces>());
  built.graph.stages[given(built.graph, places)].operation = now.graph.stages[from].operation;
  return built;
}

WhatIfRun::WhatIfRun(const Document& document, WhatIf what, Address address)
    : what_(what),
      built_(build_what_if(document, what, address)),
      places_(*built_.places.as<GradientsPlaces>()),
      told_(told_gradients(built_.graph, places_)),
      norms_(built_.graph.stages.size(), std::numeric_limits<double>::quiet_NaN()) {}

void WhatIfRun::begin(Backend& backend) {
  std::vector<bool> needed = with_inputs(built_.graph, told_);
  check_memory(backend, built_.graph, needed);
  // All results come back: the backend may be another before the next stage.
  run_.emplace(built_.graph, Run{.needed = std::move(needed),
                                 .done = [this](StageIndex i, const Tensor& of) { measure(i, of); }});
}

void WhatIfRun::measure(StageIndex stage, const Tensor& numbers) {
  if (told_[stage]) norms_[stage] = norm_of(numbers);
  if (!places_.tokens.empty() && places_.gradients.find(places_.tokens.front()) == stage)
    tokens_ = row_norms(numbers);
}

void WhatIfRun::step(Backend& backend) {
  if (!run_) begin(backend);
  run_->step(backend);
}

WhatIfSizes WhatIfRun::sizes() const {
  WhatIfSizes found{.what = what_};
  const GradientSizes sizes = sizes_of(
      built_.graph, places_, [&](StageIndex i) { return norms_[i]; }, tokens_);
  for (const StageSize& size : sizes.stages)
    found.stages.emplace_back(built_.graph.stages[size.of].id, size.part);
  found.tokens = sizes.tokens;
  return found;
}

}  // namespace attn
