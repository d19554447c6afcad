// One frame of the program: what it is made from, and its regions.
#include <algorithm>
#include <cfloat>
#include <functional>
#include <utility>

#include "app/canvas/notice.h"
#include "app/canvas/presenting.h"
#include "app/canvas/progress.h"
#include "app/canvas/steps.h"
#include "app/frame/drawn_parts.h"
#include "app/frame/followed_file.h"
#include "app/frame/layout.h"
#include "app/frame/present_view.h"
#include "app/frame/recording_view.h"
#include "app/frame/visible_stages.h"
#include "app/lesson/lesson_panel.h"
#include "app/panels/panels.h"
#include "app/program/application.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"

namespace attn {

std::vector<StepChip> Application::steps() const {
  return workspace().steps ? workspace().steps(shown_.graph(), view_) : std::vector<StepChip>();
}

// Esc closes what is open, ends a presentation, folds a panel over the canvas, lets a matrix that fills the
// canvas go back, then unpins, then closes what the workspace has opened: what it closed in this frame or
// before it was drawn is open_frame's.
void Application::escape() {
  const bool open = view_.grid.open() || view_.overlays.any() || view_.of<RecordingView>().writing ||
                    ImGui::IsAnyItemActive() ||
                    ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (open) view_.open_frame = ImGui::GetFrameCount();
  if (view_.open_frame + 1 >= ImGui::GetFrameCount() || !key_pressed(GLFW_KEY_ESCAPE, false)) return;
  if (presents(view_)) return end_presenting(view_);
  if (view_.controls.open || view_.inspector.open) return view_.controls.fold(), view_.inspector.fold();
  if (CanvasView& canvas = view_.canvas(); !canvas.filled.empty())
    return toggle_filled(canvas, std::string(canvas.filled));
  if (!view_.pinned && workspace().let_go && workspace().let_go(view_)) return;
  if (lesson_ && !view_.grid.selection && (!view_.pinned || view_.pinned == lesson().pinned))
    return lesson().comparing ? compare_fault() : leave_lesson();
  view_.pinned.reset();
  view_.inspected.reset();
  view_.grid.selection.reset();
}

// What belongs to every frame, whatever is drawn in it.
void Application::begin_frame() {
  const ImGuiIO& io = ImGui::GetIO();
  tab_through_lit();
  begin_focus();
  view_.word.begin_frame(ringed_item(), io.MouseDelta.x != 0 || io.MouseDelta.y != 0);
  if (!view_.message_is_error && (ImGui::IsMouseClicked(0) || any_key_pressed())) view_.message.clear();
  escape();
  // The release of the last frame has been answered: a drag that is left lost its grid.
  const auto held = [&](int button) { return io.MouseDown[button] || io.MouseReleased[button]; };
  if (view_.grid.drag && !held(0) && !held(1)) view_.grid.drag.reset();
  take_native_choice();
  take_what_was_read();
  take_what_was_saved();
  look_at_file();
  memos_.of<FollowedFile>() = {.seen = static_cast<FollowedFile::Seen>(followed_.seen())};
  computing_.follow_retest(view_.device_choice());
  shown_.update(computing_.state_for(document(), view_.workspace), measuring(), document(), workspace());
  view_.at_risk = changed() ? works_.why_not_kept() : "";
  view_.busy_for = shown_.engine().busy ? view_.busy_for + std::min(0.1f, io.DeltaTime) : 0;
  view_.layer.head = std::min(view_.layer.head, heads_of(shown_.graph()) - 1);
  studies_.begin_frame(view_.workspace, shown_.engine().device);
  shown_.update_table(*this);
  shown_.update_links(view_);
  follow_replies();
}

namespace {

// Until its end the pointer is nowhere, so that nothing is drawn for it; not while it does something.
class PointerAway {
 public:
  explicit PointerAway(bool wanted) {
    ImGuiIO& io = ImGui::GetIO();
    if (wanted && !ImGui::IsAnyMouseDown() && !ImGui::IsMouseReleased(0) && io.MouseWheel == 0)
      io.MousePos = {-FLT_MAX, -FLT_MAX};
  }
  ~PointerAway() { ImGui::GetIO().MousePos = pointer_; }
  PointerAway(const PointerAway&) = delete;
  PointerAway& operator=(const PointerAway&) = delete;

