// A workspace without a screen, for its tests: its plots, words in them, steps of the history.
#pragma once

#include <GLFW/glfw3.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/frame/frame.h"
#include "app/frame/layout.h"
#include "app/program/input.h"
#include "app/workspaces/workspaces.h"
#include "tests/app/grid_lab.h"

namespace attn::tests {

class WorkspaceLab : public Headless {
 public:
  // In the first workspace, that of a start, a single frame is drawn.
  WorkspaceLab(std::string_view name, Options options) : Headless(not_waiting(std::move(options))) {
    app().show(workspace(name));
    settle();
    frames(2);
  }
  static const Workspace& workspace(std::string_view name) {
    return *std::ranges::find(workspaces(), name, &Workspace::name);
  }
  std::size_t steps() { return app().history().position(); }
  std::string step_name() { return app().history().steps()[app().history().position()].name; }
  Rect plot(const std::string& id) {
    const auto box = item(id + "/plot");
    INFO(id);
    REQUIRE(box);
    return *box;
  }
  ImVec2 in_plot(const std::string& id, float across, float up) {
    const Rect box = plot(id);
    return {box.min.x + across * box.width(), box.max.y - up * box.height()};
  }
  // The middle of words in a plot.
  ImVec2 words(const std::string& id, const std::string& wanted) {
    const Rect box = plot(id);
    for (const DrawnText& text : texts())
      if (text.text == wanted && box.contains(centre(text.box))) return centre(text.box);
    FAIL("no words " << wanted << " in the plot " << id);
    return {};
  }
  void undo() {
    key(GLFW_KEY_Z, {.control = true});
    settle();
    frames(2);
  }
  void redo() {
    key(GLFW_KEY_Z, {.control = true, .shift = true});
    settle();
    frames(2);
  }
  void run(const std::string& command) {
    for (const Command& each : make_commands(app()))
      if (each.name == command) {
        CHECK(each.enabled);
        app().run(each);
        settle();
        frames(2);
        return;
      }
    FAIL("no command " << command);
  }
  void enter(const std::string& number) {
    frames(2);
    type(number);
    key(GLFW_KEY_ENTER);
    settle();
    frames(2);
  }

 private:
  static Options not_waiting(Options options) {
    options.wait = false;
    return options;
  }
};

// Whether these digits are written somewhere, whatever groups them.
inline bool shows_count(const Headless& lab, const std::string& digits) {
  return std::ranges::any_of(lab.texts(), [&](const DrawnText& text) {
    std::string found;
    for (const char c : text.text)
      if (c >= '0' && c <= '9') found += c;
    const bool number = text.text.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
    return number && found == digits;
  });
}

// The edit is one step with this name, and a step back undoes it.
inline void check_undo(WorkspaceLab& lab, const Document& before, const char* name) {
  const Document after = lab.document();
  CHECK_FALSE(after == before);
  CHECK(lab.steps() == 1);
  INFO(lab.step_name());
  CHECK(lab.step_name().find(name) != std::string::npos);
  lab.undo();
  CHECK(lab.document() == before);
  lab.redo();
  CHECK(lab.document() == after);
}

// No words of a panel are cut.
inline void check_whole(const Headless& lab, Rect panel, const char* name) {
  for (const DrawnText& text : cut_texts(lab.draw_data(), panel))
    FAIL_CHECK(std::string(name) << " cuts “" << text.text << "”");
}

// No words of the controls are cut, nor of an inspector that is wide enough to be read.
inline Layout check_words_fit(WorkspaceLab& lab, ImVec2 size, float scale) {
  const Layout layout = make_layout(size, make_theme(ThemeName::dark, scale, {}), lab.view().settings);
  check_whole(lab, layout.controls, "the controls");
  if (layout.inspector.width() >= scale * 225) check_whole(lab, layout.inspector, "the inspector");
  return layout;
}

// No words whose middle lies in the area lie on others.
inline void check_words_apart(const WorkspaceLab& lab, Rect area) {
  const std::vector<DrawnText> all = lab.texts();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const Rect &a = all[i].box, &b = all[k].box;
      const bool apart = a.max.x - 1 <= b.min.x || b.max.x - 1 <= a.min.x || a.max.y - 2 <= b.min.y ||
                         b.max.y - 2 <= a.min.y;
      if (!apart && area.contains(centre(a)) && area.contains(centre(b)))
        FAIL_CHECK("“" << all[i].text << "” lies on “" << all[k].text << "” at " << a.min.x << ", "
                       << a.min.y);
    }
}

}  // namespace attn::tests
