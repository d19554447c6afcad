// Heads that share keys and values: how far the output comes from the layer's as they become fewer, and what
// is saved.
#include <algorithm>
#include <cmath>

#include "app/canvas/edits.h"
#include "app/plot/plot.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/workspaces/heads/scene.h"
#include "core/text/quantity.h"

namespace attn {
namespace {

constexpr float kHead = 20, kGroupLine = 22, kBetween = 6;

struct TableHead {
  const char *words, *brief;
};

std::size_t place_of_choice(const HeadsScene& scene) {
  const std::size_t wanted = looked_at_groups(scene.spec, scene.results.document.layer());
  const auto it = std::ranges::find(scene.memo.groupings, wanted, &Grouping::kv_heads);
  return it == scene.memo.groupings.end() ? 0 : static_cast<std::size_t>(it - scene.memo.groupings.begin());
}

void look_at(HeadsScene& scene, std::size_t place) {
  const std::size_t last = scene.memo.groupings.size() - 1;
  scene.frame.draft.heads.kv_heads = place == 0 ? 0 : scene.memo.groupings[std::min(place, last)].kv_heads;
}

std::string words_of(const HeadsScene& scene, std::size_t place) {
  const std::size_t count = scene.memo.groupings[place].kv_heads;
  if (place == 0) return std::to_string(count) + (count == scene.heads() ? " full" : " now");
  return std::to_string(count) + (count == 1 ? " multi-query" : "");
}

// Of a table's columns in so much room: all as they are, or all short.
std::vector<std::string> fitting_heads(const Theme& theme, const std::vector<TableHead>& heads, float width) {
  const float room = width / static_cast<float>(heads.size()) - theme.px(kBetween);
  const bool all = std::ranges::all_of(
      heads, [&](const TableHead& head) { return text_width(theme.fonts.small, head.words) <= room; });
  std::vector<std::string> words;
  for (const TableHead& head : heads) words.emplace_back(all ? head.words : head.brief);
  return words;
}

void draw_cells(const HeadsScene& scene, Rect row, const std::vector<std::string>& words, ImU32 colour) {
  const ImFont* font = scene.frame.theme.fonts.small;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const float right =
        row.min.x + row.width() * static_cast<float>(i + 1) / static_cast<float>(words.size());
    const float room = row.width() / static_cast<float>(words.size()) - scene.frame.theme.px(kBetween);
    const std::string shown = elided(font, words[i], room);
    draw_text(*ImGui::GetWindowDrawList(), font,
              {right - text_width(font, shown), row.min.y + (row.height() - font_size(font)) / 2}, colour,
              shown);
  }
}

}  // namespace

void draw_groups(HeadsScene& scene, Rect area) {
  const auto& groupings = scene.memo.groupings;
  Labels names;
  std::vector<float> distances;
  for (std::size_t i = 0; i < groupings.size(); ++i) {
    names.push_back(words_of(scene, i));
    distances.push_back(groupings[i].distance ? static_cast<float>(*groupings[i].distance) : std::nanf(""));
  }
  const ImU32 colour = scene.frame.theme.accent;
  Plot plot{.id = "grouped",
            .title = "grouped",
            .subtitle = {{"output's distance, relative"}, {"as keys and values are shared"}},
            .x = {.low = -0.25,
                  .high = static_cast<double>(groupings.size()) - 0.75,
                  .names = std::make_shared<const Labels>(std::move(names))},
            .y = {.low = 0},
            .legend = PlotLegend::none};
  const Samples y = Samples::of(std::move(distances));
  plot.series.push_back({.y = y, .colour = colour});
  plot.series.push_back({.kind = SeriesKind::points, .y = y, .colour = colour, .radius = 4.5f});
  plot.markers.push_back({.id = "looked at",
                          .at = static_cast<double>(place_of_choice(scene)),
                          .label = {},
                          .colour = scene.frame.theme.dim,
                          .draggable = true});
  const PlotEvents events = draw_plot(scene.frame, plot, area);
  if (events.marker)
    look_at(scene, static_cast<std::size_t>(std::max(0.0, std::round(events.marker->to))));
  else if (events.clicked_sample)
    look_at(scene, events.clicked_sample->sample);
}

void draw_groups_table(HeadsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const bool direct = scene.results.document.layer().direct;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text,
             direct ? "cache" : "parameters and cache", {{"as keys and values are shared, float32"}},
             area.width());
  Rect row{{area.min.x, area.min.y + theme.px(kTitleHeight)},
           {area.max.x, area.min.y + theme.px(kTitleHeight + kHead)}};
  std::vector<TableHead> heads{{"key/value heads", "heads"}};
  if (!direct) heads.push_back({"parameters", "parameters"});
  heads.insert(heads.end(), {{"cache a token", "cache"}, {"output moves by", "output"}});
  draw_cells(scene, row, fitting_heads(theme, heads, row.width()), theme.faint);
  const std::size_t chosen = place_of_choice(scene);
  ImGui::PushID("groupings");
  for (std::size_t i = 0; i < scene.memo.groupings.size(); ++i) {
    const Grouping& g = scene.memo.groupings[i];
    row = {{area.min.x, row.max.y}, {area.max.x, row.max.y + theme.px(kGroupLine)}};
    if (row.max.y > area.max.y) break;
    const std::string count = std::to_string(g.kv_heads);
    if (press_area(theme, count.c_str(), row, "look at " + count + " key/value heads")) look_at(scene, i);
    if (i == chosen)
      ImGui::GetWindowDrawList()->AddRectFilled(row.min, row.max, theme.accent_soft, theme.px(4));
    std::vector<std::string> words{count};
    if (!direct) words.push_back(grouped(Count{g.parameters}));
    words.push_back(grouped(Count{g.cache}) + " B");
    words.push_back(g.distance ? share_text(*g.distance, 3) : "…");
    draw_cells(scene, row, words, i == chosen ? theme.text : theme.dim);
  }
  ImGui::PopID();
}

}  // namespace attn
