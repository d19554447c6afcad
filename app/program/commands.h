// The command table of the program, and when it is another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/frame/commands.h"
#include "app/frame/view.h"
#include "core/engine/engine.h"
#include "core/lesson/lesson.h"

namespace attn {

class Application;

// Every command as it stands now. Besides the fixed ones: example.NAME, recent.N, workspace.NAME,
// device.auto, device.reference, device.N, history.N, those of the workspace on screen and, last, the
// manual's passages. Without `passages` these are left out, and the manual is not read: the palette alone
// lists them. They are the application's: it outlives them.
std::vector<Command> make_commands(Application& application, bool passages = true);

// What the table is made from: another key, another table.
struct TableKey {
  std::uint64_t history = 0;
  std::vector<std::string> recent_files;
  Settings settings;
  std::string device;
  LayerView layer;
  bool all_in_sight = false;
  const Workspace* workspace = nullptr;
  std::vector<DeviceChoice> devices;
  bool busy = false, stopped = false, reading = false, measuring = false, saving_steps = false,
       presents = false, palette = false;
  FileLine::About about_file = FileLine::nothing;
  const Lesson* lesson = nullptr;
  std::size_t lesson_step = 0;
  std::pair<std::size_t, std::optional<std::size_t>> lesson_page = {};  // and its exercise
  std::size_t recorded = 0;  // while a lesson is: its steps, and one
  bool lesson_on_own = false, cell_has_keys = false;
  bool operator==(const TableKey&) const = default;
};
TableKey table_key(const Application& application);

}  // namespace attn
