// A number of a norm: the row that it was taken from as bars, and its arithmetic in double.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/stack/inspect_parts.h"
#include "core/graph/rounding.h"
#include "core/text/text.h"

namespace attn {
namespace {

using namespace inspector;

constexpr float kNormRowHeight = 54;  // points

ImU32 norm_mean_ink(const Theme& theme) {
  return role_colour(theme, Role::weights);
}

// Where a value lies between the least and the largest of a row, 0 among them.
struct NormRowScale {
  Rect area;
  double least = 0, most = 0;
  explicit NormRowScale(std::span<const float> row, Rect within) : area(within) {
    for (const float x : row)
      if (std::isfinite(x)) least = std::min<double>(least, x), most = std::max<double>(most, x);
  }
  float y(double value) const {
    const double span = most > least ? most - least : 1;
    return area.max.y - static_cast<float>((value - least) / span) * area.height();
  }
};

void draw_norm_features(Flow& flow, const NormRowScale& scale, std::span<const float> row, std::size_t now) {
  const Theme& theme = flow.theme();
  const float step = scale.area.width() / static_cast<float>(row.size());
  const float gap = step > 3 ? 1 : 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double x = static_cast<double>(row[j]);
    if (!std::isfinite(x)) continue;
    const float left = scale.area.min.x + static_cast<float>(j) * step;
    const float top = scale.y(std::max(x, 0.0)), bottom = std::max(scale.y(std::min(x, 0.0)), top + 1);
    const ImU32 ink = j == now ? theme.text : x < 0 ? theme.cell_negative : theme.cell_positive;
    flow.list.AddRectFilled({left, top}, {left + std::max(step - gap, 1.0f), bottom}, ink);
  }
}

void dash_norm_mean(Flow& flow, Rect area, float y, ImU32 ink) {
  const float dash = flow.px(4);
  for (float x = area.min.x; x < area.max.x; x += 2 * dash)
    flow.list.AddLine({x, y}, {std::min(x + dash, area.max.x), y}, ink);
}

// The feature to open next, where one was pressed.
std::optional<std::size_t> draw_norm_row(Flow& flow, std::span<const float> row, std::size_t now,
                                         const NormMade& norm, double mean) {
  const Theme& theme = flow.theme();
  const Rect frame{{flow.left, flow.y}, {flow.right, flow.y + flow.px(kNormRowHeight)}};
  const float inset = flow.px(4);
  const NormRowScale scale(
      row, {{frame.min.x + inset, frame.min.y + inset}, {frame.max.x - inset, frame.max.y - inset}});
  flow.list.AddRect(frame.min, frame.max, theme.border, flow.px(4));
  draw_norm_features(flow, scale, row, now);
  if (norm.centred() && std::isfinite(mean))
    dash_norm_mean(flow, scale.area, scale.y(mean), norm_mean_ink(theme));
  flow.y = frame.max.y + flow.px(6);
  const std::string says = norm.centred()
                               ? "The row that is normalised, a bar for each feature; the dashed line "
                                 "is its mean μ. Click a bar to open its feature; Enter opens the next."
                               : "The row that is normalised, a bar for each feature. Click a bar to "
                                 "open its feature; Enter opens the next.";
  if (!press(flow, "row of the norm", frame, says)) return std::nullopt;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsItemHovered() || !frame.contains(mouse)) return (now + 1) % row.size();
  const float across = std::clamp((mouse.x - scale.area.min.x) / scale.area.width(), 0.0f, 1.0f);
  return std::min(row.size() - 1, static_cast<std::size_t>(across * static_cast<float>(row.size())));
}

// Of an input of one row: what stands in the feature's column.
std::optional<double> norm_input_at(const Results& results, const Stage& stage, std::size_t input,
                                    std::size_t feature) {
  if (input >= stage.inputs.size() || !results.outputs[stage.inputs[input]].here()) return std::nullopt;
  return static_cast<double>(results.outputs[stage.inputs[input]][{0, 0, feature}]);
}

void add_norm_step(Flow& flow, const std::string& name, double value, ImU32 ink,
                   const std::optional<Spot>& spot = {}) {
  const Rect line = add_pair(flow, name, write(value, digits_for({value}, 5)), flow.theme().text, ink);
  press_to_open(flow, name, line, spot);
}

}  // namespace

NormNumber norm_number(const NormMade& norm, std::span<const float> row, std::size_t feature,
                       std::optional<double> gain, std::optional<double> bias) {
  NormNumber n{.x = static_cast<double>(row[feature]), .epsilon = norm.epsilon, .gain = gain, .bias = bias};
  const auto count = static_cast<double>(row.size());
  if (norm.centred())
    for (const float x : row) n.mean += static_cast<double>(x) / count;
  for (const float x : row) {
    const double off = static_cast<double>(x) - n.mean;
    n.spread += off * off / count;
  }
  n.normed = (n.x - n.mean) / std::sqrt(n.spread + norm.epsilon);
  n.result = n.normed * gain.value_or(1) + bias.value_or(0);
  return n;
}

void draw_norm_number(Flow& flow, const Results& results, const NormMade& norm, StageIndex index, Cell cell) {
  // Where another number of it is typed over, what was computed before.
  const Stage& stage = results.graph.stages[computing(results.graph, index)];
  const StageIndex read = stage.inputs.front();
  const std::span<const float> row = stack_row(results, read, cell.row);
  const NormNumber n = norm_number(norm, row, cell.column, norm_input_at(results, stage, 1, cell.column),
                                   norm_input_at(results, stage, 2, cell.column));
  const Theme& theme = flow.theme();
  add_text(flow, stage.formula, theme.text);
  if (const auto next = draw_norm_row(flow, row, cell.column, norm, n.mean))
    open_number(flow, {results.graph.stages[index].id, {cell.head, cell.row, *next}});
  const std::string epsilon = ", ε = " + write(n.epsilon, {0, n.epsilon != 0});
  add_norm_step(flow, "x, the stream", n.x, theme.text, Spot{results.graph.stages[read].id, cell});
  if (norm.centred())
    add_norm_step(flow, "μ over " + std::to_string(row.size()) + " features", n.mean, norm_mean_ink(theme));
  add_norm_step(flow, (norm.centred() ? "σ²" : "mean x²") + epsilon, n.spread, theme.text);
  add_norm_step(flow, norm.centred() ? "(x − μ) ÷ √(σ² + ε)" : "x ÷ √(mean x² + ε)", n.normed, theme.text);
  if (!n.gain) return;
  std::string scaled = "· gain " + write(*n.gain, {4, false});
  if (n.bias)
    scaled += (*n.bias < 0 ? " − " : " + ") + std::string("bias ") + write(std::abs(*n.bias), {4, false});
  add_norm_step(flow, scaled, n.result, theme.text,
                Spot{results.graph.stages[stage.inputs[1]].id, {0, 0, cell.column}});
}

}  // namespace attn
