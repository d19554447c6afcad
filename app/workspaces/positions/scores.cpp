// The same content under each encoding: scores, weights, what the encoding adds, scores against distance; and
// under each what a shift of all positions moves and whether its scores depend on the offset alone.
#include <algorithm>
#include <array>

#include "app/plot/plot.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/positions/scene.h"
#include "core/attention/position_fields.h"

namespace attn {
namespace {

constexpr float kScoresCaption = 32, kBelowScores = 5;
constexpr std::string_view kScoresTitle = "in the scores";

// What is shown of each encoding.
struct Choice {
  std::string_view text;
  PositionsView::ScoreView shown;
  const char* tooltip;
};
constexpr std::array kChoices{
    Choice{"weights", PositionsView::weights, "the softmax of the scores, row by row"},
    Choice{"scores", PositionsView::scores, "what the softmax reads"},
    Choice{"difference", PositionsView::difference,
           "scores with the encoding, less those of the content alone"},
    Choice{"by distance", PositionsView::distance, "one row of scores along the offset from its query"}};

// Behind the title.
float choices_left(const Theme& theme) {
  return text_width(theme.fonts.bold, kScoresTitle) + theme.px(16);
}
constexpr double kScoreRounding = 1e-9;  // of scores in double: what is more is no rounding

struct Caption {
  std::string words;
  ImU32 colour;
};

// By the shift that is set, else by a usual one.
Caption shift_caption(const PositionsScene& scene, const PositionsPart& part) {
  const Theme& theme = scene.frame.theme;
  const PositionsFacts& facts = scene.memo.facts;
  const std::string shift = "shift +" + std::to_string(facts.shift) + ": ";
  const auto moved = facts.encodings[part.encoding].moved;
  if (!moved) return {shift + "no row there", theme.bad};
  if (*moved <= kScoreRounding) return {shift + "nothing", theme.good};
  return {shift + "moves " + amount(*moved), theme.warning};
}

Caption offset_caption(const PositionsScene& scene, const PositionsPart& part, bool mixed) {
  const Theme& theme = scene.frame.theme;
  if (!part.part) return {part.why, theme.bad};
  const PositionsFacts::Encoding& fact = scene.memo.facts.encodings[part.encoding];
  const double uneven = mixed ? fact.mixed.value_or(0) : fact.uneven;
  if (uneven <= kScoreRounding) return {"by j − i alone: " + amount(uneven) + " ✓", theme.good};
  return {"not by j − i: " + amount(uneven), mixed ? theme.bad : theme.warning};
}

void put(const PositionsScene& scene, Rect area, float y, const Caption& caption) {
  const ImFont* font = scene.frame.theme.fonts.small;
  const std::string shown = elided(font, caption.words, area.width());
  draw_text(*ImGui::GetWindowDrawList(), font, {area.min.x, y}, caption.colour, shown);
  if (shown != caption.words && ImGui::IsWindowHovered() &&
      ImGui::IsMouseHoveringRect({area.min.x, y}, {area.max.x, y + font_size(font)}))
    show_tooltip(caption.words);
}

// The title as a button that shows the encoding large.
void title_button(PositionsScene& scene, Rect area, const PositionsPart& part) {
  const float height = scene.frame.theme.px(20);
  ImGui::SetCursorScreenPos(area.min);
  ImGui::PushID(part.prefix.c_str());
  bool pressed = ImGui::InvisibleButton("title", {area.width(), height});
  pressed = pressed_by_enter() || pressed;
  draw_focus_ring(scene.frame.theme, scene.frame.theme.px(4));
  if (pressed) show_encoding(scene.frame.draft.positions, part.position.index());
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    show_tooltip("show " + part.title + " large");
  }
  ImGui::PopID();
}

std::optional<StageIndex> chosen_stage(const PositionsScene& scene, const PositionsPart& part,
                                       std::size_t number) {
  switch (scene.view().shown) {
    case PositionsView::scores:
    case PositionsView::distance:
      return scene.read_by_softmax(part);
    case PositionsView::weights:
      return scene.weights(part);
    case PositionsView::difference:
      break;
  }
  return !part.part ? std::nullopt : scene.stage(scene.places.difference, number);
}

// What is pointed at or pinned in one of them is ringed in all.
void draw_same_place(const PositionsScene& scene, const Grid& grid, const std::vector<std::string>& all) {
  const auto& focus = scene.frame.view.focus();
  if (!focus || focus->stage == grid.stage || std::ranges::count(all, focus->stage) == 0) return;
  const Cell cell = focus->cell;
  if (cell.row >= grid.shape.rows || cell.column >= grid.shape.columns) return;
  const Rect first = cell_rect(grid, scene.frame, cell.row, 0);
  const Rect last = cell_rect(grid, scene.frame, cell.row, grid.shape.columns - 1);
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRect(first.min, last.max, theme.outline_soft, theme.px(1), 0, theme.px(1.2f));
  const Rect here = cell_rect(grid, scene.frame, cell.row, cell.column);
  list.AddRect(here.min, here.max, theme.outline, theme.px(1), 0, theme.px(1.5f));
}

struct ShownStage {
  PositionsPart part;
  std::optional<StageIndex> stage;
  bool mixed = false;
};

std::vector<ShownStage> all_shown(const PositionsScene& scene) {
  std::vector<ShownStage> all;
  std::size_t number = 0;
  for (const PositionsPart& part : scene.places.scores) {
    all.push_back({part, chosen_stage(scene, part, number)});
    if (part.part) ++number;
  }
  if (!scene.places.mixed) return all;
  const PositionsPart& mixed = *scene.places.mixed;
  const bool differs = scene.view().shown == PositionsView::difference;
  all.push_back({mixed, differs ? scene.read_by_softmax(mixed) : chosen_stage(scene, mixed, 0), true});
  return all;
}

void draw_matrix(PositionsScene& scene, Rect area, const ShownStage& shown,
                 const std::vector<std::string>& all) {
  const Theme& theme = scene.frame.theme;
  const Rect room{area.min, {area.max.x, area.max.y - theme.px(kScoresCaption)}};
  const ImU32 ink = shown.mixed ? theme.bad : scene.colour(shown.part.encoding);
  if (shown.stage) {
    Grid grid = fitted_grid(scene.frame, *shown.stage, scene.head, room);
    grid.title = shown.part.title;
    grid.subtitle = {};
    grid.role = grid.hue =
        Role::plain;  // all are of one role: what tells them apart is the colour of their line
    draw_grid(scene.frame, grid);
    draw_same_place(scene, grid, all);
  } else {
    draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.dim, shown.part.title, {}, area.width());
    const Rect box{{room.min.x, room.min.y + theme.px(42)}, {room.max.x, room.max.y - theme.px(20)}};
    ImGui::GetWindowDrawList()->AddRect(box.min, box.max, theme.border, theme.px(3));
    put(scene, {{box.min.x + theme.px(6), 0}, {box.max.x, 0}}, (box.min.y + box.max.y) / 2,
        {shown.part.why, theme.bad});
  }
  ImGui::GetWindowDrawList()->AddRectFilled({area.min.x, area.min.y + theme.px(19)},
                                            {area.min.x + theme.px(24), area.min.y + theme.px(21)}, ink);
  if (!shown.mixed) title_button(scene, area, shown.part);
  if (shown.mixed)
    put(scene, area, room.max.y + theme.px(2), {"pairs mixed: broken", theme.bad});
  else
    put(scene, area, room.max.y + theme.px(2), shift_caption(scene, shown.part));
  put(scene, area, room.max.y + theme.px(17), offset_caption(scene, shown.part, shown.mixed));
}

