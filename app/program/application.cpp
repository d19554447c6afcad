// What commands do: edits, history, workspaces, devices.
#include "app/program/application.h"

#include "app/frame/recording_view.h"
#include "app/program/help_commands.h"
#include "app/program/input.h"
#include "app/widgets/focus.h"
#include "app/widgets/glossary.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {

namespace {

// The reference has them sooner than a window stands.
constexpr std::chrono::milliseconds kFirstNumbers{100};

}  // namespace

Application::Application(Setup setup)
    : budget_(std::move(setup.budget)),
      workspaces_(setup.workspaces),
      works_({.document = setup.document,
              .first = {.path = std::move(setup.path),
                        .mark = std::move(setup.mark),
                        .name = std::move(setup.name),
                        .saved = setup.changed ? Document() : setup.document},
              .stands_in = setup.recovered == RecoveredUse::to_open,
              .workspaces = workspaces_,
              .store = std::move(setup.store),
              .wake = setup.wake,
              .recovery_period = setup.recovery_period,
              .look_period = setup.look_period},
             *budget_),
      followed_(setup.wake, setup.look_period),
      textures_(setup.opengl),
      recovered_waits_(setup.recovered != RecoveredUse::none),
      usual_language_(std::move(setup.usual_language)),
      reading_(setup.wake, setup.patience),
      computing_(std::move(setup.devices), std::move(setup.measures), works_.store(), *budget_, setup.wake),
      number_files_(setup.wake),
      step_pictures_(std::move(setup.program), setup.wake),
      native_dialog_(setup.native_dialogs, setup.wake) {
  view_.settings = saved_settings_ = store().load_settings();
  view_.device = std::move(setup.device);
  view_.language = std::move(setup.language);
  view_.workspace = &workspaces_.front();
  for (const Workspace& workspace : workspaces_) view_.canvases[&workspace];  // makes one for each
  if (setup.held) computing_.hold(document());
  look_again(setup.look);
  if (!setup.said.empty()) say(setup.said, setup.trouble);
  if (!path().empty() || changed()) works_.keep(look());
  compute();
  if (computing_.testing()) wait_for_results(kFirstNumbers);
  if (!setup.dropped.empty()) open(setup.dropped);
  awaiting_ = false;  // the first frame does not wait: the window opens at once
}

// A computation that closing cuts short ended nothing.
Application::~Application() {
  remember();
  computing_.end(document());
}

std::string Application::title() const {
  const OpenWork& work = works_.work();
  const std::string name = !work.path.empty()  ? file_name(work.path)
                           : work.name.empty() ? in_language(language_.language(), "untitled")
                                               : work.name;
  return (changed() ? "● " : "") + printable(name) + " – Attention Lab";
}

bool Application::animating() const {
  const bool dims_soon = !view_.lags() && engine_state().busy;
  return view_.canvas().playing || view_.canvas().step_fade < 1 || dims_soon || tooltip_due() ||
         card_due(view_) || wanted_;
}

std::optional<SavePicture> Application::take_capture() {
  return std::exchange(capture_, std::nullopt);
}

void Application::request_capture(bool panel, bool svg) {
  wanted_ = SavePicture{.area = {}, .svg = svg};
  if (!panel) return;
  for (const Rect& rect : panels_)
    if (rect.contains(ImGui::GetIO().MousePos)) wanted_->area = rect;
}

void Application::say(const std::string& message, bool error) {
  view_.say(message, error);
}

void Application::document_replaced() {
  view_.pinned.reset();
  view_.grid.selection.reset();
  view_.grid.typing.reset();
  view_.grid.pasting.reset();
  view_.grid.heads.clear();
  view_.grid.drag.reset();
  forget_refusal();
  for (auto& [workspace, canvas] : view_.canvases) canvas.step.reset();
  view_.layer.head = 0;
  compute();
}

// Another work is open than before: each keeps what was in sight of it.
void Application::look_at_work(std::size_t before) {
  const std::size_t now = history().work();
  if (now == before) return;
  view_.before = {};
  view_.file = {};
  for (auto& [workspace, canvas] : view_.canvases) {
    Viewport& sight = canvas;
    works_.work(before).sights[workspace] = sight;
    sight = works_.work(now).sights[workspace];
  }
}

// What a field says of a refused number is of the document as it was.
void Application::forget_refusal() {
  if (view_.field && !view_.field->error.empty()) view_.field.reset();
}

