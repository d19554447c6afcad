// The workspace of heads by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/canvas/edits.h"
#include "app/frame/desk.h"
#include "app/frame/workspace.h"
#include "app/layer/layer_controls.h"
#include "app/workspaces/heads/row.h"
#include "app/workspaces/heads/scene.h"
#include "core/heads/fields.h"
#include "core/system/error.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;
constexpr const char* kHeadsMenu = "Edit/Heads";

// A key that goes to an order, and back to the first.
void add_order(Commands& table, const char* name, const char* title, int key, HeadOrder order) {
  table.push_back({.name = std::string("heads.") + name,
                   .title = title,
                   .menu = kHeadsMenu,
                   .shortcut = plain(key),
                   .run = [order](Desk& desk) {
                     HeadOrder& now = desk.draft.heads.order;
                     now = now == order ? HeadOrder::index : order;
                   }});
}

// In the order that the maps stand in.
std::function<void(Desk&)> step_head(std::ptrdiff_t by) {
  return [by](Desk& desk) {
    const auto& results = desk.engine.results;
    if (!has_numbers(results)) return;
    const std::vector<std::size_t>& order = heads_memo(desk.memos, results).order;
    const auto count = static_cast<std::ptrdiff_t>(order.size());
    const std::ptrdiff_t at = std::ranges::find(order, desk.view.layer.head) - order.begin();
    desk.view.layer.head = order[static_cast<std::size_t>((at + by + count) % count)];
  };
}

void use_groups(Desk& desk) {
  const std::size_t wanted = looked_at_groups(desk.draft.heads, desk.draft.layer());
  if (wanted == kv_head_count(desk.draft.layer()))
    throw Error("these are the layer's own key/value heads: choose fewer first");
  use_grouped(desk.draft, wanted);
}

}  // namespace

void heads_commands(Commands& table, const Desk& now) {
  head_commands(table, now.draft.layer());
  table.push_back({.name = "heads.next",
                   .title = "The next head",
                   .menu = kHeadsMenu,
                   .shortcut = plain(GLFW_KEY_N),
                   .run = step_head(1)});
  table.push_back({.name = "heads.previous",
                   .title = "The head before",
                   .menu = kHeadsMenu,
                   .shortcut = {.key = GLFW_KEY_N, .shift = true},
                   .run = step_head(-1)});
  add_order(table, "by_entropy", "By entropy, or by number", GLFW_KEY_E, HeadOrder::entropy);
  add_order(table, "by_likeness", "By likeness, or by number", GLFW_KEY_S, HeadOrder::alike);
  table.push_back({.name = "heads.use_groups",
                   .title = "Share keys and values as shown",
                   .menu = kHeadsMenu,
                   .shortcut = plain(GLFW_KEY_U),
                   .run = use_groups});
  const auto choices = [&](const char* menu, const auto& about, auto member) {
    add_choices(table, "heads", kHeadsMenu + std::string("/") + menu, about, &Document::heads, member,
                now.draft);
  };
  choices("Map", heads_field::map, &HeadsSpec::map);
  choices("Order", heads_field::order, &HeadsSpec::order);
  choices("Alike", heads_field::measure, &HeadsSpec::measure);
}

}  // namespace attn
