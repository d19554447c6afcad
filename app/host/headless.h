// Headless: the program without a screen. Mouse, keys and text go in; what was drawn is read back. For tests
// and benchmarks: thousands of frames a second.
//
//   Headless lab({.document = read_document("three-tokens")});
//   lab.drag({300, 200}, {340, 200});
//   CHECK(lab.text_in(cell) == "0.75");
#pragma once

#include <imgui.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/host/context.h"
#include "app/host/drawn_text.h"
#include "app/program/application.h"

namespace attn {

// An interactive thing of the last frame: where it lies, and the labels that lead to it.
struct Item {
  ImGuiID id = 0;
  std::string path;  // "##lab/scores/3,0": what was pushed on the ID stack, then its own label
  Rect box;
};

// Filled through ImGuiIO::UserData by what an executable links to see every item (tests/app/item_log.cpp).
struct ItemLog {
  std::vector<Item> items;                // of the frame being drawn
  std::map<ImGuiID, std::string> labels;  // of every id that was made of one
};

struct Modifiers {
  bool control = false, shift = false, alt = false;
};

// Whoever wants the frames as pixels.
struct Screen {
  std::function<void()> fonts_changed;  // the font atlas is new
  std::function<void()> frame_made;     // ImGui::GetDrawData() is ready
  std::function<void()> closing;        // Dear ImGui's context goes next
};

class Headless {
 public:
  struct Options {
    Document document;
    std::optional<Settings> settings = {};  // instead of the store's
    Store store = {};
    std::optional<Application::Setup> opened = {};  // instead of `document` and `store`: what a start opens
    ImVec2 size = {1600, 1000};                     // pixels
    float scale = 1;                                // the monitor's; the settings' ui_scale is on top
    BackendFactory backend = {};                    // the reference when empty
    std::function<void()> test_devices = {};        // before `backend` computes; may be empty
    std::shared_ptr<Budget> budget = std::make_shared<Budget>();  // shared with the backend
    bool wait = true;                                             // for the first results
    bool waits_for_files = true;                                  // when one is opened
    std::span<const Workspace> workspaces = attn::workspaces();
    MeasureSetup measures = {};
    std::function<void()> on_top = {};  // draws over the program, for tests and benchmarks of drawing
    Screen screen = {};                 // empty: nobody
  };
  // Draws the first frames, until the first results are on screen; a single one when it should not wait.
  explicit Headless(Options options);
  ~Headless();

  Application& app() { return *app_; }
  View& view() { return app_->view(); }
  const Document& document() const { return app_->document(); }
  // As the frame being drawn, or the last one, has it.
  Theme theme() const {
    const Settings& settings = app_->view().settings;
    return make_theme(settings.theme, font_scale_, fonts_, settings.weight_colours);
  }
  // Of the current document: waits for the worker.
  std::shared_ptr<const Results> results();

  // Frames. Each takes 1/60 s of the program's time; a changed document is computed within its frame.
  void frame(float seconds = 1.0f / 60);
  void frames(int count);
  void settle();  // until the worker is idle and its results are drawn
  void resize(ImVec2 size);
  void set_scale(float scale);

  // The mouse; each call draws the frames that it takes.
  void move(ImVec2 position);
  void press(int button = 0);
  void release(int button = 0);
  void click(ImVec2 position, int button = 0);
  void double_click(ImVec2 position);
  void drag(ImVec2 from, ImVec2 to, int steps = 8, int button = 0);
  void wheel(ImVec2 position, float notches, float sideways = 0);

  // The keyboard, by GLFW's codes.
  void hold(Modifiers modifiers);  // for mouse gestures; until hold({})
  void key(int glfw_key, Modifiers modifiers = {});
  void key_down(int glfw_key);
  void key_up(int glfw_key);
  void type(std::string_view text);

  // What the last frame drew.
  const ImDrawData& draw_data() const;
  std::vector<DrawnText> texts() const;
  std::string text_in(Rect area) const;                        // texts inside, joined by spaces
  std::optional<Rect> find_text(std::string_view text) const;  // the first whole text that equals it
  bool shows(std::string_view part) const;                     // some text contains it

  // Items whose path ends with `path`, at a label's border: "play" finds "##lab/stages/play". Only where
  // the executable links tests/app/item_log.cpp.
  std::optional<Rect> item(std::string_view path) const;
  const std::vector<Item>& items() const { return log_.items; }
  // Opens all sections of the controls, and these where they are folded, and turns the wheel over them until
  // it is in sight; false: it is not there.
  bool reveal(std::string_view path);
  void click_item(std::string_view path);  // reveals it; asserts that it is there

  std::string clipboard;

 private:
  ImguiContext context_;
  Screen screen_;
  std::function<void()> on_top_;
  Fonts fonts_;
  float monitor_scale_, font_scale_ = 0;
  Modifiers held_;
  ItemLog log_;
  std::unique_ptr<Application> app_;
};

inline ImVec2 centre(Rect r) {
  return {(r.min.x + r.max.x) / 2, (r.min.y + r.max.y) / 2};
}

}  // namespace attn
