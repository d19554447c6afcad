// An application without the waiting of Headless: what a window shows while its results are not there.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "app/host/fonts.h"
#include "app/host/headless.h"
#include "app/program/input.h"
#include "app/theme/toolkit.h"

namespace attn::tests {

// An application whose frames don't wait for its results, as in a window.
class BareLab {
 public:
  explicit BareLab(Application::Setup setup) {
    ImGuiIO& io = ImGui::GetIO();
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    io.DisplaySize = {1600, 1000};
    std::string note;
    fonts_ = load_fonts(1, note);
    app_.emplace(std::move(setup));
    frames(2);  // the first finds its sizes
  }

  Application& app() { return *app_; }
  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      ImGui::GetIO().DeltaTime = 0.05f;
      ImGui::NewFrame();
      app_->frame(fonts_, 1);
      ImGui::Render();
    }
  }
  std::size_t count(std::string_view wanted) const {
    const auto is_wanted = [&](const DrawnText& text) { return text.text == wanted; };
    return static_cast<std::size_t>(std::ranges::count_if(drawn_texts(*ImGui::GetDrawData()), is_wanted));
  }
  // Whether what newer results dim lies over all of it.
  bool dimmed(Rect box) const {
    const Settings& settings = app_->view().settings;
    const ImU32 veil = with_alpha(make_theme(settings.theme, 1, fonts_).panel, 1 - kLagging);
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int i = 0; i < data.CmdListsCount; ++i) {
      const ImVector<ImDrawVert>& corners = data.CmdLists[i]->VtxBuffer;
      for (int at = 0; at + 2 < corners.Size; ++at) {
        const Rect area{corners[at].pos, corners[at + 2].pos};
        if (corners[at].col == veil && area.contains(box.min) && area.contains(box.max)) return true;
      }
    }
    return false;
  }
  std::optional<Rect> find(std::string_view wanted) const {
    for (const DrawnText& text : drawn_texts(*ImGui::GetDrawData()))
      if (text.text == wanted) return text.box;
    return std::nullopt;
  }
  void click(std::string_view text) {
    const std::optional<Rect> box = find(text);
    REQUIRE(box);
    feed_mouse(centre(*box));
    frames(2);
    for (const bool down : {true, false}) {
      feed_button(0, down);
      frames(2);
    }
  }

 private:
  ImguiContext context_;
  Fonts fonts_;
  std::optional<Application> app_;
};

}  // namespace attn::tests
