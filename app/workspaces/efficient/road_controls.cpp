// Which roads are laid beside full attention, what sparse ones keep, and measuring them.
#include <algorithm>

#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/efficient/roads.h"
#include "core/efficient/road_rules.h"
#include "core/operations/mask_words.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr const char* kRoadsPart = "efficient";

bool uses_window(Road road) {
  return is_sparse(road) && road != Road::strided;
}
bool uses_global(Road road) {
  return road == Road::longformer || road == Road::bigbird;
}

// A row of something that the chosen road is set by is lit.
template <class DrawRow>
void lit_row(Frame& frame, Column column, bool lit, DrawRow row) {
  const float top = ImGui::GetCursorScreenPos().y;
  row();
  if (!lit) return;
  const Theme& theme = frame.theme;
  const float x = column.left - theme.px(7), bottom = ImGui::GetCursorScreenPos().y - theme.px(6);
  ImGui::GetWindowDrawList()->AddRectFilled({x, top}, {x + theme.px(2), bottom}, theme.accent, theme.px(1));
}

void global_row(Frame& frame, Column column) {
  namespace f = efficient_field;
  const FieldRow row = row_in(kRoadsPart, f::global_tokens.text);
  std::vector<std::size_t>& tokens = frame.draft.efficient.global_tokens;
  const auto text = text_row(frame, column, row, tokens.empty() ? "none" : count_words(tokens, ", "));
  if (text)
    attempt_in_row(frame.view, {.row = row.id}, [&] {
      ValueWords words;
      std::string spaced = *text;
      std::ranges::replace(spaced, ',', ' ');
      for (const std::string& word : split(spaced, ' '))
        if (!word.empty()) words.push_back(word);
      read_words(f::global_tokens, words, tokens);
    });
  refusal(frame, column, row.id);
}

void beside_full(Frame& frame, Column column) {
  EfficientSpec& spec = frame.draft.efficient;
  std::vector<std::string> names;
  for (const Road road : laid_roads(spec))
    if (road != Road::full) names.push_back(road_title(road));
  if (!foldable_section(frame, column,
                        {.title = "Beside full", .state = state_of_several(names), .open = true}))
    return;
  ChipRow row(frame.theme, column.left, column.right);
  for (const auto& word : efficient_field::road.words) {
    if (word.choice == Road::full) continue;
    const std::string title(word.title);
    if (row.add({.id = "road chip " + title,
                 .text = title,
                 .tooltip = title + " beside full attention, or without it",
                 .on = std::ranges::count(spec.roads, word.choice) > 0}))
      toggle_road(spec, word.choice);
  }
}

void sparse_rows(Frame& frame, Column column) {
  namespace f = efficient_field;
  EfficientSpec& spec = frame.draft.efficient;
  const Road road = frame.view.of<EfficientView>().road;
  const std::string state = states({"w " + std::to_string(spec.window), "l " + std::to_string(spec.stride)});
  if (!foldable_section(frame, column, {.title = "Sparse", .state = state, .open = true})) return;
  const auto count = [&](const CountField& field, std::size_t& value, bool lit) {
    lit_row(frame, column, lit, [&] { field_row(frame, column, kRoadsPart, field, value); });
  };
  count(f::window, spec.window, uses_window(road));
  count(f::stride, spec.stride, road == Road::strided);
  lit_row(frame, column, uses_global(road), [&] { global_row(frame, column); });
  count(f::random_keys, spec.random_keys, road == Road::bigbird);
  count(f::seed, spec.seed, road == Road::bigbird || road == Road::random);
}

void measured_tokens_row(Frame& frame, Column column) {
  namespace f = efficient_field;
  std::vector<std::string> names;
  std::vector<std::size_t> lengths;
  for (std::size_t n = f::measured_tokens.least; n <= f::measured_tokens.most; n *= 2)
    names.push_back(grouped(n)), lengths.push_back(n);
  std::size_t& tokens = frame.draft.efficient.measured_tokens;
  const auto now = std::ranges::find(lengths, tokens);
  const auto at = static_cast<std::size_t>(now - lengths.begin());
  if (now == lengths.end()) names.push_back(grouped(tokens));
  const auto chosen = choice_row(frame, column, row_in(kRoadsPart, f::measured_tokens.text), names, at);
  if (chosen && *chosen < lengths.size()) tokens = lengths[*chosen];
}

std::string measured_words(const RoadTimes& times) {
  if (times.measured.points.empty()) return {};
  return std::to_string(kept_rounds(times)) + " of " + std::to_string(kRoadRounds) + " kept";
}

}  // namespace

void draw_road_controls(Frame& frame, Column column) {
  beside_full(frame, column);
  sparse_rows(frame, column);
}

void draw_measure_controls(Frame& frame, Column column) {
  const RoadTimes& times = road_times(frame);
  const bool running = frame.view.of<EfficientView>().measuring.has_value();
  const std::string state = running ? "measuring…" : "";
  if (!foldable_section(frame, column, {.title = "Measure on this device", .state = state, .open = true}))
    return;
  measured_tokens_row(frame, column);
  const float top = ImGui::GetCursorScreenPos().y;
  const std::string chip = running ? "stop" : "measure";
  {
    ChipRow row(frame.theme, column.left, column.right);
    if (row.add({.id = "measure roads",
                 .text = chip,
                 .tooltip = running ? "M: what was measured so far stays"
                                    : "M: every road, nine times in turn; the median counts"}))
      frame.commands.emplace_back(kMeasureRoads);
  }
  std::string words = measured_words(times);
  if (running && times.planned > 0)
    words = std::to_string(times.done) + " of " + std::to_string(times.planned) + " samples";
  const ImFont* font = frame.theme.fonts.small;
  const float y = top + (chip_size(frame.theme, chip).y - font_size(font)) / 2;
  draw_text(*ImGui::GetWindowDrawList(), font, {column.right - text_width(font, words), y}, frame.theme.faint,
            words);
  if (!running && times.measured.state == MeasureState::ended) hint(frame, column, times.measured.why);
}

}  // namespace attn
