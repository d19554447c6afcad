// Works are steps of one history; what is kept of them is theirs and the store's.
#include "app/program/works.h"

#include <filesystem>

#include "app/program/input.h"
#include "core/document/limits.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {

Works::Works(Setup setup, Budget& budget)
    : store_(std::move(setup.store)),
      history_(std::move(setup.document), budget),
      works_{std::move(setup.first)},
      settling_(setup.workspaces),
      stands_in_(setup.stands_in),
      kept_(history_.current()),
      recovery_writer_(store_, setup.wake, setup.recovery_period),
      file_watch_(setup.wake, setup.look_period) {}

Works::Edit Works::edit(Document draft, bool gesture) {
  Edit edit;
  if (!(draft == document())) {
    settling_.settle(document(), draft);
    try {
      check_limits(draft);
    } catch (const Error& error) {
      edit.refused = error.what();
      draft = document();
    }
  }
  edit.changed = in_front().update(draft, gesture);
  return edit;
}

Works::AsideResult Works::set_aside() {
  const bool unsaved = changed();
  AsideResult aside{.kept = store_.set_aside(recovery({}))};
  if (unsaved && !aside.kept) aside.lost = store_.note();
  works_[history_.work()].lost = aside.lost;
  return aside;
}

void Works::seat_guest(Document document) {
  guest_.emplace(std::move(document), guest_budget_);
  guest_shown_ = true;
}

Works::AsideResult Works::jump(std::size_t step) {
  if (guest_in_front()) return guest_->jump(step), AsideResult();
  const bool leaves = history_.steps()[step].work != history_.work();
  const AsideResult aside = leaves ? set_aside() : AsideResult();
  history_.jump(step);
  works_[history_.work()].lost.clear();  // from now on it is kept as the open one
  return aside;
}

Works::AsideResult Works::take_up(Document document, const std::string& step, OpenWork work) {
  const AsideResult aside = set_aside();  // before the push: of the work that goes
  history_.push(std::move(document), step);
  works_.resize(history_.work() + 1);
  works_.back() = std::move(work);
  return aside;
}

void Works::take_over(const RecoveredWork& recovered, const std::function<void()>& take_up) {
  const auto place_before = store_.take_over(recovered);
  const std::size_t before = history_.work();
  take_up();
  if (place_before && works_[before].lost.empty()) place_before->remove();
}

// The work's own file is another than was read or written here, and not what is to be written.
bool Works::would_lose(const std::string& file, const std::string& session) const {
  std::error_code none;
  if (work().path != file && !std::filesystem::equivalent(work().path, file, none)) return false;
  const auto now = mark_of_file(file);
  return now && *now != work().mark && *now != mark_of(session);
}

bool Works::save(const std::string& path, const std::string& session, bool overwrite) {
  const std::string file = full_path(path);
  if (!overwrite && would_lose(file, session)) return false;
  write_file(path, session, Readers::owner);
  works_[history_.work()].path = file;
  // A file may have been opened more than once: what it holds now is what all of those have saved.
  for (OpenWork& work : works_)
    if (work.path == file) work.saved = own(), work.mark = mark_of(session);
  store_.add_recent_file(file);
  return true;
}

FileWatch::State Works::seen() {
  file_watch_.watch(work().path, work().mark);
  return file_watch_.seen();
}

Recovery Works::recovery(const std::string& look) const {
  return {own(), work().path, changed(), work().name, work().mark, look};
}

void Works::keep(const std::string& look) {
  recovery_writer_.post(recovery(look));
}

// In a drag too: it may last. The thread that writes has it before a device gets it: a driver may keep its
// own thread for good.
void Works::keep_newer(const std::string& look) {
  if (own() == kept_) return;
  kept_ = own();
  keep(look);
}

std::optional<std::size_t> Works::step_to_save(bool kept) const {
  if (!kept && changed()) return history_.position();
  const auto& steps = history_.steps();
  for (std::size_t i = steps.size(); i-- > 0;) {
    const bool last = i + 1 == steps.size() || steps[i + 1].work != steps[i].work;
    const OpenWork& work = works_[steps[i].work];
    if (last && !work.lost.empty() && !(steps[i].document == work.saved)) return i;
  }
  return std::nullopt;
}

}  // namespace attn
