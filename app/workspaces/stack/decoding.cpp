// Decoding: token by token, what is written, what comes next, and the parts of the panel laid out.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/canvas/edits.h"
#include "app/theme/toolkit.h"
#include "app/widgets/bars.h"
#include "app/widgets/focus.h"
#include "app/widgets/press.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/stack/decoding_scene.h"
#include "core/document/stack_edit.h"

namespace attn {
namespace {

constexpr float kWrittenCell = 25, kWrittenWidest = 30, kLeastCell = 7;  // points
constexpr float kCandidateBar = 36, kCandidateWidth = 112;
constexpr std::size_t kMostCandidates = 3;
constexpr double kLeastLikely = 5e-5;  // "0.0000" is no candidate

struct DecodingAreas {
  Rect written, next, keys, values, looks, bars, cost;
};

DecodingAreas decoding_areas(const Theme& theme, Rect area) {
  DecodingAreas a;
  const float gap = theme.px(kMapGap), line = theme.px(kWrittenCell);
  const float top = area.min.y + theme.px(kTitleHeight);
  const Rect row{{area.min.x, top}, {area.max.x, top + line}};
  a.written = a.next = row;
  a.written.max.x = a.next.min.x = row.min.x + row.width() * 0.58f;
  a.written.max.x -= gap;
  const Rect below{{area.min.x, top + line + theme.px(8)}, area.max};
  a.keys = part_of(below, 0, 0.26f, gap), a.values = part_of(below, 0.26f, 0.48f, gap);
  a.looks = a.bars = part_of(below, 0.48f, 0.74f, gap);
  a.looks.max.y = below.min.y + below.height() * 0.56f;
  a.bars.min.y = a.looks.max.y + theme.px(6);
  a.cost = part_of(below, 0.74f, 1, gap);
  return a;
}

// The symbols that may come next, the likeliest first.
struct Candidate {
  std::size_t symbol = 0;
  double share = 0;
};
std::vector<Candidate> candidates_of(const DecodedStep& step) {
  const std::vector<double> shares = likelihoods(step.output);
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t count = std::min(kMostCandidates, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
  std::vector<Candidate> found;
  for (std::size_t i = 0; i < count; ++i)
    if (i == 0 || shares[order[i]] >= kLeastLikely) found.push_back({order[i], shares[order[i]]});
  return found;
}

// What stands in a cell behind the first token: written, or what the last step says comes next.
std::string written_word(const DecodingScene& decoding, std::size_t cell) {
  if (cell + 1 < decoding.tokens) return decoded_token(decoding, cell + 1);
  if (cell != decoding.step || !decoding.known() || !decoding.writes()) return {};
  return symbol_name(decoding.scene.spec(), candidates_of(decoding.now()).front().symbol);
}

void draw_written_cells(const DecodingScene& decoding, Rect first, float pitch, std::size_t from,
                        std::size_t shown) {
  const Theme& theme = decoding.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t cell = from + i;
    const float x = first.min.x + pitch * static_cast<float>(i);
    const Rect box{{x, first.min.y}, {x + pitch - theme.px(3), first.max.y}};
    const bool now = cell == decoding.step, past = cell < decoding.step;
    if (now || past) list.AddRectFilled(box.min, box.max, now ? theme.accent_soft : theme.chip, theme.px(4));
    list.AddRect(box.min, box.max, now ? theme.accent : theme.border, theme.px(4), 0,
                 theme.px(now ? 1.5f : 1));
    const ImFont* font = now ? theme.fonts.bold : theme.fonts.body;
    const std::string word = elided(font, written_word(decoding, cell), box.width());
    draw_text(list, font,
              {box.min.x + (box.width() - text_width(font, word)) / 2,
               box.min.y + (box.height() - font_size(font)) / 2},
              now || past ? theme.text : theme.faint, word);
  }
}

// A drag, a click, Enter and a double-click over the cells.
void draw_written(const DecodingScene& decoding, Rect area) {
  StackScene& scene = decoding.scene;
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.small;
  const std::string word = decoding.writes() ? "written" : "rows";
  draw_text(*ImGui::GetWindowDrawList(), font,
            {area.min.x, area.min.y + (area.height() - font_size(font)) / 2}, theme.dim, word);
  Rect cells = area;
  cells.min.x += text_width(font, word) + theme.px(kWordGap);
  const std::size_t most =
      std::max<std::size_t>(1, static_cast<std::size_t>(cells.width() / theme.px(kLeastCell)));
  const std::size_t shown = std::min(decoding.room, most);
  const std::size_t from = decoding.step < shown ? 0 : decoding.step + 1 - shown;
  const float pitch =
      std::floor(std::min(theme.px(kWrittenWidest), cells.width() / static_cast<float>(shown)));
  cells.max.x = cells.min.x + pitch * static_cast<float>(shown);
  draw_written_cells(decoding, cells, pitch, from, shown);
  StackView& view = scene.view();
  if (view.typing) {
    const float x = cells.min.x + pitch * static_cast<float>(decoding.step - from);
    return draw_forced_symbol(decoding, {{x, cells.min.y}, {x + pitch, cells.max.y}});
  }
  ImGui::SetCursorScreenPos(cells.min);
  ImGui::InvisibleButton("written", {cells.width(), cells.height()});
  draw_focus_ring(theme, theme.px(4));
  if (ImGui::IsItemActive() && ImGui::GetIO().MouseDown[0]) {
    const float across = std::max(0.0f, (ImGui::GetIO().MousePos.x - cells.min.x) / pitch);
    view.step = std::min(from + static_cast<std::size_t>(across), decoding.tokens - 1);
  }
  const bool twice = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (decoding.writes() && (twice || pressed_by_enter())) view.typing = true;
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (wants_tooltip())
    show_tooltip(decoding.writes()
                     ? "drag to any step, or ← →; double-click or Enter, then a character: it is "
                       "forced there, and G writes on behind it"
                     : "drag to any step, or ← →: each takes the next row of features");
}

void draw_candidates(const DecodingScene& decoding, Rect area) {
  const Theme& theme = decoding.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont *small = theme.fonts.small, *bold = theme.fonts.bold;
  const float middle = area.min.y + area.height() / 2;
  const auto write = [&](const ImFont* font, float x, ImU32 colour, const std::string& text) {
    draw_text(list, font, {x, middle - font_size(font) / 2}, colour, text);
    return x + text_width(font, text);
  };
  float x = write(small, area.min.x, theme.dim, "next") + theme.px(kWordGap);
  for (const Candidate& each : candidates_of(decoding.now())) {
    const std::string name = symbol_name(decoding.scene.spec(), each.symbol);
    char number[16];
    std::snprintf(number, sizeof number, "%.4f", each.share);
    const float bar = theme.px(kCandidateBar) * static_cast<float>(each.share);
    const float wide = text_width(bold, name) + bar + text_width(small, number) + 2 * theme.px(kTableGap);
    if (x + wide > area.max.x) break;
    const Rect press{{x - theme.px(3), area.min.y}, {x + wide + theme.px(3), area.max.y}};
    const std::string id = "next " + name;
    const bool pressed =
        press_area(theme, id.c_str(), press, "take “" + name + "” here: what was written behind it goes");
    if (pressed && !decoding.stale) take_symbol(decoding, each.symbol);
    x = write(bold, x, theme.text, name) + theme.px(kTableGap);
    const float half = theme.px(5);
    list.AddRectFilled({x, middle - half}, {x + std::max(bar, theme.px(1)), middle + half}, theme.good,
                       theme.px(2));
    x = write(small, x + bar + theme.px(kTableGap), theme.dim, number) + theme.px(kMapGap);
  }
}

// What decoding needs, and a chip that makes it.
void draw_no_decoding(StackScene& scene, Rect area, const std::string& refusal) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.small;
  const std::string words =
      "Decoding writes a token from those before it: it needs a decoder whose tokens see no "
      "later ones. Here " +
      refusal + ".";
  const std::string lines = wrapped(font, words, area.width());
  draw_text(*ImGui::GetWindowDrawList(), font, {area.min.x, area.min.y + theme.px(kTitleHeight)}, theme.dim,
            lines);
  if (scene.places().decoder) return;
  const auto count = static_cast<float>(1 + std::ranges::count(lines, '\n'));
  ImGui::SetCursorScreenPos(
      {area.min.x, area.min.y + theme.px(kTitleHeight + kChipGap) + count * font_size(font) * 1.3f});
  const Chip chip{.id = "decoding decoder",
                  .text = "decoder",
                  .tooltip = "a decoder alone over the same tokens, its weights drawn by the stack's seed"};
  if (draw_chip(theme, chip))
    attempt(scene.frame, [](LayerAt at) { set_stack_sides(at.document, StackSides::decoder); });
}

}  // namespace

void draw_decoding(StackScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string refusal = decoding_refusal(scene);
  ImGui::PushID("decoding");
  if (!refusal.empty()) {
    draw_title(list, theme, area.min, theme.text, "decoding", {}, area.width());
    draw_no_decoding(scene, area, refusal);
    return ImGui::PopID();
  }
  const DecodingScene decoding = decoding_scene(scene);
  draw_title(list, theme, area.min, theme.text, "decoding",
             {{"step " + std::to_string(decoding.step + 1) + " of " + std::to_string(decoding.room), true},
              {"the rows of K and V kept from before, the one new row lit"}},
             area.width());
  const DecodingAreas areas = decoding_areas(theme, area);
  draw_written(decoding, areas.written);
  if (decoding.known()) {
    if (decoding.writes()) draw_candidates(decoding, areas.next);
    draw_kept_rows(decoding, areas.keys, areas.values);
    draw_looks(decoding, areas.looks);
  }
  draw_step_bars(decoding, areas.bars);
  draw_decoding_cost(decoding, areas.cost);
  follow_writing(decoding);
  ImGui::PopID();
}

}  // namespace attn
