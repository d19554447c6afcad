// Works: the works of a window, one behind the other in one history, with their files, and what is kept of
// them for the next start.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/frame/view.h"
#include "app/program/file_watch.h"
#include "app/program/override_settling.h"
#include "app/program/recovery_writer.h"
#include "app/program/store.h"
#include "core/document/history.h"

namespace attn {

// A document from when it was opened or made on.
struct OpenWork {
  std::string path = {};  // of its session; empty: none yet
  FileMark mark = {};     // of that, as it was read or written
  std::string name = {};  // without one: of what it was made from; empty: untitled
  Document saved = {};    // as in that file
  std::string lost = {};  // why it could not be set aside when another took its place; empty: it is kept
  std::map<const Workspace*, Viewport> sights = {};  // of its canvases, while another work is open
};

class Works {
 public:
  struct Setup {
    Document document;
    OpenWork first;          // its work
    bool stands_in = false;  // for work that was left and is not read yet
    std::span<const Workspace> workspaces;
    Store store;
    std::function<void()> wake;  // called from other threads when there is news; may be empty
    std::chrono::milliseconds recovery_period, look_period;
  };
  Works(Setup setup, Budget& budget);

  // Of what is in front: the guest, else the open work.
  const History& history() const { return in_front(); }
  const Document& document() const { return in_front().current(); }
  // Of the open work, whatever is in front.
  const Document& own() const { return history_.current(); }
  const OpenWork& work() const { return works_[history_.work()]; }
  // By History::work().
  OpenWork& work(std::size_t index) { return works_[index]; }
  bool changed() const { return !(own() == work().saved); }
  Store& store() { return store_; }
  const Store& store() const { return store_; }

  // A step of the open work. What no session could say is not taken up: it would be lost at the next start.
  struct Edit {
    bool changed = false;
    std::string refused = {};  // why it was not taken up; empty: it was
  };
  Edit edit(Document draft, bool gesture);

  // A guest: a document with a history of its own, in front of the open work. That stays as it is: files,
  // what is kept for the next start and what closing would lose are about it alone.
  void seat_guest(Document document);                    // in place of one that is there
  void show_guest(bool shown) { guest_shown_ = shown; }  // else the open work is in front, and it waits
  void dismiss_guest() { guest_.reset(); }
  bool guest_in_front() const { return guest_ && guest_shown_; }

  // What became of the unsaved changes of a work whose place another takes.
  struct AsideResult {
    bool kept = false;
    std::string lost = {};  // why not; empty: they are kept, or there were none
  };
  AsideResult jump(std::size_t step);
  AsideResult take_up(Document document, const std::string& step, OpenWork work);
  // The next work is what was left, and from now on its place is this window's. Behind it, done() removes the
  // place of the work before, unless that is kept nowhere else.
  void take_over(const RecoveredWork& recovered, const std::function<void()>& take_up);

  // False: the work's own file, changed on the disk meanwhile, would be lost. Throws Error(Fault::output).
  bool save(const std::string& path, const std::string& session, bool overwrite);
  // Whether the open work's file is still as it is known here.
  FileWatch::State seen();
  // What it has seen is older than what is known now.
  void look_anew() { file_watch_.watch({}, {}); }

  // The open work is to be on the disk; `look` is kept with it.
  void keep(const std::string& look);
  // The same where the document is another than was kept last.
  void keep_newer(const std::string& look);
  // As it is known to be on the disk.
  std::optional<Recovery> kept() const { return recovery_writer_.written(); }
  bool finish_keeping(std::chrono::milliseconds limit) { return recovery_writer_.finish(limit); }
  std::string why_not_kept() const { return recovery_writer_.note(); }
  // An example in the place of work that was left and is not read yet, or was not to be: with it, nothing was
  // done, and kept as the newest work it would be what the next start opens.
  bool stands_in() const { return stands_in_ && history_.steps().size() == 1 && work().path.empty(); }
  void stand_in_no_more() { stands_in_ = false; }
  // Of what closing would lose: the work on screen, unless it is kept; else the last step of one that could
  // not be set aside when another took its place. None: nothing would be lost.
  std::optional<std::size_t> step_to_save(bool kept) const;

 private:
  Recovery recovery(const std::string& look) const;
  AsideResult set_aside();
  History& in_front() { return guest_in_front() ? *guest_ : history_; }
  const History& in_front() const { return guest_in_front() ? *guest_ : history_; }
  bool would_lose(const std::string& file, const std::string& session) const;

  Store store_;
  History history_;
  Budget guest_budget_;  // its steps are few
  std::optional<History> guest_ = {};
  bool guest_shown_ = true;
  std::vector<OpenWork>
      works_;  // by History::work(): undoing the opening of a file goes back to the one before
  OverrideSettling settling_;
  bool stands_in_;
  Document kept_;  // as last handed to recovery_writer_
  RecoveryWriter recovery_writer_;
  FileWatch file_watch_;
};

}  // namespace attn
