// Three rows that nothing was learnt from: what goes in, what is wanted, and what the model says at the step
// that is shown. A symbol is clicked to change it, a row is typed.
#include <algorithm>
#include <cmath>

#include "app/fields/field_typing.h"
#include "app/inspector/inspector_numbers.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/training/scene.h"

namespace attn {
namespace {

constexpr float kLabelColumn = 52, kMostCell = 27, kCellHeight = 24, kRowGap = 12, kSpace = 3, kFoot = 20;

enum class ExampleLine { in, wanted, says };

std::string symbol_at(const std::vector<std::string>& names, std::int32_t symbol) {
  return symbol >= 0 && static_cast<std::size_t>(symbol) < names.size()
             ? names[static_cast<std::size_t>(symbol)]
             : std::string("·");
}

// The row as it is typed: numbers apart by spaces where they have several digits, letters as they are.
std::string row_text(const TrainingTask& task, const std::vector<std::int32_t>& row) {
  const std::vector<std::string> names = symbol_labels(task);
  const bool own = task.kind == TrainingTaskKind::own;
  const bool letters = task.kind == TrainingTaskKind::dates || (own && !task.own.words);
  const char* apart = letters || names.size() <= 10 ? "" : " ";
  std::string text;
  for (const std::int32_t symbol : row) {
    if (own && symbol + 1 == static_cast<std::int32_t>(names.size())) continue;  // what fills it up
    if (!text.empty()) text += apart;
    text += symbol_at(names, symbol);
  }
  return text;
}

void keep_typed(TrainingScene& scene, std::size_t example, const std::string& text) {
  try {
    typed_row(scene.task(), symbols_of_row(scene.task(), text));
    scene.view().typed[example] = text;
  } catch (const std::exception& error) {
    scene.frame.view.say(error.what(), true);
  }
}

// The next symbol in its place; Shift: the one before.
void change_symbol(TrainingScene& scene, std::size_t example, std::size_t place) {
  const std::vector<std::string> names = symbol_labels(scene.task());
  std::vector<std::int32_t> row = scene.seen->of->rows[example].input;
  const auto count = static_cast<std::int32_t>(names.size());
  row[place] = (row[place] + (ImGui::GetIO().KeyShift ? count - 1 : 1)) % count;
  keep_typed(scene, example, row_text(scene.task(), row));
}

struct ExampleBox {
  Rect box{};
  float pitch = 0;
};

void draw_symbol(const TrainingScene& scene, Rect box, ExampleLine line, const MomentRow& row,
                 std::size_t place, const std::string& text) {
  const Theme& theme = scene.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool asked = line != ExampleLine::in && row.target[place] >= 0;
  const bool right = asked && row.says[place] == row.target[place];
  ImU32 fill = theme.chip;
  if (line == ExampleLine::says && asked) fill = mix(theme.chip, right ? theme.good : theme.bad, 0.45f);
  if (line == ExampleLine::wanted || (line == ExampleLine::says && !asked))
    list.AddRect(box.min, box.max, theme.border, theme.px(3), 0, theme.px(1));
  else
    list.AddRectFilled(box.min, box.max, fill, theme.px(3));
  if (line == ExampleLine::says && asked && !right)  // not by its colour alone
    list.AddRectFilled({box.min.x + theme.px(1), box.max.y},
                       {box.max.x - theme.px(1), box.max.y + theme.px(2)}, theme.bad);
  const ImFont* font =
      drawn_width(theme.fonts.body, text) <= box.width() ? theme.fonts.body : theme.fonts.small;
  const std::string shown = elided_as_is(font, text, box.width());
  const bool quiet = line == ExampleLine::says && !asked;
  draw_as_is(list, font,
             {box.min.x + (box.width() - drawn_width(font, shown)) / 2,
              box.min.y + (box.height() - font_size(font)) / 2},
             quiet ? theme.faint : read_colour(theme, theme.text, fill), shown);
}

void press_symbol(TrainingScene& scene, std::size_t example, std::size_t place, Rect box) {
  const std::string id = "symbol " + std::to_string(example) + " " + std::to_string(place);
  if (press_area(scene.theme(), id.c_str(), box,
                 "click: the next symbol, with Shift the one before; press “in” to type the row"))
    change_symbol(scene, example, place);
}

void says_tooltip(const TrainingScene& scene, const MomentRow& row, std::size_t place, Rect box,
                  const std::vector<std::string>& names) {
  if (!ImGui::IsWindowHovered() || !box.contains(ImGui::GetIO().MousePos)) return;
  if (row.target[place] < 0) return show_tooltip("not asked");
  show_tooltip("says " + symbol_at(names, row.says[place]) + "; the right answer, " +
               symbol_at(names, row.target[place]) + ", has probability " +
               inspector::write(row.probability[place], {4}));
  (void)scene;
}

// The word “in” begins to type, as a row of the controls does. Whether it is being typed.
bool type_row(TrainingScene& scene, std::size_t example, Rect word, Rect cells) {
  constexpr std::size_t kMostTyped = 120;  // bytes that the field takes
  const FieldRow field{"training.row " + std::to_string(example), "", ""};
  const std::string now = row_text(scene.task(), scene.seen->of->rows[example].input);
  if (now.size() > kMostTyped) return false;
  if (is_typing(scene.frame.view, field)) {
    if (const auto text = typing_box(scene.frame, field, cells)) keep_typed(scene, example, *text);
    return true;
  }
  const std::string id = "type " + std::to_string(example);
  if (press_area(scene.theme(), id.c_str(), word, "type this row"))
    start_typing(scene.frame.view, field, now);
  return false;
}

// Of a row that has no room the end is shown: where what came before is asked for.
std::size_t first_shown(std::size_t length, float room, float pitch) {
  const auto most = static_cast<std::size_t>(std::max(1.0f, room / pitch));
  return length - std::min(length, most);
}

void draw_example(TrainingScene& scene, std::size_t example, Rect area, float pitch) {
  const Theme& theme = scene.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const MomentRow& row = scene.seen->of->rows[example];
  const std::vector<std::string> names = scene.labels();
  const float left = area.min.x + theme.px(kLabelColumn), high = theme.px(kCellHeight);
  const std::size_t first = first_shown(row.input.size(), area.max.x - left, pitch);
  for (const ExampleLine line : {ExampleLine::in, ExampleLine::wanted, ExampleLine::says}) {
    const float y = area.min.y + static_cast<float>(line) * (high + theme.px(kSpace));
    const char* word = line == ExampleLine::in ? "in" : line == ExampleLine::wanted ? "wanted" : "says";
    const ImFont* font = theme.fonts.small;
    draw_text(list, font, {area.min.x, y + (high - font_size(font)) / 2}, theme.dim, word);
    const Rect name{{area.min.x, y}, {left - theme.px(4), y + high}};
    const Rect cells{{left, y}, {area.max.x, y + high}};
    if (line == ExampleLine::in && type_row(scene, example, name, cells)) continue;
    const auto& symbols = line == ExampleLine::in       ? row.input
                          : line == ExampleLine::wanted ? row.target
                                                        : row.says;
    for (std::size_t place = first; place < symbols.size(); ++place) {
      const float x = left + pitch * static_cast<float>(place - first);
      const Rect box{{x, y}, {x + pitch - theme.px(kSpace), y + high}};
      const bool pad = scene.task().kind == TrainingTaskKind::own &&
                       symbols[place] + 1 == static_cast<std::int32_t>(names.size());
      draw_symbol(scene, box, line, row, place, pad ? "" : symbol_at(names, symbols[place]));
      if (line == ExampleLine::in) press_symbol(scene, example, place, box);
      if (line == ExampleLine::says) says_tooltip(scene, row, place, box, names);
    }
  }
}

}  // namespace

void draw_training_examples(TrainingScene& scene, Rect area) {
  const Theme& theme = scene.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushID("training.examples");
  const bool typed = !scene.view().typed.empty();
  const char* title = typed ? "three rows" : "three held-out rows";
  if (!scene.seen || scene.seen->of->rows.empty()) {
    draw_title(list, theme, area.min, theme.text, title, {}, area.width());
    return ImGui::PopID();
  }
  const auto& rows = scene.seen->of->rows;
  const float room = area.width() - theme.px(kLabelColumn);
  const float pitch =
      std::clamp(room / static_cast<float>(std::max<std::size_t>(1, rows.front().input.size())), theme.px(17),
                 theme.px(kMostCell + kSpace));
  const std::size_t length = rows.front().input.size(), first = first_shown(length, room, pitch);
  const std::string places = "places " + std::to_string(first) + " to " + std::to_string(length - 1);
  draw_title(list, theme, area.min, theme.text, title, {{first > 0 ? places : "what it says now"}},
             area.width());
  const float block = 3 * theme.px(kCellHeight + kSpace) + theme.px(kRowGap);
  const float top = area.min.y + theme.px(kTitleHeight + 4);
  float y = top;
  for (std::size_t i = 0; i < rows.size() && y + block - theme.px(kRowGap) <= area.max.y; ++i, y += block)
    draw_example(scene, i, {{area.min.x, y}, {area.max.x, y + block}}, pitch);
  if (y + theme.px(kFoot) - theme.px(kRowGap) <= area.max.y) {
    const ImFont* font = theme.fonts.small;
    const TrainingMoment& moment = *scene.seen->of;
    const std::string right = std::to_string(moment.right) + " of " + std::to_string(moment.asked) + " right";
    const std::string mean = "mean p " + inspector::write(moment.mean_probability, {2});
    const float left = area.min.x + theme.px(kLabelColumn);
    draw_text(list, font, {left, y}, theme.text, right);
    const float x = left + text_width(font, right) + theme.px(24);
    draw_text(list, font, {x, y}, theme.dim, elided(font, mean, area.max.x - x));
  }
  ImGui::PopID();
}

}  // namespace attn
