// The workspace of entropy by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include "app/frame/desk.h"
#include "app/workspaces/entropy/row.h"
#include "app/workspaces/entropy/view.h"

namespace attn {

void entropy_commands(std::vector<Command>& table, const Desk&) {
  table.push_back({.name = "entropy.next",
                   .title = "The next head",
                   .menu = "Edit/Entropy",
                   .shortcut = plain(GLFW_KEY_N),
                   .run = [](Desk& desk) {
                     std::size_t& head = desk.view.of<EntropyView>().head;
                     head = head + 1 < head_count(desk.draft.layer()) ? head + 1 : 0;
                   }});
}

}  // namespace attn
