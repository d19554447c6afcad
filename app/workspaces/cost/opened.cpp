// The number of costs that is opened, with its arithmetic, and the table of all stages that others are opened
// from.
#include <algorithm>
#include <array>

#include "app/inspector/inspector_flow.h"
#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/cost/scene.h"

namespace attn {
namespace {

using namespace inspector;

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
  add_pair(flow, title, value, theme.text, theme.dim);
  ImGui::PopFont();
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

// One of a stage's three numbers, with the arithmetic behind it.
void draw_bytes(Flow& flow, const char* name, const Quantity& bytes) {
  add_fact(flow, name, short_bytes(static_cast<double>(bytes.value())), flow.theme().text);
  if (bytes.terms.empty()) return;
  add_text(flow, spaced(bytes.formula()), flow.theme().dim, flow.theme().fonts.small);
  add_text(flow, spaced(bytes.numbers()), flow.theme().dim, flow.theme().fonts.small);
}

void draw_stage(Flow& flow, CostScene& scene, const LayerCost& layer, CostStage stage) {
  const Theme& theme = flow.theme();
  const StageCost& cost = layer[stage];
  const double count = static_cast<double>(cost.operations.value());
  draw_head(flow, std::string(cost.title) + " · " + mechanism_title(scene.study(), scene.shown()),
            short_count(count), "operations at n = " + grouped(scene.n()));
  draw_quantity(flow, cost.operations);
  draw_bytes(flow, "bytes moved", cost.bytes_moved);
  draw_bytes(flow, "bytes held", cost.bytes_held);
  if (const auto share = share_of_peak(scene, cost))
    add_fact(flow, "of peak, measured at n = " + grouped(scene.measured()->stages_n), four_digits(*share),
             theme.text);
  if (const Count moved = cost.bytes_moved.value(); moved > 0)
    add_fact(flow, "operations a byte", four_digits(count / static_cast<double>(moved)), theme.text);
}

void draw_attention(Flow& flow, CostScene& scene, const LayerCost& layer) {
  const Count all = operations(layer, CostPart::mixing);
  draw_head(flow, "attention · " + mechanism_title(scene.study(), scene.shown()),
            short_count(static_cast<double>(all)), "operations at n = " + grouped(scene.n()));
  for (const StageCost& stage : layer.stages)
    if (part_of(stage.stage) == CostPart::mixing)
      for (const CostTerm& term : stage.operations.terms) draw_term(flow, term, false);
  add_fact(flow, "together", grouped(all), flow.theme().text);
}

void draw_held(Flow& flow, CostScene& scene, const LayerCost& layer) {
  draw_head(flow, "memory · " + mechanism_title(scene.study(), scene.shown()),
            short_bytes(static_cast<double>(layer.held.value())),
            "bytes that attention holds at once at n = " + grouped(scene.n()));
  draw_quantity(flow, layer.held);
}

constexpr float kCount = 62;  // the width of a column of numbers

// A row of the table: a name and numbers that end below each other, below the name where the names have no
// room on their line. Where it lies.
Rect put_row(Flow& flow, const std::string& name, const std::array<std::string, 3>& numbers, float names,
             ImU32 colour) {
  const Rect line = add_line(flow);
  put_elided(flow, line, name, colour);
  const bool one_line = names + flow.px(3 * kCount) <= flow.width();
  const Rect below = one_line ? line : add_line(flow);
  float right = below.max.x;
  for (std::size_t i = numbers.size(); i-- > 0; right -= flow.px(kCount))
    put(flow, {{right - flow.px(kCount), below.min.y}, {right, below.max.y}}, numbers[i], colour, 1);
  return {line.min, below.max};
}

std::array<std::string, 3> numbers_of(const StageCost& stage) {
  return {short_count(static_cast<double>(stage.operations.value())),
          short_bytes(static_cast<double>(stage.bytes_moved.value())),
          short_bytes(static_cast<double>(stage.bytes_held.value()))};
}

// Every stage of the layer; a press opens its arithmetic.
void draw_stages(Flow& flow, CostScene& scene, const LayerCost& layer) {
  const Theme& theme = flow.theme();
  add_heading(flow, ("Stages at n = " + grouped(scene.n())).c_str());
  const CompactScope compact(flow, flow.px(3 * kCount + 90));
  float names = 0;
  for (const StageCost& stage : layer.stages) names = std::max(names, text_width(std::string(stage.title)));
  put_row(flow, "one layer", {"operations", "moved", "held"}, names, theme.faint);
  for (const StageCost& stage : layer.stages) {
    const bool opened = scene.view().opened.stage == stage.stage;
    const Rect line =
        put_row(flow, std::string(stage.title), numbers_of(stage), names, opened ? theme.accent : theme.text);
    if (press(flow, std::string(stage.name), line, "open the arithmetic"))
      open_cost(flow.frame.view, {scene.shown(), stage.stage});
  }
}

}  // namespace

void draw_opened_cost(Flow& flow, CostScene& scene) {
  const LayerCost* layer = layer_at(scene, scene.shown());
  if (!layer) return;
  const OpenedCost opened = scene.view().opened;
  if (opened.held)
    draw_held(flow, scene, *layer);
  else if (opened.stage)
    draw_stage(flow, scene, *layer, *opened.stage);
  else
    draw_attention(flow, scene, *layer);
  draw_stages(flow, scene, *layer);
}

}  // namespace attn
