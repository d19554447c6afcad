// Store: what is remembered from one start to the next, under the XDG folders.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/view.h"
#include "core/document.h"

namespace attn {

// The work that was open when the program ended, however it ended.
struct Recovery {
  Document document;
  std::string path;  // of the session; empty: never saved
  bool changed = false;
};

class Store {
 public:
  // $XDG_CONFIG_HOME and $XDG_STATE_HOME, else below $HOME. Without either nothing is remembered, and notes()
  // says so.
  static Store from_environment();
  Store() = default;  // remembers nothing
  Store(std::string config_folder, std::string state_folder);

  Settings load_settings() const;  // defaults for what is missing or damaged
  void save_settings(const Settings& settings);

  // Newest first; files that existed when the program started, or were used since.
  const std::vector<std::string>& recent_files() const { return recent_; }
  void add_recent_file(const std::string& path);

  std::optional<Recovery> load_recovery() const;
  void save_recovery(const Recovery& recovery);

  // Keeps unsaved work whose place something else takes: as a session in the state folder, for as long as it
  // is among the recent files. True when there was something to keep and it is kept.
  bool set_aside(const Recovery& work);
  bool was_set_aside(const std::string& path) const;

  // Why something could not be remembered; empty when all is well.
  const std::string& note() const { return note_; }

 private:
  void write(const std::string& folder, const char* name, const std::string& text);

  std::string config_, state_, note_;
  std::vector<std::string> recent_;
};

}  // namespace attn
