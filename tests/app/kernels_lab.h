// The workspace of kernels without a screen, for its tests.
#pragma once

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "app/program/input.h"
#include "app/workspaces/kernels/view.h"
#include "app/workspaces/workspaces.h"
#include "core/kernels/graph.h"
#include "tests/app/grid_lab.h"

namespace attn::tests {

inline KernelsSpec points_at(std::vector<float> numbers, std::size_t columns = 2) {
  KernelsSpec spec;
  spec.set = PointSet::own;
  const std::size_t rows = numbers.size() / columns;
  spec.points = Tensor({1, rows, columns}, std::move(numbers));
  return spec;
}

// So tall that every part is in sight.
class KernelsLab : public Headless {
 public:
  explicit KernelsLab(KernelsSpec spec = {}, ImVec2 size = {1600, 2000}, float scale = 1)
      : Headless({.document = with(std::move(spec)), .settings = Settings{}, .size = size, .scale = scale}) {
    app().show(workspace());
    settle();
    frames(2);
  }
  static const Workspace& workspace() {
    return *std::ranges::find(workspaces(), kKernelsPlan.name, &Workspace::name);
  }
  const KernelsSpec& spec() const { return document().kernels; }
  const KernelsView& at() { return view().of<KernelsView>(); }
  std::size_t steps() { return app().history().position(); }
  std::string step_name() { return app().history().steps()[app().history().position()].name; }
  Tensor output(const std::string& stage) { return results()->output(stage); }
  Rect plot(const char* id = "estimate") {
    const auto box = item(std::string(id) + "/plot");
    INFO(id);
    REQUIRE(box);
    return *box;
  }
  // A place in it by shares from its lower left corner.
  ImVec2 in_plot(float across, float up, const char* id = "estimate") {
    const Rect box = plot(id);
    return {box.min.x + across * box.width(), box.max.y - up * box.height()};
  }
  // Where the plot has x, between two places of which it told x.
  float pixel_of_x(double x) {
    const ImVec2 a = in_plot(0.3f, 0.9f), b = in_plot(0.7f, 0.9f);
    move(a);
    frames(2);
    const double low = at().q;
    move(b);
    frames(2);
    const double high = at().q;
    return a.x + static_cast<float>((x - low) / (high - low)) * (b.x - a.x);
  }
  // Where a place is drawn. The plot is zoomed to fixed ranges, and two points that are added and taken back
  // say what is how high.
  ImVec2 place(double x, double y) {
    PlotView& plot_view = view().canvas().plots["estimate"];
    plot_view.x = PlotRange{-1, 6}, plot_view.y = PlotRange{-6, 10};
    frames(2);
    const auto value_at = [&](ImVec2 at) {
      click(at);
      settle();
      const double value = static_cast<double>(spec().points.values().back());
      undo();
      return value;
    };
    const ImVec2 a = in_plot(0.12f, 0.45f), b = in_plot(0.12f, 0.6f);
    const double low = value_at(a), high = value_at(b);
    return {pixel_of_x(x), a.y + static_cast<float>((y - low) / (high - low)) * (b.y - a.y)};
  }
  ImVec2 point(std::size_t row) {
    const Tensor points = points_of(spec());
    return place(static_cast<double>(points[{0, row, 0}]), static_cast<double>(points[{0, row, 1}]));
  }
  void slide(const char* slider, float share) {
    const auto box = item(slider);
    INFO(slider);
    REQUIRE(box);
    drag(centre(*box), {box->min.x + share * box->width(), centre(*box).y});
    settle();
  }
  void undo() {
    key(GLFW_KEY_Z, {.control = true});
    settle();
  }

 private:
  static Document with(KernelsSpec spec) {
    Document document = read_document("the-cat-sat-on-mat");
    document.kernels = std::move(spec);
    return document;
  }
};

// The edit is one step with this name, and a step back undoes it.
inline void check_undo(KernelsLab& lab, const KernelsSpec& before, const char* name) {
  const KernelsSpec after = lab.spec();
  CHECK_FALSE(after == before);
  CHECK(lab.steps() == 1);
  INFO(lab.step_name());
  CHECK(lab.step_name().find(name) != std::string::npos);
  lab.undo();
  CHECK(lab.spec() == before);
  lab.key(GLFW_KEY_Z, {.control = true, .shift = true});
  lab.settle();
  CHECK(lab.spec() == after);
}

}  // namespace attn::tests
