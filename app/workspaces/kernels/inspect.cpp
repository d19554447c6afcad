// What the inspector says of kernels: the estimate at the query as arithmetic, the layer that does the same,
// and what to check.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/inspector/inspector_flow.h"
#include "app/inspector/inspector_numbers.h"
#include "app/widgets/bars.h"
#include "app/workspaces/kernels/row.h"
#include "app/workspaces/kernels/scene.h"
#include "core/text/text.h"

namespace attn {
namespace {

using namespace inspector;

std::string seven_digits(double value) {
  const double size = std::abs(value);
  const bool plain = std::isfinite(value) && (size == 0 || (size >= 1e-3 && size < 1e6));
  return write(value, {plain ? 5 : 4, !plain && std::isfinite(value)});
}

void draw_head(Flow& flow, const KernelsScene& scene) {
  const Theme& theme = flow.theme();
  const double f = scene.estimate(scene.shown);
  ImGui::PushFont(theme.fonts.bold);
  const Rect line = add_line(flow);
  const std::string value = std::isnan(f) ? "no estimate" : shortest(static_cast<float>(f));
  const std::string title = "f(" + brief(three_digits(scene.q())) + ") · " + scene.title(scene.shown);
  ImGui::PopFont();
  const float room = inspector::text_width(value) + flow.px(10);
  ImGui::PushFont(theme.fonts.bold);
  put_elided(flow, {line.min, {line.max.x - room, line.max.y}}, title, theme.text);
  ImGui::PopFont();
  put(flow, line, value, theme.dim, 1);
  add_text(flow,
           std::isnan(f) ? "no point is in reach: the estimate is not defined, so the curve has a gap"
                         : "the mean of y, near points counting more",
           theme.dim, theme.fonts.small);
  add_text(flow, "Σ κ·y ÷ Σ κ", theme.text);
}

// Right edges as shares of the width: x, y, κ, the bar, the weight; where it is narrow there is no bar.
constexpr std::array<float, 5> kKernelEdges{0.2f, 0.4f, 0.62f, 0.8f, 1},
    kNarrowKernelEdges{0.24f, 0.46f, 0.73f, 0, 1};
constexpr float kLeastForBars = 240;

const std::array<float, 5>& edges_of(const Flow& flow) {
  return flow.width() < flow.px(kLeastForBars) ? kNarrowKernelEdges : kKernelEdges;
}

void draw_cells(Flow& flow, const std::array<std::string, 4>& words, ImU32 colour) {
  const Rect line = add_line(flow);
  const std::array<float, 5>& edges = edges_of(flow);
  const std::array<float, 4> right{edges[0], edges[1], edges[2], edges[4]};
  for (std::size_t i = 0; i < words.size(); ++i)
    put(flow, {line.min, {line.min.x + right[i] * line.width(), line.max.y}}, words[i], colour, 1);
}

void draw_points(Flow& flow, const KernelsScene& scene, const QueryRow& row) {
  const Theme& theme = flow.theme();
  const CompactScope compact(flow, flow.px(250));
  ImGui::PushFont(theme.fonts.small);
  draw_cells(flow, {"x", "y", row.relative ? "κ ÷ largest" : "κ", "weight"}, theme.dim);
  double rest = 1, most = 0;
  std::size_t listed = 0;
  std::vector<double> places, values;
  const auto place = [&](std::size_t j) {
    return static_cast<double>(scene.places().sorted.keys.values()[j]);
  };
  const auto value = [&](std::size_t j) {
    return static_cast<double>(scene.places().sorted.values[{0, j, scene.value}]);
  };
  for (const std::size_t j : scene.memo.nearest) {
    most = std::max(most, row.shares[j]);
    places.push_back(place(j)), values.push_back(value(j));
  }
  const Digits x = column_digits(places, 3), y = column_digits(values, 2);
  for (const std::size_t j : scene.memo.nearest) {
    if (!(row.kernels[j] > 0)) continue;
    const float top = flow.y;
    draw_cells(flow,
               {write(place(j), x), write(value(j), y), write(row.kernels[j], {4, false}),
                write(row.shares[j], {4, false})},
               theme.text);
    const float height = flow.y - top;
    const Rect bar{{flow.left + (kKernelEdges[2] + 0.02f) * flow.width(), top + height * 0.25f},
                   {flow.left + (kKernelEdges[3] - 0.01f) * flow.width(), top + height * 0.75f}};
    if (&edges_of(flow) == &kKernelEdges)
      draw_bar(flow.list, bar, most > 0 ? row.shares[j] / most : 0, 0, scene.colour(scene.shown), theme);
    rest -= row.shares[j];
    ++listed;
  }
  if (row.reached > listed) {
    const Rect line = add_line(flow);
    put(flow, line, std::to_string(row.reached - listed) + " more", theme.dim);
    put(flow, line, write(std::max(0.0, rest), {4, false}), theme.dim, 1);
  }
  ImGui::PopFont();
}

void draw_quotient(Flow& flow, const KernelsScene& scene, const QueryRow& row) {
  const Theme& theme = flow.theme();
  add_fact(flow, row.relative ? "Σ κ, by the largest" : "Σ κ", seven_digits(row.sum), theme.text);
  add_fact(flow, row.relative ? "Σ κ·y, by the largest" : "Σ κ·y", seven_digits(row.weighted[scene.value]),
           theme.text);
  if (row.sum > 0)
    add_text(flow,
             seven_digits(row.weighted[scene.value]) + " ÷ " + seven_digits(row.sum) + " = " +
                 seven_digits(row.weighted[scene.value] / row.sum),
             theme.text);
  if (row.relative)
    add_text(flow,
             "every κ is too small for a number; their quotients are not: the largest is divided out first",
             theme.dim, theme.fonts.small);
  const bool neighbours = scene.spec.width_rule == WidthRule::neighbours;
  if (neighbours)
    add_fact(flow, "σ here, as far as point " + std::to_string(scene.spec.neighbours), four_digits(row.width),
             theme.text);
}

void draw_layer(Flow& flow, const KernelsScene& scene) {
  const Theme& theme = flow.theme();
  const auto& layer = scene.places().layer;
  if (!layer) return;
  add_heading(flow, "The same as attention");
  add_text(flow, "query " + brief(three_digits(scene.q())) + ", keys x, values y", theme.text);
  const Tensor& output = scene.numbers(layer->output);
  add_fact(flow, "softmax(−(q−x)²/2σ²)·y",
           four_digits(static_cast<double>(output[{0, scene.query, scene.value}])), theme.text);
  const float apart = scene.results.summaries[layer->difference].largest();
  const bool same = apart <= 1e-6f;
  add_fact(flow, "largest difference of weights",
           write_distance(static_cast<double>(apart)) + (same ? " ✓" : ""),
           same ? theme.good : theme.warning);
  add_text(flow, "as q·k: equal once the keys have equal norms", theme.dim, theme.fonts.small);
  if (add_chips(flow, "layer", {"open it in the Pipeline"}, "as a layer of its own"))
    flow.frame.commands.emplace_back("kernels.open_in_pipeline");
}

void draw_reach(Flow& flow, KernelsScene& scene) {
  const Theme& theme = flow.theme();
  add_heading(flow, "Reach");
  add_fact(flow, "points that count",
           std::to_string(row_of(scene).reached) + " of " + std::to_string(scene.places().sorted.keys.rows()),
           theme.text);
  const std::size_t gaps = scene.memo.gaps[scene.shown];
  add_fact(flow, "queries with no point in reach", std::to_string(gaps) + (gaps == 0 ? " ✓" : ""),
           gaps == 0 ? theme.good : theme.warning);
}

}  // namespace

void inspect_kernels(Frame& frame, Flow& flow) {
  auto scene = kernels_scene(frame);
  if (!scene) return;
  if (scene->curves.empty()) {
    add_heading(flow, "No points");
    add_text(flow, "A click in the plot adds one; a file may be dropped, and rows of x, y pasted.",
             frame.theme.dim);
    return;
  }
  const QueryRow& row = row_of(*scene);
  if (frame.view.inspected) flow.y += flow.px(10);
  draw_head(flow, *scene);
  draw_points(flow, *scene, row);
  draw_quotient(flow, *scene, row);
  draw_layer(flow, *scene);
  draw_reach(flow, *scene);
}

}  // namespace attn
