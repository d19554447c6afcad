// The program: its documents, files and devices, and one frame of it.
#include "app/program/application.h"

#include <algorithm>

#include "app/program/input.h"
#include "app/widgets/focus.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/text.h"

namespace attn {

Application::Application(Setup setup)
    : budget_(std::move(setup.budget)),
      textures_(setup.opengl),
      store_(std::move(setup.store)),
      backend_for_(std::move(setup.backend_for)),
      survey_(std::move(setup.survey)),
      history_(std::move(setup.document), *budget_),
      works_{{.path = std::move(setup.path),
              .mark = std::move(setup.mark),
              .name = std::move(setup.name),
              .saved = setup.changed ? Document() : history_.current()}},
      held_(setup.held ? std::optional(history_.current()) : std::nullopt),
      recovery_writer_(store_, setup.wake, setup.recovery_period),
      workspaces_(setup.workspaces),
      native_dialogs_(setup.native_dialogs),
      wake_(setup.wake),
      patience_(setup.patience),
      left_(setup.left != Left::none),
      stands_in_(setup.left == Left::to_open),
      opening_(setup.wake),
      pasted_(setup.wake),
      file_watch_(setup.wake, setup.look_period),
      engine_(std::move(setup.backend), *budget_, std::move(setup.wake)),
      measure_(std::move(setup.measures.store), std::move(setup.measures.program),
               std::move(setup.measures.surroundings)) {
  view_.settings = saved_settings_ = store_.load_settings();
  view_.device = std::move(setup.device);
  view_.workspace = &workspaces_.front();
  for (const Workspace& workspace : workspaces_) view_.canvases[&workspace];  // makes one for each
  remembered_ = history_.current();
  look_again(setup.look);
  if (!setup.said.empty()) say(setup.said, setup.trouble);
  if (!path().empty() || changed()) recovery_writer_.post(recovery());
  compute();
  if (!setup.dropped.empty()) open(setup.dropped);
  awaiting_ = false;  // the first frame does not wait: the window opens at once
}

std::string Application::title() const {
  const Work& work = works_[history_.work()];
  const std::string name = !work.path.empty()  ? file_name(work.path)
                           : work.name.empty() ? "untitled"
                                               : work.name;
  return (changed() ? "● " : "") + printable(name) + " – Attention Lab";
}

bool Application::animating() const {
  const bool dims_soon = !view_.lags() && engine_.state().busy;
  return view_.canvas().playing || view_.canvas().step_fade < 1 || dims_soon || tooltip_due();
}

std::optional<Capture> Application::take_capture() {
  return std::exchange(capture_, std::nullopt);
}

void Application::request_capture(bool panel) {
  capture_ = Capture{};
  if (!panel) return;
  for (const Rect& rect : panels_)
    if (rect.contains(ImGui::GetIO().MousePos)) capture_->area = rect;
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
  const std::size_t now = history_.work();
  if (now == before) return;
  view_.before = {};
  view_.file = {};
  for (auto& [workspace, canvas] : view_.canvases) {
    Sight& sight = canvas;
    works_[before].sights[workspace] = sight;
    sight = works_[now].sights[workspace];
  }
}

// What a field says of a refused number is of the document as it was.
void Application::forget_refusal() {
  if (view_.field && !view_.field->error.empty()) view_.field.reset();
}

void Application::show(const Workspace& workspace) {
  if (view_.workspace == &workspace) return;
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
  view_.own = {};
  view_.layer = {};
  try {
    look(words);
  } catch (const Error& error) {
    say(std::string("what was looked at is not restored: ") + error.what(), true);
  }
}

void Application::change(const Document& document) {
  Document draft = document;
  settle(draft);
  keep_within_limits(draft);
  if (!history_.update(draft, false)) return;
  forget_refusal();
  compute();
}

void Application::undo() {
  jump(history_.position() - (history_.can_undo() ? 1 : 0));
}

void Application::redo() {
  jump(history_.position() + (history_.can_redo() ? 1 : 0));
}

void Application::jump(std::size_t step) {
  const std::size_t before = history_.work();
  const bool leaves = history_.steps()[step].work != before;
  const SetAside aside = leaves ? set_aside() : SetAside();
  history_.jump(step);
  works_[history_.work()].lost.clear();  // from now on it is kept as the open one
  look_at_work(before);
  forget_refusal();
  compute();
  if (aside.kept) say("the unsaved work that was open stays among the recent files");
  if (!aside.lost.empty())
    say("the unsaved work that was open is nowhere but in the history: " + aside.lost, true);
}

void Application::stop() {
  engine_.stop();
}

void Application::compute_again() {
  held_.reset();
  compute();
}

void Application::compute() {
  keep_for_next_start();
  view_.before.shown = false;  // an edit is seen
  if (held()) return;
  awaiting_ = true;
  if (!std::exchange(computing_, true)) store_.set_computing(true);
  engine_.post({.document = history_.current(), .plan = view_.workspace, .built = build_given()});
}

void Application::use_device(const std::string& choice) {
  if (!backend_for_) return;
  view_.settings.device = choice;
  view_.device.reset();
  engine_.use(backend_for_(choice));
}

void Application::survey_devices() {
  if (std::ranges::count(engine_.jobs(), "survey", &JobStatus::name) > 0)
    return;  // that one's answer will do
  engine_.survey([survey = survey_] { return survey ? survey(false) : std::vector<DeviceChoice>(); });
}

void Application::retest_devices() {
  if (!survey_ || !backend_for_) return survey_devices();
  say("every device is tested again: the menu of devices will say with what result");
  engine_.survey([this, survey = survey_] {
    std::vector<DeviceChoice> devices = survey(true);
    retested_ = true;
    return devices;
  });
}

void Application::measure(const MeasureSpec& spec) {
  try {
    measure_.start(engine_, spec);
    recalled_ = {spec.shape, engine_.state().device};
  } catch (const Error& error) {
    say(error.what(), true);
  }
}

void Application::stop_measuring() {
  measure_.stop();
}

// Of another shape or device something else is kept.
void Application::recall_measured(const std::optional<MeasureShape>& shape) {
  const std::string& device = made_.engine.device;
  if (!shape || device.empty() || made_.measuring.running || recalled_ == std::pair(*shape, device)) return;
  const auto& measured = made_.measuring.measured;  // what a lost device left stays in sight
  if (measured && measured->state == MeasureState::ended && measured->shape == *shape) return;
  recalled_ = {*shape, device};
  measure_.recall(engine_, *shape);
}

void Application::at_desk(const std::function<void(Desk&)>& use) {
  Document draft = document();
  std::vector<Ask> asks;
  Desk desk{.engine = made_.engine,
            .workspaces = workspaces_,
            .workspace = workspace(),
            .measuring = measure_.now().running,
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
    for (const Command& command : make_commands(*this))
      if (command.name == name && command.enabled) {
        run(command);
        break;
      }
}

void Application::answer(const std::vector<Ask>& asks) {
  for (const Ask& ask : asks) std::visit([this](const auto& one) { answer(one); }, ask);
}

}  // namespace attn