// One row of scores: that of the query pinned or pointed at, else the middle one.
void draw_by_distance(PositionsScene& scene, Rect area, const std::vector<ShownStage>& all) {
  const auto& focus = scene.frame.view.focus();
  std::size_t query = scene.spec.tokens / 2;
  for (const ShownStage& shown : all)
    if (shown.stage && focus && focus->stage == scene.results.graph.stages[*shown.stage].id)
      query = std::min(focus->cell.row, scene.spec.tokens - 1);
  const std::size_t head = scene.head, n = scene.spec.tokens;
  Plot plot{.id = "by distance",
            .title = "score against distance",
            .subtitle = {{"of query " + std::to_string(query)}, {"head " + std::to_string(head)}},
            .x = {.title = "offset j − i"},
            .y = {.title = "score"}};
  for (const ShownStage& shown : all) {
    if (!shown.stage) continue;
    const Tensor& scores = scene.numbers(*shown.stage);
    Samples row = Samples::of(scores);
    plot.shows.push_back(*shown.stage);
    row.first = (std::min(head, scores.stack() - 1) * n + query) * n, row.count = n;
    plot.series.push_back({.name = shown.part.title,
                           .x = Samples::range(-static_cast<double>(query), 1, n),
                           .y = row,
                           .colour = shown.mixed ? scene.frame.theme.bad : scene.colour(shown.part.encoding),
                           .dashed = shown.mixed});
  }
  draw_plot(scene.frame, plot, area);
}

void draw_choices(PositionsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_text(list, theme.fonts.bold, {area.min.x, area.min.y + theme.px(4)}, theme.text, kScoresTitle);
  const float left = area.min.x + choices_left(theme);
  ImGui::SetCursorScreenPos({left, area.min.y});
  ChipRow row(theme, left, area.max.x);
  for (const Choice& choice : kChoices)
    if (row.add({.id = "shown " + std::string(choice.text),
                 .text = std::string(choice.text),
                 .tooltip = choice.tooltip,
                 .on = scene.view().shown == choice.shown}))
      scene.view().shown = choice.shown;
}

}  // namespace

float choices_height(const Theme& theme, float width) {
  std::vector<std::string_view> texts;
  for (const Choice& choice : kChoices) texts.push_back(choice.text);
  return chip_rows_height(theme, chip_lines(theme, texts, width - choices_left(theme))) +
         theme.px(kBelowScores);
}

void draw_scores_under(PositionsScene& scene, Rect area) {
  draw_choices(scene, area);
  const float top = area.min.y + choices_height(scene.frame.theme, area.width());
  const Rect room{{area.min.x, top}, area.max};
  const std::vector<ShownStage> all = all_shown(scene);
  if (scene.view().shown == PositionsView::distance) return draw_by_distance(scene, room, all);
  std::vector<std::string> stages;
  for (const ShownStage& shown : all)
    if (shown.stage) stages.push_back(scene.results.graph.stages[*shown.stage].id);
  const std::vector<Rect> places = shared_out(scene.frame.theme, room, all.size());
  for (std::size_t i = 0; i < all.size(); ++i) draw_matrix(scene, places[i], all[i], stages);
}

}  // namespace attn
