// Store: what is remembered from one start to the next, under the XDG folders.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/frame/view.h"
#include "app/lesson/lesson_view.h"
#include "app/program/recovery.h"

namespace attn {

// What the windows that have ended left.
struct RecoveredWork {
  std::optional<Recovery> work;                   // to go on with
  std::shared_ptr<const RecoverySlot> slot = {};  // its place, which is nobody else's while this lives
  bool computing = false;                         // the program ended while it was being computed
  std::vector<std::string> notes;                 // what became of the others
  bool trouble = false;                           // some of it could not be read, or not be set aside

  std::string said() const;  // the notes, for a person
};

// Copies are of one window: they share its place among the recoveries, and the recent files.
class Store {
 public:
  // $XDG_CONFIG_HOME and $XDG_STATE_HOME, else below $HOME. Without either nothing is remembered, and note()
  // says so.
  static Store from_environment();
  Store();  // remembers nothing
  Store(std::string config_folder, std::string state_folder);

  Settings load_settings() const;  // defaults for what is missing or damaged
  void save_settings(const Settings& settings);

  // Where lessons were left, and what was answered there; nothing for what is missing or damaged.
  LessonRecord load_lessons() const;
  void save_lessons(const LessonRecord& record);

  // True once: where nothing has been remembered yet, neither settings nor work nor lessons, and it can be
  // written down that the program has started.
  bool begin_first_start();

  // Newest first; files that existed when the program started, or were used since.
  std::vector<std::string> recent_files() const;
  void add_recent_file(const std::string& path);

  // What is left: the newest work that can be read and computed, when it is to be opened. Other unsaved work
  // is set aside. What cannot be read is kept next to it, as it is; what cannot even be moved stays where it
  // is, and this window writes elsewhere. What is not read yet when it is given up stays for the next start.
  RecoveredWork take_recovered_work(bool open, const ProgressCallback& progress = {});
  // Whether more bytes than that may be read for it.
  bool left_more_than(std::uintmax_t most) const;
  // From now on the place of its work is this window's. Returns the one before; null: there was none.
  std::shared_ptr<const RecoverySlot> take_over(const RecoveredWork& recovered);
  std::optional<Recovery> load_recovery() const;  // the newest that can be read; changes nothing
  // In this window's place.
  void save_recovery(const Recovery& recovery);
  // That what is in this window's place is being computed, or no longer.
  void set_computing(bool computing);

  // Keeps unsaved work whose place something else takes: as a session in the state folder, for as long as it
  // is among the recent files, where only newer work that is set aside takes its place. True when there was
  // something to keep and it is kept.
  bool set_aside(const Recovery& work);
  bool was_set_aside(const std::string& path) const;

  // Why something could not be remembered; empty when all is well.
  const std::string& note() const { return note_; }

 private:
  class Place;
  void drop_oldest(std::vector<std::string>& recent);
  bool write_state(const std::string& name, const std::string& text);  // else note() says why
  void keep(const RecoverySlot& slot, const Recovery& work, RecoveredWork& recovered);
  void keep_unreadable(const RecoverySlot& slot, const ReadRecovery& read, const std::string& why,
                       RecoveredWork& recovered);
  std::string free_file_aside(const std::string& name) const;  // in the state folder

  std::string config_, state_, note_;
  std::shared_ptr<Place> place_;
};

}  // namespace attn
