// Plots in a window over the program, for tests of the widget.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string_view>

#include "app/host/headless.h"
#include "app/host/offscreen.h"
#include "app/plot/plot_layout.h"
#include "app/program/input.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "core/text/special.h"

namespace attn::tests {

inline Samples samples(const std::vector<double>& values) {
  std::vector<float> floats;
  for (const double v : values) floats.push_back(static_cast<float>(v));
  return Samples::of(std::move(floats));
}

inline Series curve(const std::string& name, const std::vector<double>& y) {
  return {.name = name, .y = samples(y)};
}

// y of count places from 0 on, `step` apart.
inline Series function_curve(const std::string& name, std::size_t count, double step,
                             const std::function<double(double)>& f) {
  std::vector<double> y;
  for (std::size_t i = 0; i < count; ++i) y.push_back(f(static_cast<double>(i) * step));
  return {.name = name, .x = Samples::range(0, step, count), .y = samples(y)};
}

inline Series points(const std::string& name, const std::vector<double>& x, const std::vector<double>& y) {
  return {.name = name, .kind = SeriesKind::points, .x = samples(x), .y = samples(y)};
}

// A window over all of the program that `draw` fills. Made by both hosts' `on_top`.
inline void draw_over_program(const std::function<void()>& draw) {
  const ImGuiIO& io = ImGui::GetIO();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("plots", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  begin_tab_stops();
  draw();
  end_tab_stops();
  ImGui::End();
}

// What the window says, without the program below it.
inline std::vector<DrawnText> texts_of_window(const ImDrawData& data) {
  return drawn_texts(data, "plots");
}

// What a test looks at: one plot and what a person did to it.
struct Shown {
  Plot plot;
  Rect area{{100, 80}, {700, 480}};
  PlotView view = {};
  PlotEvents events = {};                 // of the last frame
  std::vector<PlotEvents> all = {};       // of every frame
  std::function<void(Shown&)> obey = {};  // does what the events ask for

  void draw(Application& app, const Theme& theme) {
    draw_over_program([&] { events = draw_plot(theme, app.textures(), app.memos(), plot, view, area); });
    all.push_back(events);
    if (obey) obey(*this);
  }
};

// Without pixels.
class PlotLab {
 public:
  explicit PlotLab(Plot plot, Rect area = {{100, 80}, {700, 480}}, float scale = 1, Settings settings = {})
      : shown{std::move(plot), area} {
    Headless::Options options{
        .document = read_document("three-tokens"), .settings = std::move(settings), .scale = scale};
    options.on_top = [this] {
      if (lab_) shown.draw(lab_->app(), lab_->theme());
    };
    lab_ = std::make_unique<Headless>(std::move(options));
    lab_->frames(2);
  }
  Headless* operator->() { return lab_.get(); }

  std::vector<DrawnText> texts() const { return texts_of_window(lab_->draw_data()); }
  std::optional<Rect> find(std::string_view text) const {
    for (const DrawnText& drawn : texts())
      if (drawn.text == text) return drawn.box;
    return std::nullopt;
  }
  bool shows(std::string_view part) const {
    return std::ranges::any_of(texts(),
                               [&](const DrawnText& t) { return t.text.find(part) != std::string::npos; });
  }
  // Shows it as it is now, the pointer elsewhere.
  void show(Plot plot, Rect area) {
    shown.plot = std::move(plot), shown.area = area, shown.view = {};
    lab_->move({1590, 990});
    lab_->frames(2);
  }
  // The layout that was drawn, worked out again.
  PlotLayout layout() {
    const Theme theme = lab_->theme();
    const Plot& plot = shown.plot;
    std::vector<SeriesFacts> facts;
    std::vector<const SeriesFacts*> seen;
    const std::vector<SeriesLook> looks = series_looks(theme, plot, shown.view);
    for (const Series& series : plot.series)
      facts.push_back(facts_of(series, is_log_x(plot, shown.view), is_log_y(plot, shown.view)));
    for (std::size_t i = 0; i < facts.size(); ++i) seen.push_back(looks[i].hidden ? nullptr : &facts[i]);
    const PlotFit fit = fitted(plot, is_log_x(plot, shown.view), is_log_y(plot, shown.view), seen);
    PlotLayout layout = plot_layout(theme, plot, shown.view, shown_ranges(shown.view, fit), shown.area);
    place_legend(layout, theme, plot, shown.view, places_of_data(plot, layout, looks),
                 ImGui::GetIO().MousePos);
    return layout;
  }
  ImVec2 at(double x, double y) {
    const PlotLayout l = layout();
    return {std::floor(l.x.pixel(x)), std::floor(l.y.pixel(y))};  // as the toolkit takes the mouse
  }

  Shown shown;

 private:
  std::unique_ptr<Headless> lab_;
};

// A plot without a legend, its axes from 0 to 10.
inline Plot plain(std::vector<Series> series) {
  Plot plot{.id = "p", .legend = PlotLegend::none};
  plot.x.low = plot.y.low = 0, plot.x.high = plot.y.high = 10;
  plot.series = std::move(series);
  return plot;
}

// With pixels.
class PlotScreen {
 public:
  explicit PlotScreen(Plot plot, Rect area = {{100, 80}, {700, 480}}, Settings settings = {}, float scale = 1,
                      ImVec2 size = {1024, 640})
      : shown{std::move(plot), area} {
    Headless::Options options{
        .document = read_document("three-tokens"), .settings = settings, .size = size, .scale = scale};
    options.on_top = [this] {
      if (screen_) shown.draw(screen_->app(), screen_->lab().theme());
    };
    screen_ = std::make_unique<Offscreen>(std::move(options));
    screen_->app().view().timeless = true;
    screen_->lab().frames(2);
  }
  Headless& lab() { return screen_->lab(); }
  Picture picture() { return screen_->picture(); }
  void draw_whole() { screen_->draw_whole(); }

  Shown shown;

 private:
  std::unique_ptr<Offscreen> screen_;
};

}  // namespace attn::tests