 private:
  ImVec2 pointer_ = ImGui::GetIO().MousePos;
};

}  // namespace

void Application::frame(const Fonts& fonts, float scale) {
  // A picture that waits is of this frame; where its second pass comes, of that.
  const PointerAway away(wanted_ || capture_);
  if (!ImGui::IsMousePosValid()) view_.hovered.reset();
  follow_language();
  begin_frame();
  language_.leave_names(shown_.graph());
  scale_ = scale;
  const Theme theme = make_theme(view_.settings.theme, scale, fonts, view_.settings.weight_colours);
  apply_to_imgui(theme);
  const std::vector<StepChip> steps = this->steps();
  advance_steps(view_, document(), shown_.graph(), steps, ImGui::GetIO().DeltaTime);
  Document draft = document();
  const std::shared_ptr<const Graph> given = shown_.given();  // an edit brings another
  Frame frame{.engine = shown_.engine(),
              .results = shown_.engine().results.get(),
              .given = *given,
              .graph = shown_.graph(),
              .workspaces = workspaces_,
              .workspace = workspace(),
              .steps = steps,
              .history = history(),
              .theme = theme,
              .links = shown_.links(),
              .measuring = shown_.measuring(),
              .textures = textures_,
              .memos = memos_,
              .studies = studies_,
              .draft = draft,
              .view = view_,
              .table = shown_.table()};
  view_.hovered.reset();                                        // the grid under the pointer sets it again
  const bool cell = std::exchange(view_.grid.has_keys, false);  // its grid says so again
  const bool text =
      ImGui::GetIO().WantTextInput || view_.overlays.take_text() || view_.of<RecordingView>().writing;
  frame.commands = pressed_commands(shown_.table(), text   ? KeysFor::text
                                                    : cell ? KeysFor::cell
                                                           : KeysFor::program);
  if (view_.grid.pasting) view_.grid.pasting->drawn = false;
  awaiting_ = false;
  draw(frame);
  if (wanted_) capture_ = std::exchange(wanted_, std::nullopt);
  drop_lost_paste();
  computing_.look(shown_.engine().results, view_);
  if (const auto& shape = frame.measured_shape)
    computing_.recall_measured(*shape, shown_.engine().device, shown_.measuring());

  awaiting_ |= edit(draft, in_gesture());
  if (const Workspace* chosen = view_.workspace; chosen != &frame.workspace) {  // by its tab
    view_.workspace = &frame.workspace;
    show(*chosen);
  }
  answer(frame.asks);
  run(frame.commands);
  const FollowedFile& followed = memos_.of<FollowedFile>();
  followed_.watch(followed.path, followed.known);
  memos_.end_frame();
}

bool Application::in_gesture() const {
  return ImGui::IsAnyItemActive() || view_.grid.drag.has_value();
}

// The device is at work on it while the rest of the frame is drawn, which takes the draft as it was accepted.
void Application::take_canvas_edit(Document& draft) {
  if (draft == document()) return;
  awaiting_ = edit(draft, in_gesture());
  draft = document();
}

// Its matrix says that it draws it: one that is not on screen can neither take it nor close it.
void Application::drop_lost_paste() {
  auto& pasting = view_.grid.pasting;
  if (!pasting || pasting->drawn) return;
  pasting.reset();
  say("not pasted: the matrix is no longer on screen", true);
}

namespace {

void draw_regions(Frame& frame, Layout layout, const std::function<void()>& canvas_drawn) {
  layout.canvas.min.y += draw_file_line(frame, layout.canvas);
  frame.area = layout.canvas;
  frame.area.min.y += draw_lesson_line(frame, frame.area);
  frame.area.min.y += draw_recording_line(frame, frame.area);
  frame.area.min.y += draw_step_head(frame, frame.area);
  const bool covered = frame.view.controls.open || frame.view.inspector.open;
  if (covered) begin_no_tab_stops();
  frame.workspace.draw(frame, frame.area);
  if (covered) end_no_tab_stops();
  canvas_drawn();
  draw_saving(frame, frame.area);
  draw_before(frame, frame.area);
  draw_side_panels(frame, layout);
  draw_stage_bar(frame, layout.stages);
  draw_top_bar(frame, layout.top);
  draw_splitters(frame, layout);
}

}  // namespace

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
  if (view_.controls.open || view_.inspector.open)  // wanted now
    if (presents(view_)) end_presenting(view_);
  const bool presenting = presents(view_);
  lesson().slide.on = presenting;
  const CoursePlace course{lesson().course_folded, lesson_ && lesson().needs_controls()};
  const Layout layout = presenting ? presented_layout(size, frame.theme)
                        : lesson_  ? make_lesson_layout(size, frame.theme, view_.settings, course)
                                   : make_layout(size, frame.theme, view_.settings);
  fold_panels(view_, layout);
  panels_ = {layout.top, layout.controls, layout.canvas, layout.inspector, layout.stages};
  for (const SidePanel* panel : {&view_.controls, &view_.inspector})
    if (panel->open) panels_.push_back(opened_over(layout, frame.theme, panel == &view_.controls));
  DrawnParts& parts = memos_.of<DrawnParts>();
  parts = {.panels = {}, .matrices = {}, .plots = {}, .with_numbers = parts.with_numbers};
  for (const auto& [name, area] :
       {std::pair{"bar", layout.top}, std::pair{"controls", layout.controls},
        std::pair{"canvas", layout.canvas}, std::pair{"inspector", layout.inspector},
        std::pair{"steps", layout.stages}})
    if (area.width() > 0 && area.height() > 0) parts.panels.push_back({name, area, area});
  const auto canvas_drawn = [&] { take_canvas_edit(frame.draft); };  // while presenting nothing else is drawn
  presenting ? draw_presentation(frame, layout) : draw_regions(frame, layout, canvas_drawn);
  draw_overlays(frame);
  end_tab_stops();
  end_focus();
  ImGui::End();
}

}  // namespace attn
