// The inspector of the workspace of training: the pinned weight over time and its row, the optimiser's
// arithmetic of one parameter, what must hold, and when the run reached what.
#include "app/inspector/inspector_flow.h"

#include <algorithm>
#include <cmath>

#include "app/frame/step_words.h"
#include "app/inspector/inspector_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/bars.h"
#include "app/widgets/focus.h"
#include "app/widgets/strokes.h"
#include "app/workspaces/training/inspect_parts.h"
#include "app/workspaces/training/row.h"

namespace attn {
namespace {

using namespace inspector;

constexpr float kSparkHeight = 48;  // points
constexpr std::size_t kShownKeys = 4;

// The words of the step of the stage bar that the person is on.
void draw_step_of_training(Flow& flow) {
  const StepChip* step = flow.frame.step();
  const StepWords* words = step ? words_of_step(step->id, step->id) : nullptr;
  if (!words) return;
  const Theme& theme = flow.theme();
  add_text(flow, words->title, theme.text, theme.fonts.title);
  for (const auto* said : {&words->what, &words->why, &words->look})
    if (!said->empty()) add_text(flow, said->back(), theme.text, theme.fonts.lead);
  flow.y += flow.px(10);
}

std::string place_words(const TrainingScene& scene, std::size_t place) {
  const auto& symbols = placed_symbols(*scene.seen, scene.attention(), false);
  const std::string words = std::to_string(place);
  return place < symbols.size()
             ? words + " “" + scene.labels()[static_cast<std::size_t>(symbols[place])] + "”"
             : words;
}

TimeCurve weight_over_time(const TrainingScene& scene, Cell cell) {
  TimeCurve curve;
  for (const auto& snapshot : scene.log().snapshots)
    if (const auto maps = maps_at(scene, *snapshot); maps && maps->maps.size() > scene.attention()) {
      curve.steps.push_back(snapshot->state.step);
      curve.values.push_back(static_cast<double>(maps->maps[scene.attention()][cell]));
    }
  return curve;
}

void draw_weight(Flow& flow, TrainingScene& scene, Cell cell) {
  const Theme& theme = flow.theme();
  const Tensor& map = scene.seen->maps[scene.attention()];
  const double weight = static_cast<double>(map[cell]);
  ImGui::PushFont(theme.fonts.bold);
  const std::string at = "weight[" + std::to_string(cell.row) + ", " + std::to_string(cell.column) + "] · " +
                         head_name(scene, scene.attention(), cell.head);
  add_pair(flow, at, write(weight, {6}), theme.text, theme.text);
  ImGui::PopFont();
  add_text(flow,
           "how much place " + std::to_string(cell.row) + " looks at place " + std::to_string(cell.column) +
               ", at step " + std::to_string(scene.memo.last_step),
           theme.dim, theme.fonts.small);
  const TimeCurve curve = weight_over_time(scene, cell);
  draw_time_curve(flow, scene, "weight over time", curve, role_colour(theme, Role::weights));
  if (curve.values.empty()) return;
  const double chance = 1 / static_cast<double>(map.columns());
  add_pair(flow, "step 0: " + write(curve.values.front(), {3}) + ", chance " + write(chance, {3}),
           "step " + std::to_string(curve.steps.back()) + ": " + write(curve.values.back(), {3}), theme.dim,
           theme.dim);
}

void draw_row_bars(Flow& flow, const TrainingScene& scene, Cell cell) {
  const Theme& theme = flow.theme();
  const Tensor& map = scene.seen->maps[scene.attention()];
  add_heading(flow, ("Row " + std::to_string(cell.row) + " attends to").c_str());
  std::vector<std::size_t> keys(map.columns());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  std::ranges::stable_sort(keys, [&](std::size_t a, std::size_t b) {
    return map[{cell.head, cell.row, a}] > map[{cell.head, cell.row, b}];
  });
  keys.resize(std::min(keys.size(), kShownKeys));
  float label = 0;
  for (const std::size_t key : keys) label = std::max(label, text_width(place_words(scene, key)));
  label = std::min(label, flow.width() * 0.4f);
  const double most = static_cast<double>(map[{cell.head, cell.row, keys.front()}]);
  for (const std::size_t key : keys) {
    const double weight = static_cast<double>(map[{cell.head, cell.row, key}]);
    const Rect line = add_line(flow);
    put_elided(flow, {line.min, {line.min.x + label, line.max.y}}, place_words(scene, key),
               key == cell.column ? theme.text : theme.dim);
    const float gap = flow.px(8), number = text_width("0.0000");
    const Rect bar{{line.min.x + label + gap, line.min.y + flow.px(4)},
                   {line.max.x - number - gap, line.max.y - flow.px(4)}};
    draw_bar(flow.list, bar, most > 0 ? weight / most : 0, 0,
             key == cell.column ? role_colour(theme, Role::weights) : theme.value, theme);
    put(flow, line, write(weight, {4}), theme.text, 1);
    if (press(flow, "key " + std::to_string(key), line, "pin this weight"))
      scene.view().row = cell.row, scene.view().column = key;
  }
}

void draw_milestone(Flow& flow, TrainingScene& scene, const char* name,
                    const std::optional<std::size_t>& step) {
  const Theme& theme = flow.theme();
  const Rect line = add_pair(flow, name, step ? "step " + std::to_string(*step) : "not yet", theme.text,
                             step ? theme.text : theme.dim);
  if (step && press(flow, std::string("milestone ") + name, line, "show that step"))
    show_step(scene.frame.view, *step);
}

void draw_milestones(Flow& flow, TrainingScene& scene) {
  add_heading(flow, "Milestones");
  const Milestones reached = milestones_of(scene.log());
  if (known_bound(scene)) draw_milestone(flow, scene, "below what no order can reach", reached.below_bound);
  draw_milestone(flow, scene, "half of the symbols right", reached.half);
  draw_milestone(flow, scene, "99 %", reached.nearly_all);
}

}  // namespace

void draw_time_curve(Flow& flow, TrainingScene& scene, const char* id, const TimeCurve& curve, ImU32 colour) {
  const Theme& theme = flow.theme();
  const Rect box{{flow.left, flow.y}, {flow.right, flow.y + flow.px(kSparkHeight)}};
  flow.y = box.max.y + flow.px(6);
  flow.list.AddRect(box.min, box.max, theme.border, 0, 0, theme.px(1));
  const auto x_of = [&](double step) {
    return box.min.x + box.width() * static_cast<float>(step / static_cast<double>(scene.last));
  };
  double low = 1e300, high = -1e300;
  for (const double value : curve.values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  if (!(high > low)) low -= 0.5, high += 0.5;
  const auto y_of = [&](double value) {
    const auto share = static_cast<float>((value - low) / (high - low));
    return box.max.y - flow.px(5) - (box.height() - flow.px(10)) * share;
  };
  std::vector<ImVec2> points;
  std::optional<ImVec2> now;
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    if (!std::isfinite(curve.values[i])) continue;
    points.push_back({x_of(static_cast<double>(curve.steps[i])), y_of(curve.values[i])});
    if (curve.steps[i] <= scene.step) now = points.back();
  }
  if (points.size() > 1) draw_stroke(flow.list, theme, points, colour, theme.px(1.75f));
  const float x = std::round(x_of(static_cast<double>(scene.step)));
  flow.list.AddRectFilled({x - theme.px(0.5f), box.min.y}, {x + theme.px(0.5f), box.max.y},
                          theme.outline_soft);
  if (now) draw_disc(flow.list, theme, {x, now->y}, theme.px(3.5f), colour);
  ImGui::SetCursorScreenPos(box.min);
  ImGui::InvisibleButton(id, {box.width(), box.height()});
  draw_focus_ring(theme, 0);
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(0))
    take_step(scene, static_cast<double>((ImGui::GetIO().MousePos.x - box.min.x) / box.width()) *
                         static_cast<double>(scene.last));
}

void inspect_training(Frame& frame, Flow& flow) {
  draw_step_of_training(flow);
  auto scene = training_scene(frame);
  if (!scene) return add_text(flow, "nothing is trained yet", flow.theme().dim);
  if (scene->seen && !scene->seen->maps.empty()) {
    const Cell cell = scene->cell();
    draw_weight(flow, *scene, cell);
    draw_row_bars(flow, *scene, cell);
  }
  draw_optimiser_step(flow, *scene);
  draw_learning_rate(flow, *scene);
  draw_training_checks(flow, *scene);
  draw_milestones(flow, *scene);
  draw_training_onward(flow, *scene);
}

}  // namespace attn
