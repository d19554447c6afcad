// The workspace of positions without a screen, for its tests.
#pragma once

#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/program/input.h"
#include "app/workspaces/positions/view.h"
#include "app/workspaces/workspaces.h"
#include "core/attention/position_fields.h"
#include "core/positions/graph.h"
#include "tests/app/grid_lab.h"

namespace attn::tests {

// So tall that every part is in sight.
class PositionsLab : public Headless {
 public:
  explicit PositionsLab(PositionsSpec spec = {}, ImVec2 size = {1600, 2200}, float scale = 1)
      : Headless({.document = with(std::move(spec)), .settings = Settings{}, .size = size, .scale = scale}) {
    app().show(workspace());
    settle();
    frames(2);
  }
  static const Workspace& workspace() {
    return *std::ranges::find(workspaces(), kPositionsPlan.name, &Workspace::name);
  }
  const PositionsSpec& spec() const { return document().positions; }
  const PositionsView& at() { return view().of<PositionsView>(); }
  std::size_t steps() { return app().history().steps().size() - 1; }
  std::string step_name() { return app().history().steps().back().name; }
  ImVec2 cell(const std::string& stage, std::size_t row, std::size_t column) {
    const auto box = item(stage + "/cells");
    INFO(stage);
    REQUIRE(box);
    const Shape shape = results()->output(stage).shape();
    return {
        box->min.x + box->width() * (static_cast<float>(column) + 0.5f) / static_cast<float>(shape.columns),
        box->min.y + box->height() * (static_cast<float>(row) + 0.5f) / static_cast<float>(shape.rows)};
  }
  // A slider dragged from its middle to a share of its track.
  void slide(const char* slider, float share) {
    INFO(slider);
    REQUIRE(reveal(slider));
    const auto box = item(slider);
    const ImVec2 to{box->min.x + share * box->width(), centre(*box).y};
    drag(centre(*box), to);
    settle();
  }
  Tensor output(const std::string& stage) { return results()->output(stage); }

 private:
  static Document with(PositionsSpec spec) {
    Document document = read_document("the-cat-sat-on-mat");
    document.positions = std::move(spec);
    return document;
  }
};

// The edit is one step with this name, and a step back undoes it.
inline void check_undo(PositionsLab& lab, const PositionsSpec& before, const char* name) {
  const PositionsSpec after = lab.spec();
  CHECK_FALSE(after == before);
  CHECK(lab.steps() == 1);
  CHECK(lab.step_name().find(name) != std::string::npos);
  lab.key(GLFW_KEY_Z, {.control = true});
  lab.settle();
  CHECK(lab.spec() == before);
  lab.key(GLFW_KEY_Z, {.control = true, .shift = true});
  lab.settle();
  CHECK(lab.spec() == after);
}

}  // namespace attn::tests
