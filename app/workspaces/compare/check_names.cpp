// Names of a file, what each was taken for, and its shape here.
#include "app/workspaces/compare/check_names.h"

#include <algorithm>

#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/press.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/compare/check_file.h"
#include "core/attention/layer_fields.h"
#include "core/compare/check_edit.h"

namespace attn {
namespace {

constexpr float kNameLine = 18, kMeaningAt = 0.56f, kListHeight = 320;  // points, a share, points
constexpr const char* kNotNeeded = "not needed";

// A matrix of the layer or a stage of yours.
struct MeantTensor {
  std::string title;
  Shape shape;
  bool yours = false;
};

// Calls visit(text, tensor) for each that a part has.
template <class Part, class Visit>
void visit_tensors(const Part& part, Visit&& visit) {
  visit_fields(of<Part>, [&](const auto& field, auto member) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, TensorField>)
      visit(field, part.*member);
  });
}

// Stages come first: q, k and v of a projected layer are yours.
std::optional<MeantTensor> meant_tensor(const Document& document, const std::string& meaning) {
  std::optional<MeantTensor> found;
  visit_tensors(document.layer(), [&](const TensorField& field, const Tensor& tensor) {
    if (field.text.key == meaning) found = {std::string(field.symbol), tensor.shape(), false};
  });
  visit_tensors(document.check, [&](const TensorField& field, const Tensor& tensor) {
    if (field.text.key == meaning && !tensor.empty())
      found = {std::string(field.stage), tensor.shape(), true};
  });
  return found;
}

std::string meaning_title(const Document& document, const std::string& meaning) {
  if (meaning.empty()) return kNotNeeded;
  const auto tensor = meant_tensor(document, meaning);
  return tensor ? tensor->title : meaning;
}

std::string meaning_shape(const Document& document, const std::string& meaning) {
  const auto tensor = meant_tensor(document, meaning);
  if (!tensor || tensor->shape.size() == 0) return {};
  Shape shape = tensor->shape;
  if (shape.stack == 1 && shape.rows == 1) return std::to_string(shape.columns);
  return to_string(shape);
}

// The end of a long name tells it from others.
std::string end_of(const ImFont* font, const std::string& name, float width) {
  if (text_width(font, name) <= width) return name;
  for (std::size_t from = 1; from < name.size(); ++from)
    if (const std::string end = "…" + name.substr(from); text_width(font, end) <= width) return end;
  return "…";
}

// The meaning that was picked.
std::optional<NameChoice> meaning_list(const Document& document, const NameChoice& now) {
  std::optional<NameChoice> picked;
  const auto entry = [&](const std::string& title, const NameChoice& choice) {
    bool pressed = selectable(title, choice == now);
    pressed = pressed_by_enter() || pressed;
    if (choice == now) ImGui::SetItemDefaultFocus();
    if (pressed) picked = choice, ImGui::CloseCurrentPopup();
  };
  if (!now.meaning.empty()) {
    NameChoice turned = now;
    turned.transposed = !now.transposed;
    entry(turned.transposed ? "transpose it" : "do not transpose it", turned);
  }
  entry(kNotNeeded, {now.name});
  for (const std::string& meaning : dump_meanings()) {
    const std::string title = meaning_title(document, meaning);
    entry(title == meaning ? title : title + "  " + meaning,
          {.name = now.name, .meaning = meaning, .transposed = now.meaning == meaning && now.transposed});
  }
  return picked;
}

void draw_words_of_name(Frame& frame, Rect line, const NameChoice& choice) {
  const Theme& theme = frame.theme;
  const ImFont* font = theme.fonts.small;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool needed = !choice.meaning.empty();
  const auto tensor = meant_tensor(frame.draft, choice.meaning);
  const std::string meaning = meaning_title(frame.draft, choice.meaning),
                    turned = choice.transposed ? "ᵀ" : "", shape = meaning_shape(frame.draft, choice.meaning);
  const float y = line.min.y + (line.height() - font_size(font)) / 2;
  const float middle =
      needed ? line.min.x + line.width() * kMeaningAt : line.max.x - text_width(font, meaning);
  const float gap = theme.px(kTableGap), last = line.max.x - text_width(font, shape);
  draw_text(list, font, {line.min.x, y}, needed ? theme.text : theme.faint,
            end_of(font, choice.name, middle - gap - line.min.x));
  const ImU32 ink = !needed ? theme.faint : tensor && tensor->yours ? theme.key : theme.text;
  const std::string shown = elided(font, meaning, (needed ? last : line.max.x + gap) - gap - middle);
  draw_text(list, font, {middle, y}, ink, shown);
  draw_text(list, font, {middle + text_width(font, shown), y}, theme.warning, turned);
  draw_text(list, font, {last, y}, theme.dim, shape);
}

void name_line(Frame& frame, Column column, std::size_t place) {
  const Theme& theme = frame.theme;
  const NameChoice choice = name_choice(frame.draft.check.names[place]);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect line{{column.left, at.y}, {column.right, at.y + theme.px(kNameLine)}};
  draw_words_of_name(frame, line, choice);
  const std::string id = "name " + choice.name, popup = id + " list";
  const std::string says = choice.name + ": " + meaning_title(frame.draft, choice.meaning) +
                           (choice.transposed ? ", transposed on reading" : "") +
                           (choice.layout.empty() ? "" : ", its axes were " + choice.layout) +
                           "\nclick: take it for something else";
  if (press_area(theme, id.c_str(), line, says)) ImGui::OpenPopup(popup.c_str());
  ImGui::SetNextWindowSizeConstraints({0, 0}, {theme.px(kListHeight), theme.px(kListHeight)});
  if (ImGui::BeginPopup(popup.c_str())) {
    if (const auto picked = meaning_list(frame.draft, choice); picked && *picked != choice) {
      std::vector<std::string> names = frame.draft.check.names;
      names[place] = name_words(*picked);
      read_check_file(frame.view, frame.draft.check.file[0], names);
    }
    ImGui::EndPopup();
  }
  ImGui::SetCursorScreenPos({column.left, line.max.y});
}

}  // namespace

void draw_check_names(Frame& frame, Column column) {
  const std::vector<std::string>& names = frame.draft.check.names;
  std::vector<std::size_t> order(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_partition(order, [&](std::size_t i) { return !name_choice(names[i]).meaning.empty(); });
  for (const std::size_t place : order) name_line(frame, column, place);
}

}  // namespace attn
