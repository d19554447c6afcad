// One frame of the program: what it is made from, and its regions.
#include <algorithm>
#include <utility>

#include "app/canvas/steps.h"
#include "app/frame/layout.h"
#include "app/frame/links.h"
#include "app/panels/panels.h"
#include "app/program/application.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/document/limits.h"
#include "core/edits/beside.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr const char* kHeld =
    "This was being computed when the program ended last time, so it is not computed again before you ask. "
    "If it was too much, a smaller layer or another device may do.";

}  // namespace

std::vector<StepChip> Application::steps() const {
  return workspace().steps ? workspace().steps(shown_graph(), view_) : std::vector<StepChip>();
}

const Graph& Application::shown_graph() const {
  return made_.engine.results ? made_.engine.results->graph : *made_.given;
}

// Of another workspace's results nothing is shown, nor of another document's where this one's do not come.
void Application::update_engine_state() {
  made_.engine = engine_.state();
  made_.measuring = measure_.now();
  EngineState& state = made_.engine;
  if (computing_ && !state.busy && engine_.jobs().empty()) store_.set_computing(computing_ = false);
  if (held()) {
    state.stopped = true;
    state.error = kHeld;
  }
  if (!state.results || (state.results->plan == view_.workspace && !held())) return;
  state.results.reset();
  state.checks.reset();
  state.comparison.reset();
  state.rest.reset();
}

void Application::update_given() {
  if (made_.workspace == view_.workspace && made_.document == document()) return;
  made_.document = document();
  made_.workspace = view_.workspace;
  const auto& results = made_.engine.results;
  if (results && results->document == document())
    made_.given = {results, &results->graph};
  else
    build_given();
}

// Of the document as it is now. Null where it makes no graph: then what is given of it is there to repair.
std::shared_ptr<const Built> Application::build_given() {
  made_.document = document();
  made_.workspace = view_.workspace;
  try {
    auto built = std::make_shared<const Built>(workspace().build(document(), kLayerA));
    made_.given = {built, &built->graph};
    return built;
  } catch (const Error&) {  // the engine says what is wrong
    const auto given = workspace().given;
    made_.given = std::make_shared<const Graph>(given ? given(document()) : Graph());
    return nullptr;
  }
}

void Application::update_table() {
  TableKey key = table_key(*this);
  const bool touched = ImGui::IsMouseReleased(0) || ImGui::IsMouseClicked(0) || any_key_pressed();
  if (!touched && made_.table_key == key) return;
  made_.table = make_commands(*this);
  made_.table_key = std::move(key);
}

void Application::update_links() {
  const auto& focus = view_.focus();
  const auto& results = made_.engine.results;
  if (made_.linked == results && made_.linked_spot == focus && made_.linked_view == view_.layer) return;
  made_.linked = results;
  made_.linked_spot = focus;
  made_.linked_view = view_.layer;
  made_.links = results && focus ? make_links(*results, *focus, view_) : Links();
}

// Esc closes what is open, lets a matrix that fills the canvas go back, then unpins: what it closed in this
// frame or before it was drawn is open_frame's.
void Application::escape() {
  const bool open = view_.grid.open() || view_.overlays.any() || ImGui::IsAnyItemActive() ||
                    ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (open) view_.open_frame = ImGui::GetFrameCount();
  if (view_.open_frame + 1 >= ImGui::GetFrameCount() || !key_pressed(GLFW_KEY_ESCAPE, false)) return;
  if (CanvasView& canvas = view_.canvas(); !canvas.filled.empty()) return canvas.fit();
  view_.pinned.reset();
  view_.grid.selection.reset();
}

// What belongs to every frame, whatever is drawn in it.
void Application::begin_frame() {
  const ImGuiIO& io = ImGui::GetIO();
  begin_focus();
  if (!view_.message_is_error && (ImGui::IsMouseClicked(0) || any_key_pressed())) view_.message.clear();
  escape();
  // The release of the last frame has been answered: a drag that is left lost its grid.
  if (view_.grid.drag && !io.MouseDown[0] && !io.MouseReleased[0]) view_.grid.drag.reset();
  take_native_choice();
  take_what_was_read();
  look_at_file();
  if (retested_.exchange(false)) engine_.use(backend_for_(view_.device_choice()));
  update_engine_state();
  update_given();
  view_.at_risk = changed() ? recovery_writer_.note() : "";
  view_.busy_for = made_.engine.busy ? view_.busy_for + std::min(0.1f, io.DeltaTime) : 0;
  view_.layer.head = std::min(view_.layer.head, heads_of(shown_graph()) - 1);
  update_table();
  update_links();
}

