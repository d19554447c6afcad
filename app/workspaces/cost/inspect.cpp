// What the inspector says of costs behind the opened number: where curves cross, how far memory reaches, what
// the model has.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_flow.h"
#include "app/plot/plot_numbers.h"
#include "app/workspaces/cost/row.h"
#include "app/workspaces/cost/scene.h"
#include "core/cost/fields.h"
#include "core/cost/parameters.h"

namespace attn {
namespace {

using namespace inspector;
using cost_field::kMostTokens;

std::string_view mechanism_word(MechanismKind kind) {
  return kMechanismWords[static_cast<std::size_t>(kind)];
}

// Where the times of full attention and of what it is compared with cross.
void draw_measured_crossing(Flow& flow, const CostScene& scene, const Crossover& crossing) {
  if (!scene.measured()) return;
  const std::string_view full = mechanism_word(MechanismKind::full);
  const auto points = scene.measured()->of(crossing.against);
  if (points.empty() || scene.measured()->of(full).empty()) return;
  const std::vector<double> found = measured_crossings(*scene.measured(), full, crossing.against);
  for (const double n : found)
    add_fact(flow, "… measured", "n = " + decimal_text(std::round(n), 0), flow.theme().warning);
  if (found.empty())
    add_fact(flow, "… measured",
             "not from " + grouped(points.front()->n) + " to " + grouped(points.back()->n), flow.theme().dim);
}

// Those of two mechanisms that no count foretells.
void draw_other_crossings(Flow& flow, const CostScene& scene) {
  if (!scene.measured()) return;
  const auto foretold = [&](MechanismKind a, MechanismKind b) {
    return a == MechanismKind::full && std::ranges::any_of(scene.memo.crossings, [&](const Crossover& c) {
             return c.against == mechanism_word(b);
           });
  };
  for (const CostCurve& curve : scene.memo.curves)
    for (const CostCurve& other : scene.memo.curves) {
      if (curve.kind >= other.kind || foretold(curve.kind, other.kind) || curve.points.n.empty() ||
          other.points.n.empty())
        continue;
      for (const double n :
           measured_crossings(*scene.measured(), mechanism_word(curve.kind), mechanism_word(other.kind)))
        add_fact(flow,
                 "… " + mechanism_title(scene.study(), curve.kind) + " = " +
                     mechanism_title(scene.study(), other.kind) + ", measured",
                 "n = " + decimal_text(std::round(n), 0), flow.theme().warning);
    }
}

void draw_crossings(Flow& flow, CostScene& scene) {
  const Theme& theme = flow.theme();
  add_heading(flow, "Where curves cross");
  for (const Crossover& crossing : scene.memo.crossings) {
    const Rect line = add_pair(flow, std::string(crossing.title), crossing_text(scene.study(), crossing),
                               theme.text, theme.text);
    if (crossing.n && *crossing.n <= kMostTokens && press(flow, std::string(crossing.name), line, "go there"))
      scene.study().n = *crossing.n;
    draw_measured_crossing(flow, scene, crossing);
  }
  draw_other_crossings(flow, scene);
}

// How far each mechanism reaches; a press goes there.
void draw_longest(Flow& flow, CostScene& scene) {
  if (scene.memo.memory == 0) return;
  const Theme& theme = flow.theme();
  add_heading(flow, ("Longest n in " + short_bytes(static_cast<double>(scene.memo.memory))).c_str());
  for (const CostCurve& curve : scene.memo.curves) {
    const bool ends = static_cast<double>(curve.longest) <= kLastTokens;
    const Rect line = add_pair(
        flow, mechanism_title(scene.study(), curve.kind),
        curve.longest < 10'000'000 ? grouped(curve.longest) : short_count(static_cast<double>(curve.longest)),
        theme.text, ends ? theme.bad : theme.text);
    if (curve.longest > 0 &&
        press(flow, "longest " + std::to_string(static_cast<int>(curve.kind)), line, "go there"))
      scene.study().n = std::min(curve.longest, kMostTokens);
  }
}

void draw_device(Flow& flow, const CostScene& scene) {
  const Measured* measured = scene.measured();
  if (!scene.timed()) return;
  const Theme& theme = flow.theme();
  add_heading(flow, "Measured");
  add_text(flow, measured->device.name, theme.dim, theme.fonts.small);
  add_fact(flow, "peak", short_count(measured->peak()) + "F/s", theme.text);
  add_fact(flow, "bandwidth", short_bytes(measured->bandwidth()) + "/s", theme.text);
  for (const NotMeasured& out : measured->not_measured)
    if (out.n > 0)
      add_text(flow, out.subject + " from n = " + grouped(out.n) + ": " + out.why, theme.dim,
               theme.fonts.small);
  if (!measured->why.empty()) add_text(flow, measured->why, theme.warning, theme.fonts.small);
}

void draw_model(Flow& flow, const CostScene& scene) {
  const Theme& theme = flow.theme();
  const CostStudy& study = scene.study();
  const CostSpec spec = spec_of(study, MechanismKind::full);
  const Parameters of_layer = parameters(spec);
  add_heading(flow, "Model");
  const auto fact = [&](const std::string& name, const std::string& value) {
    add_fact(flow, name, value, theme.text);
  };
  const Count attention = of_layer.attention.value(), forward = of_layer.feed_forward.value();
  fact("attention, " + of_layer.attention.formula(), grouped(attention));
  fact("feed-forward, " + of_layer.feed_forward.formula(), grouped(forward));
  fact(std::to_string(study.layers) + (study.layers == 1 ? " layer" : " layers"),
       grouped(of_all_layers(spec, of_layer.attention) + of_all_layers(spec, of_layer.feed_forward)));
  if (study.vocabulary > 0) fact("embedding, vocabulary·d", grouped(Count{study.vocabulary} * study.d));
  if (const Preset* preset = preset_of(study))
    fact("all of " + std::string(preset->title), grouped(model_parameters(*preset).value()));
  fact("cache a token", short_bytes(static_cast<double>(cache_per_token(spec).value())));
  fact("cache at n", short_bytes(static_cast<double>(cache_of(spec, study.n).value())));
}

void draw_recurrent(Flow& flow, const CostScene& scene) {
  const Theme& theme = flow.theme();
  const CostSpec full = spec_of(scene.study(), MechanismKind::full),
                 spec = spec_of(scene.study(), MechanismKind::recurrent);
  add_heading(flow, "Recurrent layer");
  add_fact(flow, "steps one after another", grouped(sequential_steps(spec)), theme.text);
  add_fact(flow, "path between two tokens",
           grouped(path_length(spec)) + ", not " + grouped(path_length(full)), theme.text);
}

}  // namespace

void inspect_cost(Frame& frame, Flow& flow) {
  auto scene = cost_scene(frame);
  if (!scene) return;
  draw_opened_cost(flow, *scene);
  draw_crossings(flow, *scene);
  draw_longest(flow, *scene);
  draw_model(flow, *scene);
  draw_recurrent(flow, *scene);
  draw_device(flow, *scene);
  draw_take_away(flow, *scene);
}

}  // namespace attn
