// The program in small windows, without a screen: its strips, and what the keyboard is on.
#pragma once

#include <imgui_internal.h>

#include <optional>
#include <string>

#include "app/program/input.h"
#include "tests/app/workspace_lab.h"

namespace attn::tests {

// A window of so many pixels at a scale, and which of its panels are strips.
struct SmallWindow {
  ImVec2 size;
  float scale;
  bool controls, inspector;  // folded
};
inline const SmallWindow kNarrow{{1024, 640}, 1, false, false}, kMiddle{{1280, 720}, 1.5f, true, false},
    kSmallest{{1024, 768}, 2, true, true};

struct SmallLab : WorkspaceLab {
  explicit SmallLab(const SmallWindow& window, std::string_view workspace = "pipeline",
                    const char* example = "the-cat-sat-on-mat-causal")
      : WorkspaceLab(workspace, {.document = read_document(example),
                                 .settings = Settings{},
                                 .size = window.size,
                                 .scale = window.scale}) {}
  Layout layout() { return make_layout(ImGui::GetIO().DisplaySize, theme(), view().settings); }
  // Where the text of that word stands on a strip, and whether it is lit.
  std::optional<DrawnText> word(Rect strip, const std::string& says) {
    for (const DrawnText& text : texts())
      if (text.text == says && strip.contains(centre(text.box))) return text;
    return std::nullopt;
  }
  bool lit(Rect strip, const std::string& says) {
    const auto found = word(strip, says);
    REQUIRE_MESSAGE(found, says);
    return found->colour == theme().text;
  }
  void press(const std::string& path) {
    const auto box = item(path);
    REQUIRE_MESSAGE(box, path);
    click(centre(*box));
    frames(3);
  }
  std::string focused() {
    for (const Item& each : items())
      if (each.id == GImGui->NavId) return each.path;
    return "";
  }
  void tab_to(const std::string& part) {
    std::string way;
    for (int i = 0; i < 80 && focused().find(part) == std::string::npos; ++i) {
      key(GLFW_KEY_TAB);
      way += focused() + "\n";
    }
    CHECK_MESSAGE(focused().find(part) != std::string::npos, part << " is not on the way:\n" << way);
  }
};

}  // namespace attn::tests
