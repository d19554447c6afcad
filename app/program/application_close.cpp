// The end of the program: what is open is kept for the next start, or asked for where it cannot be.
#include "app/program/application.h"
#include "app/program/input.h"

namespace attn {
namespace {

constexpr std::chrono::milliseconds kDiskPatience{1000};  // with the disk, at the end

}  // namespace

// A computation that closing cuts short ended nothing.
Application::~Application() {
  remember();
  store_.set_computing(held());
}

Recovery Application::recovery() const {
  const Work& work = works_[history_.work()];
  return {document(), work.path, changed(), work.name, work.mark, look_of(view_, workspaces_)};
}

void Application::remember() {
  if (!(view_.settings == saved_settings_)) store_.save_settings(view_.settings);
  saved_settings_ = view_.settings;
  if (!stands_in()) recovery_writer_.post(recovery());
}

// The example in the place of work that was left and is not read yet, or was not to be: with it, nothing was
// done, and kept as the newest work it would be what the next start opens.
bool Application::stands_in() const {
  return stands_in_ && history_.steps().size() == 1 && path().empty();
}

// In a drag too: it may last. The thread that writes has it before a device gets it: a driver may keep its
// own thread for good.
void Application::keep_for_next_start() {
  if (history_.current() == remembered_) return;
  remembered_ = history_.current();
  recovery_writer_.post(recovery());
}

// The work on screen, unless it is kept; else the last step of one that could not be set aside when another
// took its place.
std::optional<std::size_t> Application::step_to_save(bool kept) const {
  if (!kept && changed()) return history_.position();
  const auto& steps = history_.steps();
  for (std::size_t i = steps.size(); i-- > 0;) {
    const bool last = i + 1 == steps.size() || steps[i + 1].work != steps[i].work;
    const Work& work = works_[steps[i].work];
    if (last && !work.lost.empty() && !(steps[i].document == work.saved)) return i;
  }
  return std::nullopt;
}

void Application::request_quit() {
  remember();
  const bool kept = recovery_writer_.finish(kDiskPatience);
  const auto step = step_to_save(kept);
  quit_ = !step;
  if (!step) return;
  const std::string lost = works_[history_.steps()[*step].work].lost;
  const std::string why = lost.empty() ? recovery_writer_.note() : lost;
  if (*step != history_.position()) jump(*step);
  const std::string name = path().empty() ? "This work" : file_name(path());
  view_.overlays.closing =
      name + " has changes that are saved nowhere, and they " +
      (why.empty() ? "are not kept for the next start yet: writing them takes longer than a second."
                   : "cannot be kept for the next start: " + why + ".");
}

void Application::save_and_quit() {
  view_.overlays.closing.clear();
  if (path().empty()) return ask_for_file(true, true);
  if (save(std::string(path())) || !view_.file.refused) request_quit();  // else what to do is asked first
}

}  // namespace attn