// Gradients are in one workspace alone: elsewhere the number is pinned that it is of.
void Application::pin_for_all() {
  const Graph& graph = shown_.graph();
  const auto pinned = view_.pinned ? graph.find(view_.pinned->stage) : std::nullopt;
  const auto of = pinned ? graph.stages[*pinned].gradient_of : std::nullopt;
  if (of && holds(graph.stages[*of].shape, view_.pinned->cell)) view_.pinned->stage = graph.stages[*of].id;
}

void Application::show(const Workspace& workspace) {
  if (view_.workspace == &workspace) return;
  pin_for_all();
  view_.workspace = &workspace;
  view_.grid.selection.reset();
  compute();
}

void Application::look(const std::string& words) {
  Document draft = document();
  View looks = view_;
  attn::look(words, draft, looks, workspaces_);
  const Workspace& chosen = *std::exchange(looks.workspace, view_.workspace);
  view_ = std::move(looks);
  change(draft);
  show(chosen);
}

void Application::look_again(const std::string& words) {
  if (words.empty()) return;
  RecordingView recording = std::move(view_.of<RecordingView>());
  view_.own = {};
  view_.of<RecordingView>() = std::move(recording);
  view_.layer = {};
  try {
    look(words);
  } catch (const Error& error) {
    say(std::string("the view was not restored: ") + error.what(), true);
  }
}

bool Application::edit(const Document& draft, bool gesture) {
  const auto [changed, refused] = works_.edit(draft, gesture);
  if (!refused.empty()) say(refused, true);
  if (!changed) return false;
  forget_refusal();
  compute();
  return true;
}

void Application::change(const Document& document) {
  edit(document, false);
}

void Application::undo() {
  if (!history().can_undo()) return;
  say("undone: " + history().steps()[history().position()].name);
  jump(history().position() - 1);
}

void Application::redo() {
  if (!history().can_redo()) return;
  say("redone: " + history().steps()[history().position() + 1].name);
  jump(history().position() + 1);
}

void Application::jump(std::size_t step) {
  const std::size_t before = history().work();
  const auto [kept, lost] = works_.jump(step);
  look_at_work(before);
  forget_refusal();
  compute();
  if (kept) say("the unsaved work that was open stays among the recent files");
  if (!lost.empty()) say("the unsaved work that was open is nowhere but in the history: " + lost, true);
}

void Application::stop() {
  engine().stop();
}

void Application::compute_again() {
  computing_.release();
  compute();
}

void Application::compute() {
  works_.keep_newer(own_look());
  view_.before.shown = false;  // an edit is seen
  if (computing_.holds(document())) return;
  awaiting_ = true;
  computing_.compute(
      {.document = document(), .plan = view_.workspace, .built = shown_.build(document(), workspace())});
}

void Application::use_device(const std::string& choice) {
  if (!computing_.use(choice)) return;
  view_.settings.device = choice;
  view_.device.reset();
}

void Application::survey_devices() {
  computing_.survey_devices();
}

void Application::retest_devices() {
  if (computing_.retest_devices())
    say("every device is tested again: the menu of devices will say with what result");
}

void Application::measure(const MeasureSpec& spec) {
  try {
    computing_.measure(spec);
  } catch (const Error& error) {
    say(error.what(), true);
  }
}

void Application::stop_measuring() {
  computing_.stop_measuring();
}

void Application::at_desk(const std::function<void(Desk&)>& use) {
  Document draft = document();
  std::vector<Ask> asks;
  Desk desk{.engine = shown_.engine(),
            .workspaces = workspaces_,
            .workspace = workspace(),
            .measuring = measuring().running,
            .memos = memos_,
            .draft = draft,
            .view = view_,
            .asks = asks};
  use(desk);
}

void Application::run(const Command& command) {
  at_desk([&](Desk& desk) {
    const Document before = desk.draft;
    try {
      command.run(desk);
    } catch (const Error& error) {
      return say(error.what(), true);
    }
    if (!(desk.draft == before)) change(desk.draft);
    answer(desk.asks);
  });
}

void Application::run(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    // Made anew for each: the one before may have changed what there is, and what is enabled.
    for (const Command& command : make_commands(*this, is_passage_command(name)))
      if (command.name == name && command.enabled) {
        run(command);
        break;
      }
}

void Application::answer(const std::vector<Ask>& asks) {
  for (const Ask& ask : asks) std::visit([this](const auto& one) { answer(one); }, ask);
}

}  // namespace attn