// Numbers typed over ones that the edit took away go with them, in whichever workspace they were typed.
void Application::settle(Document& draft) {
  if (draft == history_.current()) return;
  follow(history_.current(), draft);
  if (settled_ != history_.current() || !same_structure(*settled_, draft))
    settle_all(draft);
  else
    settled_ = draft;
}

void Application::settle_all(Document& draft) {
  bool all = true;
  const auto settle_one = [&](const Plan& plan, Address address) {
    if (overrides_of(draft, plan, address).empty()) return;
    try {
      settle_overrides(draft, plan, address);
    } catch (const Error&) {  // it makes no graph there: what is typed waits for one
      all = false;
    }
  };
  for (const Workspace& workspace : workspaces_) settle_one(workspace, kLayerA);
  for (Address at = kLayerB; draft.has(at); ++at.layer) settle_one(kLayerPlan, at);
  settled_ = all ? std::optional(draft) : std::nullopt;
}

// What no session could say is not taken up: it would be lost at the next start.
void Application::keep_within_limits(Document& draft) {
  if (draft == history_.current()) return;
  try {
    check_limits(draft);
  } catch (const Error& error) {
    say(error.what(), true);
    draft = history_.current();
  }
}

void Application::frame(const Fonts& fonts, float scale) {
  begin_frame();
  const Theme theme = make_theme(view_.settings.theme, scale, fonts);
  apply_to_imgui(theme);
  const std::vector<StepChip> steps = this->steps();
  advance_steps(view_, document(), shown_graph(), steps, ImGui::GetIO().DeltaTime);
  Document draft = history_.current();
  const std::shared_ptr<const Graph> given = made_.given;  // an edit brings another
  Frame frame{.engine = made_.engine,
              .results = made_.engine.results.get(),
              .given = *given,
              .graph = shown_graph(),
              .workspaces = workspaces_,
              .workspace = workspace(),
              .steps = steps,
              .history = history_,
              .theme = theme,
              .links = made_.links,
              .measuring = made_.measuring,
              .textures = textures_,
              .memos = memos_,
              .draft = draft,
              .view = view_,
              .table = made_.table};
  view_.hovered.reset();                                        // the grid under the pointer sets it again
  const bool cell = std::exchange(view_.grid.has_keys, false);  // its grid says so again
  const bool text = ImGui::GetIO().WantTextInput || view_.overlays.take_text();
  frame.commands = pressed_commands(made_.table, text   ? KeysFor::text
                                                 : cell ? KeysFor::cell
                                                        : KeysFor::program);
  if (view_.grid.pasting) view_.grid.pasting->drawn = false;
  draw(frame);
  drop_lost_paste();
  recall_measured(frame.measured_shape);

  const bool gesture = ImGui::IsAnyItemActive() || view_.grid.drag.has_value();
  settle(draft);
  keep_within_limits(draft);
  awaiting_ = history_.update(draft, gesture);
  if (awaiting_) {
    forget_refusal();
    compute();
  }
  if (const Workspace* chosen = view_.workspace; chosen != &frame.workspace) {  // by its tab
    view_.workspace = &frame.workspace;
    show(*chosen);
  }
  answer(frame.asks);
  run(frame.commands);
  memos_.end_frame();
  if (frame.picture) capture_ = Capture{frame.picture};
}

// Its matrix says that it draws it: one that is not on screen can neither take it nor close it.
void Application::drop_lost_paste() {
  auto& pasting = view_.grid.pasting;
  if (!pasting || pasting->drawn) return;
  pasting.reset();
  say("nothing is pasted: the matrix is not on screen", true);
}

void Application::draw(Frame& frame) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("##lab", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  begin_tab_stops();
  Layout layout = make_layout(size, frame.theme, view_.settings);
  panels_ = {layout.top, layout.controls, layout.canvas, layout.inspector, layout.stages};
  layout.canvas.min.y += draw_file_line(frame, layout.canvas);
  frame.area = layout.canvas;
  frame.workspace.draw(frame, frame.area);
  if (view_.settings.show_controls) draw_controls(frame, layout.controls);
  if (view_.settings.show_inspector) draw_inspector(frame, layout.inspector);
  draw_stage_bar(frame, layout.stages);
  draw_top_bar(frame, layout.top);
  draw_splitters(layout, frame);
  draw_overlays(frame);
  end_tab_stops();
  ImGui::End();
}

}  // namespace attn
