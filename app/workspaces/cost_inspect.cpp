// What the inspector says of costs: the opened number's arithmetic, where curves cross, what the model has.
#include <algorithm>
#include <cmath>

#include "app/panels/inspector_flow.h"
#include "app/panels/inspector_numbers.h"
#include "app/widgets/plot_numbers.h"
#include "app/workspaces/cost.h"
#include "app/workspaces/cost_scene.h"
#include "core/cost/parameters.h"
#include "core/cost/study_fields.h"

namespace attn {
namespace {

using namespace inspector;
using cost_field::kMostTokens;

std::string spaced(std::string formula) {
  for (std::size_t at = 0; (at = formula.find("·", at)) != std::string::npos; at += 4)
    formula.replace(at, std::string_view("·").size(), " · ");
  return formula;
}

// A term's formula, its numbers, and what they come to.
void draw_term(Flow& flow, const CostTerm& term, bool alone) {
  const Theme& theme = flow.theme();
  if (!alone) add_text(flow, std::string(term.what), theme.dim, theme.fonts.small);
  add_text(flow, spaced(term.formula()), theme.text);
  add_text(flow, spaced(term.numbers()), theme.dim, theme.fonts.small);
  add_fact(flow, "=", grouped(term.value()), theme.text);
}

void draw_head(Flow& flow, const std::string& title, const std::string& value, const std::string& says) {
  const Theme& theme = flow.theme();
  ImGui::PushFont(theme.fonts.bold);
  const Rect line = add_line(flow);
  put_elided(flow, {line.min, {line.max.x - text_width(value) - flow.px(8), line.max.y}}, title, theme.text);
  ImGui::PopFont();
  put(flow, line, value, theme.dim, 1);
  add_text(flow, says, theme.dim, theme.fonts.small);
}

// The terms of a quantity and, of several, their sum.
void draw_quantity(Flow& flow, const Quantity& quantity) {
  const bool alone = quantity.terms.size() == 1;
  for (const CostTerm& term : quantity.terms) draw_term(flow, term, alone);
  if (quantity.terms.empty()) add_text(flow, "nothing: this mechanism has no such step", flow.theme().dim);
  if (quantity.terms.size() > 1) add_fact(flow, "together", grouped(quantity.value()), flow.theme().text);
}

const LayerCost* layer_at(const CostScene& scene, MechanismKind kind) {
  for (const CostCurve& curve : scene.memo.curves)
    if (curve.kind == kind) return &curve.at;
  return nullptr;
}

// The measured rate of the stage by the peak.
std::optional<double> share_of_peak(const CostScene& scene, const StageCost& cost) {
  if (!scene.timed()) return std::nullopt;
  for (const MeasuredStage& stage : scene.measured()->stages)
    if (stage.name == cost.name && stage.rate() > 0) return stage.rate() / scene.peak();
  return std::nullopt;
}

void draw_stage(Flow& flow, CostScene& scene, const LayerCost& layer, CostStage stage) {
  const Theme& theme = flow.theme();
  const StageCost& cost = layer[stage];
  const double count = static_cast<double>(cost.operations.value());
  draw_head(flow, std::string(cost.title) + " · " + mechanism_title(scene.study(), scene.shown()),
            short_count(count), "operations at n = " + grouped(scene.n()));
  draw_quantity(flow, cost.operations);
  add_fact(flow, "bytes held", short_bytes(static_cast<double>(cost.bytes_held.value())), theme.text);
  add_fact(flow, "bytes moved", short_bytes(static_cast<double>(cost.bytes_moved.value())), theme.text);
  if (const auto share = share_of_peak(scene, cost))
    add_fact(flow, "of peak, measured at n = " + grouped(scene.measured()->stages_n), four_digits(*share),
             theme.text);
  if (const Count moved = cost.bytes_moved.value(); moved > 0)
    add_fact(flow, "operations a byte", short_count(count / static_cast<double>(moved)), theme.text);
}

// Attention as a whole: its stages, each to be opened.
void draw_attention(Flow& flow, CostScene& scene, const LayerCost& layer) {
  const Theme& theme = flow.theme();
  const Count all = operations(layer, CostPart::mixing);
  draw_head(flow, "attention · " + mechanism_title(scene.study(), scene.shown()),
            short_count(static_cast<double>(all)), "operations at n = " + grouped(scene.n()));
  for (const StageCost& stage : layer.stages) {
    if (part_of(stage.stage) != CostPart::mixing || stage.operations.terms.empty()) continue;
    const Rect line = add_line(flow);
    const std::string value = grouped(stage.operations.value());
    put_elided(flow, {line.min, {line.max.x - text_width(value) - flow.px(8), line.max.y}},
               std::string(stage.title), theme.text);
    put(flow, line, value, theme.text, 1);
    if (press(flow, std::string(stage.name), line, "open the arithmetic"))
      open_cost(flow.frame.view, {scene.shown(), stage.stage});
  }
  add_fact(flow, "together", grouped(all), theme.text);
}

void draw_held(Flow& flow, CostScene& scene, const LayerCost& layer) {
  draw_head(flow, "memory · " + mechanism_title(scene.study(), scene.shown()),
            short_bytes(static_cast<double>(layer.held.value())),
            "bytes that attention holds at once at n = " + grouped(scene.n()));
  draw_quantity(flow, layer.held);
}

void draw_opened(Flow& flow, CostScene& scene) {
  const LayerCost* layer = layer_at(scene, scene.shown());
  if (!layer) return;
  const OpenedCost opened = scene.view().opened;
  if (opened.held)
    draw_held(flow, scene, *layer);
  else if (opened.stage)
    draw_stage(flow, scene, *layer, *opened.stage);
  else
    draw_attention(flow, scene, *layer);
}

bool is_counted_crossing(MechanismKind a, MechanismKind b) {
  return a == MechanismKind::full && b == MechanismKind::linear;
}

// Where the times of full attention and of what it is compared with cross.
void draw_measured_crossing(Flow& flow, const CostScene& scene, const Crossover& crossing) {
  if (!scene.measured()) return;
  const std::string_view full = kMechanismWords[static_cast<std::size_t>(MechanismKind::full)];
  const auto points = scene.measured()->of(crossing.against);
  if (points.empty() || scene.measured()->of(full).empty()) return;
  const std::vector<double> found = measured_crossings(*scene.measured(), full, crossing.against);
  for (const double n : found)
    add_fact(flow, "… measured", "n = " + decimal_text(std::round(n), 0), flow.theme().warning);
  if (found.empty())
    add_fact(flow, "… measured",
             "not from " + grouped(points.front()->n) + " to " + grouped(points.back()->n), flow.theme().dim);
}

void draw_crossings(Flow& flow, CostScene& scene) {
  const Theme& theme = flow.theme();
  add_heading(flow, "Where curves cross");
  for (const Crossover& crossing : scene.memo.crossings) {
    const Rect line = add_line(flow);
    const std::string value = crossing_text(scene.study(), crossing);
    put_elided(flow, {line.min, {line.max.x - text_width(value) - flow.px(8), line.max.y}},
               std::string(crossing.title), theme.text);
    put(flow, line, value, theme.text, 1);
    if (crossing.n && *crossing.n <= kMostTokens && press(flow, std::string(crossing.name), line, "go there"))
      scene.study().n = *crossing.n;
    draw_measured_crossing(flow, scene, crossing);
  }
  if (!scene.measured()) return;
  for (const CostCurve& curve : scene.memo.curves)
    for (const CostCurve& other : scene.memo.curves)
      if (curve.kind < other.kind && !is_counted_crossing(curve.kind, other.kind) &&
          !curve.points.n.empty() && !other.points.n.empty())
        for (const double n :
             measured_crossings(*scene.measured(), kMechanismWords[static_cast<std::size_t>(curve.kind)],
                                kMechanismWords[static_cast<std::size_t>(other.kind)]))
          add_fact(flow,
                   "… " + mechanism_title(scene.study(), curve.kind) + " = " +
                       mechanism_title(scene.study(), other.kind) + ", measured",
                   "n = " + decimal_text(std::round(n), 0), theme.warning);
}

// How far each mechanism reaches; a press goes there.
void draw_longest(Flow& flow, CostScene& scene) {
  if (scene.memo.memory == 0) return;
  const Theme& theme = flow.theme();
  add_heading(flow, ("Longest n in " + short_bytes(static_cast<double>(scene.memo.memory))).c_str());
  for (const CostCurve& curve : scene.memo.curves) {
    const bool ends = static_cast<double>(curve.longest) <= kLastTokens;
    const Rect line = add_line(flow);
    put(flow, line, mechanism_title(scene.study(), curve.kind), theme.text);
    put(flow, line,
        curve.longest < 10'000'000 ? grouped(curve.longest) : short_count(static_cast<double>(curve.longest)),
        ends ? theme.bad : theme.text, 1);
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
  draw_opened(flow, *scene);
  draw_crossings(flow, *scene);
  draw_longest(flow, *scene);
  draw_model(flow, *scene);
  draw_recurrent(flow, *scene);
  draw_device(flow, *scene);
  draw_take_away(flow, *scene);
}

}  // namespace attn
