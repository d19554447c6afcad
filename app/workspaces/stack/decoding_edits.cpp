// What decoding changes of the document: another candidate, a character that is forced, and commands.
#include <GLFW/glfw3.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/canvas/edits.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/stack/commands.h"
#include "app/workspaces/stack/decoding_scene.h"
#include "core/document/stack_edit.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

// What is made over A's tokens where there is no stack is an encoder.
bool decodes(const StackSpec& own) {
  return !own.empty() && own.has_decoder();
}

void move_step(Desk& desk, bool on) {
  StackView& view = desk.view.of<StackView>();
  const StackSpec& stack = desk.draft.transformer;
  if (!decodes(stack)) return;
  const std::size_t last = token_count(stack.decoder) - 1, now = std::min(view.step, last);
  view.step = on ? std::min(now + 1, last) : now - std::min<std::size_t>(now, 1);
}

}  // namespace

std::string symbol_name(const StackSpec& stack, std::size_t symbol) {
  return symbol < stack.symbols.size() ? stack.symbols[symbol] : std::to_string(symbol);
}

std::string decoded_token(const DecodingScene& decoding, std::size_t token) {
  const Labels& tokens = decoding.side().tokens;
  return token < tokens.size() ? tokens[token] : std::to_string(token);
}

void take_symbol(const DecodingScene& decoding, std::size_t symbol) {
  const std::size_t kept = decoding.step + 1;
  if (kept >= decoding.room && !decoding.scene.spec().position_table.empty()) {
    decoding.scene.frame.view.say("there is no position behind this step: nothing reads what it writes");
    return;
  }
  if (attempt(decoding.scene.frame, [&](LayerAt at) { write_on(own_stack(at.document), kept, {symbol}); }))
    decoding.scene.view().step = kept;
}

void draw_forced_symbol(const DecodingScene& decoding, Rect cell) {
  StackView& view = decoding.scene.view();
  const Theme& theme = decoding.scene.frame.theme;
  ImGui::SetCursorScreenPos({cell.min.x, cell.min.y});
  ImGui::SetNextItemWidth(std::max(cell.width(), theme.px(30)));
  if (!ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
  std::string text;
  ImGui::InputText("##forced", &text);
  if (ImGui::IsItemDeactivated() && text.empty()) view.typing = false;
  if (text.empty()) return;
  const Labels& symbols = decoding.scene.spec().symbols;
  const auto found = std::ranges::find(symbols, text);
  view.typing = false;
  if (found == symbols.end())
    decoding.scene.frame.view.say("“" + text + "” is no symbol of this stack: it knows " + listed(symbols),
                                  true);
  else
    take_symbol(decoding, static_cast<std::size_t>(found - symbols.begin()));
}

void decoding_commands(std::vector<Command>& table, const Desk& desk) {
  const bool can = decodes(desk.draft.transformer);
  table.push_back({.name = "stack.write",
                   .title = "Write on from this step",
                   .menu = kStackEditMenu,
                   .shortcut = plain(GLFW_KEY_G),
                   .run = [](Desk& d) { d.view.of<StackView>().writing = true; },
                   .enabled = can,
                   .says = "the likeliest symbol each time, as far as there are positions"});
  table.push_back({.name = "stack.step_on",
                   .title = "The next step of decoding",
                   .menu = kStackEditMenu,
                   .shortcut = can ? plain(GLFW_KEY_RIGHT) : Shortcut{},
                   .run = [](Desk& d) { move_step(d, true); },
                   .enabled = can});
  table.push_back({.name = "stack.step_back",
                   .title = "The step of decoding before",
                   .menu = kStackEditMenu,
                   .shortcut = can ? plain(GLFW_KEY_LEFT) : Shortcut{},
                   .run = [](Desk& d) { move_step(d, false); },
                   .enabled = can});
}

}  // namespace attn
