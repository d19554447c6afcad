// What the inspector says of two layers: the pinned number in both, its row, all stages.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/cells/cell_layout.h"
#include "app/inspector/inspector_flow.h"
#include "app/inspector/inspector_numbers.h"
#include "app/inspector/inspector_sections.h"
#include "app/theme/toolkit.h"
#include "app/widgets/bars.h"
#include "app/workspaces/compare/check_scene.h"
#include "app/workspaces/compare/row.h"
#include "app/workspaces/compare/scene.h"
#include "app/workspaces/compare/summary.h"
#include "core/checks/checks.h"

namespace attn {
namespace {

using namespace inspector;

constexpr float kThreeColumns = 240;  // points, for three decimals in each of three columns

std::string digits(double value, int decimals = 3) {
  return write(value, {decimals, false});
}

void put_three(Flow& flow, Rect line, const std::string& a, const std::string& b, const std::string& d) {
  const Theme& theme = flow.theme();
  const auto until = [&](float share) {
    return Rect{line.min, {line.min.x + line.width() * share, line.max.y}};
  };
  put(flow, until(0.56f), a, theme.query, 1);
  put(flow, until(0.78f), b, theme.key, 1);
  put(flow, line, d, theme.text, 1);
}

// The place of a number in another stage: its own in one of its size; of what a number is for each row of
// keys (maximum, sum), that of its row.
std::optional<Cell> place_in(const Stage& stage, const Stage& pinned, Cell cell) {
  const Shape shape = stage.shape, of = pinned.shape;
  if (!holds(of, cell)) return std::nullopt;
  if (shape == of) return cell;
  const bool of_rows = shape.columns == 1 && shape.stack == of.stack && shape.rows == of.rows;
  return of_rows && pinned.columns.along == Axis::keys ? std::optional(Cell{cell.head, cell.row, 0})
                                                       : std::nullopt;
}

// The same place in a stage of the layer that has `pinned`, or would have it opposite `either`.
std::optional<Spot> spot_in(const Results& results, std::optional<StageIndex> stage,
                            std::optional<StageIndex> pinned, StageIndex either, Cell cell) {
  if (!stage) return std::nullopt;
  const Stage& there = results.graph.stages[*stage];
  const auto place = place_in(there, results.graph.stages[pinned.value_or(either)], cell);
  const Spot spot{there.id, place.value_or(cell)};
  return place && exists(results, spot) ? std::optional(spot) : std::nullopt;
}

// The same place in every stage that has it; press to open it there. A layer without it has a dash.
void draw_number(Flow& flow, const Results& results, const CompareFigures& figures, const Spot& spot) {
  const auto place = compared_place(results, figures, spot.stage);
  if (!place) return;
  const Theme& theme = flow.theme();
  const Graph& graph = results.graph;
  const ComparedStage& pinned = figures.stages[*place];
  add_heading(flow, "This number in both");
  const std::string name = compared_name(results.document);
  put_three(flow, add_line(flow), "A", name, name + " − A");
  const CompactScope narrow(flow, flow.px(kThreeColumns));
  const int decimals = narrow ? 2 : 3;
  for (std::size_t i = 0; i < figures.stages.size(); ++i) {
    const ComparedStage& row = figures.stages[i];
    const auto a = spot_in(results, row.a, pinned.a, pinned.either(), spot.cell),
               b = spot_in(results, row.b, pinned.b, pinned.either(), spot.cell);
    if (!a && !b) continue;
    const auto value = [&](const Spot& at) { return static_cast<double>(results.output(at.stage)[at.cell]); };
    const bool both = a && b && row.difference;
    const Rect line = add_line(flow);
    put_elided(flow, {line.min, {line.min.x + line.width() * 0.34f, line.max.y}},
               graph.stages[row.either()].title, i == *place ? theme.text : theme.dim);
    put_three(flow, line, a ? digits(value(*a), decimals) : "–", b ? digits(value(*b), decimals) : "–",
              both ? digits(compared_value(Compared::difference, value(*a), value(*b)), decimals) : "–");
    press_to_open(flow, "both " + graph.stages[row.either()].id, line, a ? a : b);
  }
}

// A key's weight in both.
void draw_key(Flow& flow, const Stage& stage, std::size_t key, double a, double b, bool hidden) {
  const Theme& theme = flow.theme();
  const Rect line = add_line(flow);
  put_elided(flow, {line.min, {line.min.x + line.width() * 0.24f, line.max.y}},
             axis_label(stage.columns, key), theme.text);
  if (hidden) return put(flow, line, "–", theme.dim, 1);
  const float left = line.min.x + line.width() * 0.26f, right = line.min.x + line.width() * 0.56f;
  const float middle = (line.min.y + line.max.y) / 2, thick = flow.px(5);
  draw_bar(flow.list, {{left, middle - thick}, {right, middle}}, std::clamp(a, 0.0, 1.0), 0, theme.query,
           theme);
  draw_bar(flow.list, {{left, middle}, {right, middle + thick}}, std::clamp(b, 0.0, 1.0), 0, theme.key,
           theme);
  put(flow, line, digits(a) + " → " + digits(b), theme.text, 1);
}

// Of many keys those whose weight differs most first.
void draw_weights_row(Flow& flow, const Results& results, const CompareFigures& figures, const Spot& spot) {
  if (!figures.weights) return;
  const ComparedStage& row = figures.stages[*figures.weights];
  const Stage& stage = results.graph.stages[*row.a];
  const auto place = compared_place(results, figures, spot.stage);
  if (!place) return;
  const Stage& pinned = results.graph.stages[figures.stages[*place].either()];
  if (pinned.rows.along != Axis::queries || spot.cell.row >= stage.shape.rows) return;
  constexpr std::size_t kMostKeys = 12;
  add_heading(flow, ("Row " + std::to_string(spot.cell.row) + " “" + axis_label(stage.rows, spot.cell.row) +
                     "” attends to")
                        .c_str());
  const std::size_t head = std::min(spot.cell.head, stage.shape.stack - 1), all = stage.shape.columns;
  const auto weight = [&](StageIndex of, std::size_t key) {
    return static_cast<double>(results.outputs[of][{head, spot.cell.row, key}]);
  };
  std::vector<std::size_t> keys(all);
  std::iota(keys.begin(), keys.end(), std::size_t{0});
  if (all > kMostKeys)
    std::ranges::stable_sort(keys, std::ranges::greater{}, [&](std::size_t key) {
      const double moved = std::abs(weight(*row.b, key) - weight(*row.a, key));
      return std::isnan(moved) ? HUGE_VAL : moved;
    });
  keys.resize(shown_of("more keys", all, kMostKeys));
  for (const std::size_t key : keys) {
    if (passes_line(flow)) continue;
    const double a = weight(*row.a, key), b = weight(*row.b, key);
    const Cell cell{head, spot.cell.row, key};
    const bool hidden =
        a == 0 && b == 0 && is_masked(results, *row.a, cell) && is_masked(results, *row.b, cell);
    draw_key(flow, stage, key, a, b, hidden);
  }
  add_more(flow, "more keys", all, kMostKeys);
}

// The arithmetic of the same cell in one of the layers, or why it has no such cell.
void draw_arithmetic_of(Flow& flow, const Results& results, const ComparedStage& row, std::size_t column,
                        Cell cell) {
  const Graph& graph = results.graph;
  const std::string& layer = graph.parts[column].title;
  const auto stage = column == 0 ? row.a : row.b;
  add_heading(flow, ("In " + layer).c_str());
  if (!stage) return add_text(flow, absence_words(graph, row, column), flow.theme().dim);
  const Spot spot{graph.stages[*stage].id, cell};
  if (!exists(results, spot))
    return add_text(flow, absence_words(graph, row, 2) + "; " + layer + " has no such number",
                    flow.theme().dim);
  ImGui::PushID(layer.c_str());
  draw_arithmetic(flow, results, open(results, spot));
  ImGui::PopID();
}

// The number that differs most, as if it was opened.
void draw_largest(Flow& flow, const Results& results, const CompareFigures& figures) {
  const auto spot = largest_change(results, figures);
  if (!spot) return;
  const Theme& theme = flow.theme();
  flow.y += flow.px(14);
  const Stage& stage = results.graph.stages[*results.graph.find(spot->stage)];
  ImGui::PushFont(theme.fonts.bold);
  const Rect line = add_line(flow);
  put_elided(flow, {line.min, {line.max.x - flow.px(110), line.max.y}}, cell_text(stage, spot->cell),
             theme.text);
  ImGui::PopFont();
  put(flow, line, "largest change", theme.dim, 1);
  press_to_open(flow, "largest change", line, spot);
  add_text(flow, sentence_of(results, *spot), theme.dim, theme.fonts.small);
  draw_number(flow, results, figures, *spot);
}

}  // namespace

bool open_in_both(Frame& frame, Flow& flow, const Spot& spot) {
  if (shows_check(frame)) return open_in_check(frame, flow, spot);
  const CompareFigures* figures = compared_figures(frame);
  const auto place = figures ? compared_place(*frame.engine.results, *figures, spot.stage) : std::nullopt;
  if (!place) return false;
  const Results& results = *frame.engine.results;
  draw_number(flow, results, *figures, spot);
  draw_weights_row(flow, results, *figures, spot);
  draw_wholes(flow, results, *figures);
  const ComparedStage& row = figures->stages[*place];
  draw_arithmetic_of(flow, results, row, 0, spot.cell);
  draw_arithmetic_of(flow, results, row, 1, spot.cell);
  return true;
}

void inspect_compare(Frame& frame, Flow& flow) {
  if (shows_check(frame)) return inspect_check(frame, flow);
  const CompareFigures* figures = compared_figures(frame);
  if (!figures) return;
  const Results& results = *frame.engine.results;
  const auto& spot = frame.view.inspected;
  if (spot && compared_place(results, *figures, spot->stage)) return;  // said where it is opened
  draw_summary(flow, results, *figures);
  draw_wholes(flow, results, *figures);
  if (!spot) draw_largest(flow, results, *figures);
}

}  // namespace attn
