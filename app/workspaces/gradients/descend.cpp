// The descent: weights painted as they are wanted, the weights that come, the losses on the way, and what may
// learn.
#include "app/workspaces/gradients/descend.h"
#include "app/theme/toolkit.h"

#include <algorithm>
#include <cmath>

#include "app/fields/field_rows.h"
#include "app/fields/slider.h"
#include "app/widgets/chips.h"
#include "app/workspaces/gradients/row.h"
#include "core/gradients/fields.h"

namespace attn {
namespace {

constexpr double kStepsASecond = 40;
constexpr const char* kWhat = "paint the weights that you want";
constexpr const char* kThen = "what may learn moves until they come";
constexpr const char* kGestures = "drag: want a weight · right-drag: none · wheel: a share of its row";
constexpr float kControlsLine = 34, kOneLine = 560, kRateRow = 108, kLeastSlider = 160, kStepWord = 40;

struct DescendPlaces {
  Rect wanted = {}, learnt = {}, losses = {};
  float controls = 0;  // the top of their lines
};

bool in_one_line(const Theme& theme, Rect area) {
  return area.width() >= theme.px(kOneLine);
}

DescendPlaces places_of(const DescendScene& scene, Rect area) {
  const Theme& theme = scene.scene.frame.theme;
  const float lines = in_one_line(theme, area) ? 1 : 2;
  DescendPlaces places{.controls =
                           area.max.y - theme.px(kControlsLine - 6) - (lines - 1) * theme.px(kControlsLine)};
  const Rect row{{area.min.x, area.min.y + theme.px(kTitleHeight)},
                 {area.max.x, places.controls - theme.px(8)}};
  const float gap = theme.px(kMapGap);
  places.wanted = part_of(row, 0, 0.37f, gap);
  places.learnt = part_of(row, 0.37f, 0.67f, gap);
  places.losses = part_of(row, 0.67f, 1, gap);
  return places;
}

// As they stand side by side; of a direct layer the numbers themselves.
struct LearnerChip {
  const SwitchField& field;
  std::string text;
  bool GradientsSpec::*may;
};
std::vector<LearnerChip> learner_chips_of(bool direct) {
  namespace f = gradients_field;
  using Spec = GradientsSpec;
  if (direct) return {{f::learn_q, "Q", &Spec::learn_q}, {f::learn_k, "K", &Spec::learn_k}};
  std::vector<LearnerChip> chips{
      {f::learn_x, "", &Spec::learn_x}, {f::learn_q, "", &Spec::learn_q}, {f::learn_k, "", &Spec::learn_k}};
  for (LearnerChip& chip : chips) chip.text = chip.field.text.title;
  return chips;
}
constexpr const char* kAll = "all";

// Where they end.
float learner_chips(DescendScene& scene, Column column) {
  Frame& frame = scene.scene.frame;
  const Theme& theme = frame.theme;
  GradientsSpec& spec = scene.scene.draft();
  const std::vector<LearnerChip> chips = learner_chips_of(scene.task.layer.direct);
  ChipRow row(theme, column.left, column.right);
  bool all = true;
  float end = column.left;
  for (const LearnerChip& chip : chips) {
    all = all && spec.*chip.may;
    end += chip_size(theme, chip.text).x + theme.px(kChipGap);
    switch_chip(row,
                {.id = std::string(chip.field.text.key),
                 .text = chip.text,
                 .tooltip = std::string(chip.field.text.sentence)},
                spec.*chip.may);
  }
  if (row.add({.id = "learn all",
               .text = kAll,
               .tooltip = "everything that scores are made of may learn",
               .on = all}))
    for (const LearnerChip& chip : chips) spec.*chip.may = true;
  return end + chip_size(theme, kAll).x;
}

void step_slider(DescendScene& scene, Column column) {
  Frame& frame = scene.scene.frame;
  const Theme& theme = frame.theme;
  const ImFont* font = theme.fonts.body;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string of = " of " + std::to_string(kDescentSteps);
  const float number = text_width(font, std::to_string(kDescentSteps) + of), word = theme.px(kStepWord);
  const float y = at.y + (theme.px(20) - font_size(font)) / 2;
  draw_text(list, font, {column.left, y}, theme.dim, "step");
  const std::string shown = std::to_string(scene.step) + of;
  draw_text(list, font, {column.right - text_width(font, shown), y}, theme.text, shown);
  const CountField& field = gradients_view_field::step;
  ImGui::SetCursorScreenPos({column.left + word, at.y});
  const auto wanted = slider_row(
      frame, {column.left + word, column.right - number - theme.px(kWordGap)},
      row_in("gradients", field.text),
      {.value = static_cast<double>(scene.step), .least = 0, .most = static_cast<double>(kDescentSteps)});
  if (wanted) scene.scene.view().step = static_cast<std::size_t>(*wanted);
}

void draw_descent_controls(DescendScene& scene, Rect area, float top) {
  Frame& frame = scene.scene.frame;
  const Theme& theme = frame.theme;
  const ImFont* font = theme.fonts.body;
  const std::string may = "may learn";
  const float words = text_width(font, may) + theme.px(kButtonGap);
  draw_text(*ImGui::GetWindowDrawList(), font, {area.min.x, top + theme.px(11) - font_size(font) / 2},
            theme.dim, may);
  const bool one_line = in_one_line(theme, area);
  const float rate = theme.px(kRateRow), gap = theme.px(kButtonGap);
  ImGui::SetCursorScreenPos({area.min.x + words, top});
  const float end = learner_chips(scene, {area.min.x + words, area.max.x});
  const float left = one_line ? end + theme.px(kWideGap) : area.min.x;
  const float line = one_line ? top : top + theme.px(kControlsLine);
  ImGui::SetCursorScreenPos({left, line});
  field_row(frame, {left, left + rate}, "gradients", gradients_field::rate, scene.scene.draft().rate);
  const float right = std::max(area.max.x, left + rate + gap + theme.px(kLeastSlider));
  ImGui::SetCursorScreenPos({left + rate + gap, line + theme.px(1)});
  step_slider(scene, {left + rate + gap, right});
}

// At the right end of the title's line; where it begins.
float take_chip(DescendScene& scene, Rect area) {
  const Theme& theme = scene.scene.frame.theme;
  const Chip chip{.id = "take these",
                  .text = "take these",
                  .tooltip = "what was learnt at step " + std::to_string(scene.step) +
                             " goes into the layer, as one step of undo"};
  if (!scene.moving() || scene.step == 0) return area.max.x;
  const float left = area.max.x - chip_size(theme, chip.text).x;
  ImGui::SetCursorScreenPos({left, area.min.y - theme.px(3)});
  if (draw_chip(theme, chip)) scene.scene.frame.commands.emplace_back("gradients.take_learnt");
  return left - theme.px(kButtonGap);
}

}  // namespace

void draw_descent(GradientsScene& gradients, Rect area) {
  const Theme& theme = gradients.frame.theme;
  DescendScene scene = descend_scene(gradients);
  ImGui::PushID("descend");
  const float until = take_chip(scene, area);
  const DescendPlaces places = places_of(scene, area);
  draw_wanted_map(scene, places.wanted);
  draw_learnt_map(scene, places.learnt);
  const bool shown = scene.moving() || (scene.painted && scene.words.empty());
  shown ? draw_losses(scene, places.losses) : draw_beginnings(scene, places.losses);
  const auto& hovered = gradients.frame.view.hovered;
  const bool painting = hovered && hovered->stage == gradients.stage(gradients.places().wanted).id;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "descend",
             painting ? Subtitle{{kGestures}} : Subtitle{{kWhat}, {kThen}}, until - area.min.x);
  draw_descent_controls(scene, area, places.controls);
  ImGui::PopID();
}

bool asks_for_descent(const Document& document) {
  const DescentTask task = descent_task(document, 0);
  const Shape weights{1, query_count(task.layer), key_count(task.layer)};
  return task.wanted.shape() == weights && rows_asked(task.wanted) > 0 && !learners(task).empty() &&
         descent_refusal(task.layer).empty();
}

// From the step that is shown to the last; from there again from the first.
void play_descent(View& view, const Document&, double seconds) {
  GradientsView& own = view.of<GradientsView>();
  if (own.played == 0 && own.step >= kDescentSteps) own.step = 0;
  own.played += seconds * kStepsASecond;
  const double whole = std::floor(own.played);
  own.step = std::min(kDescentSteps, own.step + static_cast<std::size_t>(whole));
  own.played -= whole;
  if (own.step < kDescentSteps) return;
  own.played = 0;
  view.canvas().playing = false;
}

}  // namespace attn
