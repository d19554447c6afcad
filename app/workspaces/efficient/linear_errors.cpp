// What a query reads of the recurrent network's state, beside exact attention; the error of every token.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/cells/cell_draw.h"
#include "app/theme/toolkit.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/efficient/linear.h"
#include "app/workspaces/efficient/roads.h"

namespace attn {
namespace {

constexpr float kReadStrip = 17, kReadGap = 5;          // points
constexpr float kErrorCaption = 22, kErrorSwatch = 13;  // of the curves
constexpr const char* kTokenHint = "drag the token";

// What is said of the query, and of its output; of the readings that are there.
struct ReadOutput {
  std::array<Tensor, 3> rows = {};  // o, exact, difference
  float range = 0;
};

ReadOutput output_at(const LinearScene& linear, std::size_t query) {
  const LinearReadings& readings = *linear.found.readings;
  const std::size_t columns = linear.task().columns();
  std::array<std::vector<float>, 3> rows;
  for (std::size_t i = query * columns; i < (query + 1) * columns; ++i) {
    const double o = readings.outputs[i], exact = readings.exact[i];
    rows[0].push_back(static_cast<float>(o));
    rows[1].push_back(static_cast<float>(exact));
    rows[2].push_back(static_cast<float>(o - exact));
  }
  ReadOutput read;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    read.rows[i] = Tensor({1, 1, columns}, std::move(rows[i]));
    read.range = std::max(read.range, largest_in(read.rows[i]));
  }
  return read;
}

bool has_no_output(const LinearScene& linear, std::size_t query) {
  return linear.task().seen[query] > 0 && linear.found.readings->divisors[query] == 0;
}

// Over the output, where that is no weighted sum; empty: it is.
std::string words_over_output(const LinearScene& linear, std::size_t query) {
  if (linear.task().seen[query] == 0) return "no key left: 0";
  return has_no_output(linear, query) ? "z is 0: no output" : "";
}

// When the query reads, where that is not just behind its own token.
std::string words_of_reading(const LinearScene& linear) {
  if (!linear.query) return "no query stands at token " + std::to_string(linear.token);
  const std::size_t seen = linear.task().seen[*linear.query];
  if (seen == linear.token + 1 || seen == 0 || !linear.causal) return {};
  return "query " + std::to_string(*linear.query) + " reads after " + std::to_string(seen) +
         (seen == 1 ? " token" : " tokens");
}

// Kept while the marker is dragged: one upload a token.
struct ReadMemo {
  std::shared_ptr<const LinearReadings> of = {};
  std::size_t query = 0;
  ReadOutput read = {};
  Samples errors = {};
  std::size_t gaps = 0;
  std::size_t bytes() const {
    std::size_t bytes = errors.bytes();
    for (const Tensor& row : read.rows) bytes += row.bytes();
    return bytes;
  }
};

ReadMemo& read_memo(const LinearScene& linear) {
  ReadMemo& memo = linear.scene.frame.memos.of<ReadMemo>();
  const auto& readings = linear.found.readings;
  const std::size_t query = linear.query.value_or(0);
  if (memo.of == readings && memo.query == query) return memo;
  if (memo.of != readings) {
    std::vector<float> errors;
    for (const double error : readings->errors) errors.push_back(static_cast<float>(error));
    memo.gaps = static_cast<std::size_t>(
        std::ranges::count_if(errors, [](float error) { return std::isnan(error); }));
    memo.errors = Samples::of(std::move(errors));
  }
  memo.of = readings, memo.query = query, memo.read = output_at(linear, query);
  return memo;
}

// A second road's error by token: that of the one that is chosen, where it is not played already, else of the
// window.
struct RoadErrors {
  std::shared_ptr<const RoadsFound> of = {};
  Road road = Road::full;
  Samples errors = {};
  std::size_t bytes() const { return errors.bytes(); }
};

Road second_road(const LinearScene& linear) {
  const Road chosen = linear.scene.view().road;
  const bool exact = chosen == Road::full || chosen == Road::flash;
  return exact || chosen == road_played(linear.scene.spec) ? Road::window : chosen;
}

// None: it is not found yet, or the layer cannot go it.
std::optional<Samples> errors_of_road(const LinearScene& linear) {
  const RoadsStudy study = study_roads(linear.scene);
  const Road road = second_road(linear);
  const RoadFound* found = found_road(study, road);
  if (!found || !found->obstacle.empty()) return std::nullopt;
  RoadErrors& memo = linear.scene.frame.memos.of<RoadErrors>();
  if (memo.of != study.found || memo.road != road) {
    std::vector<float> errors;
    for (const double error : found->errors) errors.push_back(static_cast<float>(error));
    memo = {study.found, road, Samples::of(std::move(errors))};
  }
  return memo.errors;
}

void draw_over(const Theme& theme, Rect cells, const std::string& words) {
  if (words.empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const std::string shown = elided(font, words, cells.width() - theme.px(kTableGap));
  const float x = (cells.min.x + cells.max.x - text_width(font, shown)) / 2;
  list.AddRectFilled({x - theme.px(kSignGap), cells.min.y},
                     {x + text_width(font, shown) + theme.px(kSignGap), cells.max.y}, theme.canvas);
  draw_text(list, font, {x, (cells.min.y + cells.max.y - font_size(font)) / 2}, theme.warning, shown);
}

struct ReadNames {
  const char* text;
  ImU32 colour;
};

void draw_read(const LinearScene& linear, const ReadOutput& read, Rect area) {
  const Theme& theme = linear.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const std::array<ReadNames, 3> names{
      {{"φ(q)·S ÷ φ(q)·z", theme.output}, {"exact", theme.text}, {"difference", theme.warning}}};
  constexpr std::array ids{"read", "exact", "difference"};
  const float left = area.min.x + text_width(font, names[0].text) + theme.px(kWordGap);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const float y = area.min.y + static_cast<float>(i) * theme.px(kReadStrip + kReadGap);
    const Rect cells{{left, y}, {area.max.x, y + theme.px(kReadStrip)}};
    draw_text(list, font,
              {left - theme.px(kWordGap) - text_width(font, names[i].text),
               y + (cells.height() - font_size(font)) / 2},
              names[i].colour, names[i].text);
    draw_linear_map(linear, {ids[i], read.rows[i], read.range}, cells);
    if (i == 0) draw_over(theme, cells, words_over_output(linear, *linear.query));
    const auto cell = cell_under(cells, read.rows[i].shape());
    if (!cell) continue;
    std::string words =
        "feature " + std::to_string(cell->column) + " of query " + std::to_string(*linear.query);
    constexpr std::array says{"\no ", "\nexact ", "\ndifference "};
    for (std::size_t row = 0; row < says.size(); ++row)
      words += says[row] + exact_text(read.rows[row][*cell]);
    show_tooltip(words + "\ncolours of all three: ±" + exact_text(read.range));
  }
}

// "largest error of each token", and behind it whose curves are which.
void draw_caption(const LinearScene& linear, const Plot& plot, const ReadMemo& memo, Rect line) {
  const Theme& theme = linear.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  float x = line.max.x;
  for (std::size_t i = plot.series.size(); i-- > 0;) {
    const std::string& name = plot.series[i].name;
    x -= text_width(font, name);
    draw_text(list, font, {x, line.min.y}, theme.text, name);
    x -= theme.px(kErrorSwatch + kSignGap);
    const float y = line.min.y + font_size(font) / 2;
    list.AddRectFilled({x, y - theme.px(1)}, {x + theme.px(kErrorSwatch), y + theme.px(1)},
                       plot.series[i].colour);
    x -= theme.px(kMapGap);
  }
  std::string words = words_of_reading(linear);
  if (memo.gaps > 0)
    words += (words.empty() ? "" : " · ") + std::to_string(memo.gaps) +
             (memo.gaps == 1 ? " token has no output: a gap" : " tokens have no output: gaps");
  const std::string whole = "largest error of each token";
  if (words.empty()) words = text_width(font, whole) <= x - line.min.x ? whole : "largest error";
  draw_text(list, font, line.min, memo.gaps > 0 ? theme.warning : theme.dim,
            elided(font, words, x - line.min.x));
}

void take_token(const LinearScene& linear, double query) {
  const auto last = static_cast<double>(linear.task().keys() - 1);
  const double token = std::round(query) + static_cast<double>(place_of_first_query(linear.scene));
  linear.scene.view().token = static_cast<std::size_t>(std::clamp(token, 0.0, last));
}

void draw_errors(const LinearScene& linear, const ReadMemo& memo, Rect area) {
  const Theme& theme = linear.scene.frame.theme;
  const auto queries = static_cast<double>(linear.task().queries());
  Plot plot{.id = "token errors",
            .x = {.low = 0, .high = std::max(1.0, queries - 1)},
            .y = {.low = 0},
            .legend = PlotLegend::none,
            .clickable = true,
            .cursor_hint = kTokenHint};
  plot.series.push_back({.name = feature_words(linear.scene.spec),
                         .y = memo.errors,
                         .colour = theme.accent,
                         .emphasised = !linear.stale});
  if (auto other = errors_of_road(linear))
    plot.series.push_back({.name = road_title(second_road(linear)),
                           .y = std::move(*other),
                           .colour = theme.warning,
                           .thickness = 1.25f});
  if (linear.query)
    plot.markers.push_back({.id = "token",
                            .at = static_cast<double>(*linear.query),
                            .dashed = false,
                            .draggable = true,
                            .dots = true});
  draw_caption(linear, plot, memo, {area.min, {area.max.x, area.min.y + theme.px(kErrorCaption)}});
  const PlotEvents events =
      draw_plot(linear.scene.frame, plot, {{area.min.x, area.min.y + theme.px(kErrorCaption)}, area.max});
  if (events.marker) take_token(linear, events.marker->to);
  if (events.clicked) take_token(linear, events.clicked->x);
  if (events.clicked_sample) take_token(linear, static_cast<double>(events.clicked_sample->sample));
}

}  // namespace

void draw_token_errors(EfficientScene& scene, Rect area) {
  const auto linear = linear_scene(scene);
  if (!linear || !linear->found.readings) return;
  const Theme& theme = scene.frame.theme;
  const ReadMemo& memo = read_memo(*linear);
  // Beside the state, whose title goes on above; below it there is no title.
  if (area.min.x > scene.frame.area.min.x + theme.px(2 * kSceneMargin)) area.min.y += theme.px(kTitleHeight);
  const float y = area.min.y + 3 * theme.px(kReadStrip + kReadGap);
  ImGui::PushID("linear");
  if (linear->query) draw_read(*linear, memo.read, {area.min, {area.max.x, y}});
  ImGui::PopID();
  draw_errors(*linear, memo, {{area.min.x, y + theme.px(kReadGap)}, area.max});
}

}  // namespace attn
