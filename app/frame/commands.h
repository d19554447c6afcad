// Commands: name, title, shortcut, enabled, run. Menu, keys, palette and key sheet read the table of them;
// nothing about a command is written twice.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct Desk;

struct Shortcut {
  int key = 0;  // GLFW code; 0: none
  bool control = false, shift = false, alt = false;
  char character = 0;  // in place of a key: what is typed, wherever a layout has it

  explicit operator bool() const { return key != 0 || character != 0; }
  bool operator==(const Shortcut&) const = default;
};

constexpr Shortcut plain(int key) {
  return {.key = key};
}
constexpr Shortcut typed(char character) {
  return {.character = character};
}
constexpr Shortcut ctrl(int key, bool shift = false) {
  return {.key = key, .control = true, .shift = shift};
}

struct Command {
  std::string name;       // "edit.undo": what Frame::commands holds
  std::string title;      // "Undo"
  std::string menu = {};  // "Edit", "File/Recent"; empty: palette and keys only
  Shortcut shortcut = {};
  std::function<void(Desk&)> run;
  bool enabled = true;
  bool checked = false;                   // a choice that is on
  std::vector<Shortcut> other_keys = {};  // do the same; the key sheet has them too
  std::string says = {};                  // more about it, in a sentence; empty: its title says all
};

// A choice, ticked while it is on.
inline Command ticked(std::string name, std::string title, std::string menu, bool on,
                      std::function<void(Desk&)> run, Shortcut key = {}) {
  return {.name = std::move(name),
          .title = std::move(title),
          .menu = std::move(menu),
          .shortcut = key,
          .run = std::move(run),
          .checked = on};
}

// "Ctrl+Shift+P", as menus and the key sheet write it; empty without a key.
std::string to_string(const Shortcut& shortcut);

// Whose the keys are that more than one could mean: a text's that is being typed, the selected cell's
// (arrows, and what begins a number), or the program's.
enum class KeysFor { program, cell, text };

// The names of the commands whose keys were pressed in this frame.
std::vector<std::string> pressed_commands(const std::vector<Command>& commands, KeysFor whose);

}  // namespace attn
