// The keys as a table: names and scores to type, masked or shown, removed.
#include <algorithm>

#include "app/canvas/edits.h"
#include "app/fields/fields.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/softmax/scene.h"
#include "core/softmax/fields.h"

namespace attn {
namespace {

constexpr float kTableHead = 26, kLine = 28, kNumber = 46, kName = 130, kScore = 110, kTable = 560;

struct KeyRow {
  SoftmaxScene& scene;
  std::size_t key;
  float score;
  float x, y;

  Column take(float width) {
    const Theme& theme = scene.frame.theme;
    const Column cell{x, x + theme.px(width)};
    ImGui::SetCursorScreenPos({x, y});
    x += theme.px(width + kWordGap);
    return cell;
  }
};

void draw_number(KeyRow& row) {
  SoftmaxScene& scene = row.scene;
  const Theme& theme = scene.frame.theme;
  const Column cell = row.take(kNumber - kWordGap);
  bool pressed = ImGui::InvisibleButton("row", {cell.right - cell.left, theme.px(kLine - 4)});
  pressed = pressed_by_enter() || pressed;
  draw_focus_ring(theme, theme.px(4));
  if (wants_tooltip()) show_tooltip("select the key: it is ringed in the bars");
  if (pressed) scene.view().key = row.key;
  const ImFont* font = theme.fonts.body;
  draw_text(*ImGui::GetWindowDrawList(), font,
            {cell.left + theme.px(4), row.y + (theme.px(kLine - 4) - font_size(font)) / 2},
            scene.view().key == row.key ? theme.accent : theme.dim, std::to_string(row.key));
}

void draw_name(KeyRow& row) {
  SoftmaxScene& scene = row.scene;
  const Column cell = row.take(kName);
  const FieldRow field{"softmax.name " + std::to_string(row.key), "", "what the key is called"};
  if (scene.draft().source == RowSource::layer) {
    value_row(scene.frame, cell, {field.id, "", "a token of the layer"}, scene.name(row.key));
  } else if (const auto name = text_row(scene.frame, cell, field, scene.name(row.key))) {
    attempt(scene.frame, [&](LayerAt in) { rename_key(in.document.softmax, row.key, *name); });
  }
}

void draw_score(KeyRow& row) {
  SoftmaxScene& scene = row.scene;
  const Column cell = row.take(kScore);
  const FieldRow field{"softmax.score " + std::to_string(row.key), "",
                       "its score: typed or dragged sideways"};
  if (const auto wanted =
          number_row(scene.frame, cell, field, {.value = static_cast<double>(row.score), .per_pixel = 0.01}))
    attempt(scene.frame, [&](LayerAt in) {
      set_score(in.document, row.key, static_cast<float>(*wanted), scene.places().from);
    });
  refusal(scene.frame, {row.x, row.x + scene.frame.theme.px(300)}, field.id);
}

void draw_row(KeyRow row) {
  SoftmaxScene& scene = row.scene;
  const Theme& theme = scene.frame.theme;
  ImGui::PushID(static_cast<int>(row.key));
  draw_number(row);
  draw_name(row);
  draw_score(row);
  const Column weight = row.take(70);
  const std::string text = four_digits(scene.memo.weights[row.key]);
  const ImFont* font = theme.fonts.body;
  draw_text(*ImGui::GetWindowDrawList(), font,
            {weight.right - text_width(font, text), row.y + (theme.px(kLine - 4) - font_size(font)) / 2},
            theme.dim, text);
  const Column chips = row.take(150);
  const bool hidden = is_hidden(scene, row.key);
  {
    ChipRow buttons(theme, chips.left, chips.right);
    if (buttons.add({.id = "mask",
                     .text = "mask",
                     .tooltip = hidden ? "show the key again" : "hide the key: −∞ instead of its score",
                     .on = hidden}))
      attempt(scene.frame, [&](LayerAt in) { mask_key(in.document, row.key, !hidden, scene.places().from); });
    if (buttons.add({.id = "remove", .text = "×", .tooltip = "remove the key"}))
      attempt(scene.frame, [&](LayerAt in) {
        remove_shown_key(in.document, scene.results, row.key);
        scene.view().key.reset();
      });
  }
  ImGui::PopID();
}

void draw_buttons(SoftmaxScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const float words = text_width(theme.fonts.bold, "keys") + theme.px(24);
  ImGui::SetCursorScreenPos({area.min.x + words, area.min.y - theme.px(4)});
  ChipRow row(theme, area.min.x + words, area.max.x);
  if (row.add({.id = "add key", .text = "add a key", .tooltip = "with the score 0"}))
    scene.frame.commands.emplace_back("softmax.add_key");
  if (scene.draft().source == RowSource::layer &&
      row.add({.id = "own row", .text = "take as your own", .tooltip = "these scores, apart from the layer"}))
    attempt(scene.frame, [&](LayerAt in) { take_row(in.document, scene.results); });
}

}  // namespace

void draw_keys_table(SoftmaxScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "keys", {}, area.width());
  draw_buttons(scene, area);
  const std::vector<float> scores = shown_scores(scene);
  const float top = area.min.y + theme.px(kTableHead);
  ImGui::SetCursorScreenPos({area.min.x, top});
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, theme.px(8));
  ImGui::BeginChild("keys", {std::min(area.width(), theme.px(kTable)), area.max.y - top}, false,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_HorizontalScrollbar | kFocusableChild);
  ImGui::PopStyleVar();
  begin_tab_stops();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const std::size_t count = std::min(scores.size(), scene.keys());
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(count), theme.px(kLine));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto key = static_cast<std::size_t>(i);
      draw_row({scene, key, scores[key], origin.x, origin.y + theme.px(kLine) * static_cast<float>(i)});
    }
  end_tab_stops();
  ImGui::SetCursorScreenPos({origin.x, origin.y + theme.px(kLine) * static_cast<float>(count)});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

}  // namespace attn
