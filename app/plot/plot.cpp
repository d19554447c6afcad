// A frame of a plot: ranges, layout, what the person does to them, and the drawing of what came of it.
#include "app/plot/plot.h"

#include <algorithm>
#include <utility>

#include "app/frame/drawn_parts.h"
#include "app/frame/lit.h"
#include "app/plot/plot_parts.h"
#include "app/widgets/focus.h"
#include "app/widgets/strokes.h"
#include "app/widgets/tooltip.h"

namespace attn {
namespace {

constexpr float kLeastSide = 16;  // points; smaller areas show nothing

std::vector<const SeriesFacts*> facts_of_shown(const Plot& plot, const PlotView& view, PlotMemo& memo,
                                               const std::vector<SeriesLook>& looks) {
  std::vector<const SeriesFacts*> facts(plot.series.size());
  // From the last: the first call makes room for all, and none moves afterwards.
  for (std::size_t s = plot.series.size(); s-- > 0;) {
    const SeriesFacts& own = memo.facts(s, plot.series[s], is_log_x(plot, view), is_log_y(plot, view));
    facts[s] = looks[s].hidden ? nullptr : &own;
  }
  return facts;
}

// The item over all of it: a stop of Tab, the mouse's and the wheel's.
void plot_item(const Theme& theme, Rect area) {
  const float inset = std::ceil(theme.px(2.75f));  // the ring around it stays in the area
  ImGui::SetCursorScreenPos({area.min.x + inset, area.min.y + inset});
  ImGui::InvisibleButton("plot", {area.width() - 2 * inset, area.height() - 2 * inset},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
}

// Whole words for what is elided.
void tooltip(const PlotScene& scene, const PlotTarget& target) {
  if (!wants_tooltip()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  std::string text;
  if (target.kind == PlotTarget::legend) {
    const LegendEntry& entry = scene.layout.legend.entries[target.index];
    if (entry.shown != entry.name) text = entry.name;
  } else if (scene.layout.title.contains(mouse)) {
    const float room =
        scene.layout.title.width() - text_width(scene.theme.fonts.bold, scene.plot.title) - scene.px(9);
    const std::string words = to_string(scene.plot.subtitle);
    if (text_width(scene.theme.fonts.small, words) > room)
      text = scene.plot.title + (words.empty() ? "" : " · " + words);
  }
  if (!text.empty()) show_tooltip(text);
}

void draw_selected(const PlotScene& scene) {
  const std::optional<PlotSpot>& spot = scene.plot.selected;
  if (!spot || spot->series >= scene.plot.series.size() || !scene.facts[spot->series]) return;
  const Series& series = scene.plot.series[spot->series];
  if (spot->sample >= series.count()) return;
  const ImVec2 at = scene.pixel(series.x_at(spot->sample), series.y[spot->sample]);
  if (scene.layout.inside.contains(at))
    draw_ring(scene.list, at, scene.px(series.radius + 3), scene.theme.outline, scene.px(1.5f));
}

// Hovered: the mouse is over the item. What is found goes into the events.
void draw_all(const PlotScene& scene, const PlotView& view, bool hovered, PlotEvents& events) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const PlotTarget target = hovered ? target_at(scene, mouse) : PlotTarget{};
  draw_axes(scene);
  if (scene.layout.empty()) return;
  draw_series(scene);
  draw_selected(scene);
  draw_border(scene);
  draw_markers(scene);
  draw_notes(scene);
  draw_legend(scene, target);
  draw_hints(scene, hovered);
  draw_box(scene, view);
  tooltip(scene, target);
  const bool data = target.kind == PlotTarget::area || target.kind == PlotTarget::point ||
                    target.kind == PlotTarget::marker;
  const bool at_rest =
      view.drag == PlotView::none || view.drag == PlotView::point || view.drag == PlotView::marker;
  if (!data || !at_rest) return;
  events.hovered = true;
  events.pointer = {scene.layout.x.value(static_cast<double>(mouse.x)),
                    scene.layout.y.value(static_cast<double>(mouse.y))};
  const std::optional<FoundSample> found = find_sample(scene, mouse);
  if (found) events.nearest = found->spot;
  draw_readout(scene, found, mouse);
}

}  // namespace

PlotEvents draw_plot(const Theme& theme, Textures& textures, Memos& memos, const Plot& plot, PlotView& view,
                     Rect area) {
  PlotEvents events;
  if (!(area.width() >= theme.px(kLeastSide) && area.height() >= theme.px(kLeastSide))) return events;
  memos.of<DrawnParts>().plots.push_back(part_here(plot.id, area));
  ImGui::PushID(plot.id.c_str());
  if (!ImGui::IsRectVisible(area.min, area.max)) {  // scrolled away: a stop of Tab all the same
    plot_item(theme, area);
    ImGui::PopID();
    return events;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(area.min, area.max, true);
  PlotMemo& memo = memos.of<PlotMemo>(plot.id);
  std::vector<SeriesLook> looks;
  std::vector<const SeriesFacts*> facts;
  PlotFit fit;
  PlotLayout layout;
  PlotWords words;
  const PlotScene scene{theme, textures, plot, layout, words, looks, facts, memo, list};
  const auto arrange = [&] {
    looks = series_looks(theme, plot, view);
    facts = facts_of_shown(plot, view, memo, looks);
    fit = fitted(plot, is_log_x(plot, view), is_log_y(plot, view), facts);
    layout = plot_layout(theme, plot, view, shown_ranges(view, fit), area);
    place_legend(layout, theme, plot, view, places_of_data(plot, layout, looks), ImGui::GetIO().MousePos);
    words = place_words(scene);
    view.numbers = layout.numbers;
  };
  arrange();
  plot_item(theme, layout.area);
  const bool hovered = ImGui::IsItemHovered() || ImGui::IsItemActive();
  draw_focus_ring(theme, theme.px(3));
  const PlotView before = view;
  const std::optional<double> anchor = plot_mouse(scene, view, fit, events);
  plot_keys(scene, view, fit, events);
  if (!(view == before)) arrange();  // what a person does is seen in the same frame
  if (anchor) {
    // New numbers may have moved the frame: what is under the pointer stays there.
    view.x = layout.x.panned(*anchor, ImGui::GetIO().MousePos.x);
    arrange();
  }
  draw_all(scene, view, hovered, events);
  draw_plot_menu(scene, view, fit, events);
  if (view.locked && !view.x) view.x = layout.x.range();
  if (view.locked && !view.y) view.y = layout.y.range();
  list.PopClipRect();
  ImGui::PopID();
  return events;
}

Samples Samples::of(std::vector<float> values) {
  const std::size_t count = values.size();
  return of(Tensor({1, 1, count}, std::move(values)));
}

Samples Samples::of(const Tensor& tensor) {
  Samples samples;
  samples.tensor = tensor, samples.count = tensor.values().size();
  return samples;
}

Samples Samples::column_of(const Tensor& tensor, std::size_t column) {
  Samples samples = of(tensor);
  samples.first = column, samples.stride = tensor.columns(), samples.count = tensor.rows();
  return samples;
}

Samples Samples::range(double start, double step, std::size_t count) {
  Samples samples;
  samples.start = start, samples.step = step, samples.count = count;
  return samples;
}

bool is_lit(const Frame& frame, const Plot& plot) {
  const Lit& lit = std::as_const(frame.view).of<Lit>();
  return lit.cells.empty() || std::ranges::any_of(plot.shows, [&](StageIndex stage) {
           return stage < frame.graph.stages.size() && lights(lit, frame.graph.stages[stage].id);
         });
}

PlotEvents draw_plot(Frame& frame, const Plot& plot, Rect area) {
  PlotView& view = frame.canvas().plots[plot.id];
  const PlotEvents events = draw_plot(frame.theme, frame.textures, frame.memos, plot, view, area);
  if (!is_lit(frame, plot))
    ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, with_alpha(frame.theme.canvas, 1 - kUnlit));
  const auto numbers = [&] {
    return
        [columns = plot_columns(plot, view)](NumbersFormat format) { return columns_file(columns, format); };
  };
  if (events.picture) frame.asks.emplace_back(*events.picture);
  if (events.numbers)
    frame.asks.emplace_back(
        SaveNumbers{plot.title.empty() ? plot.id : plot.title, *events.numbers, numbers()});
  if (DrawnParts& parts = frame.memos.of<DrawnParts>(); parts.with_numbers)
    for (DrawnPart& part : parts.plots)
      if (part.name == plot.id) part.numbers = numbers();
  return events;
}

}  // namespace attn
