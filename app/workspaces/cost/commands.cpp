// The workspace of costs by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <functional>

#include "app/canvas/edits.h"
#include "app/frame/desk.h"
#include "app/frame/workspace.h"
#include "app/workspaces/cost/row.h"
#include "app/workspaces/cost/scene.h"
#include "app/workspaces/cost/view.h"
#include "core/cost/fields.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;

void add_edit(Commands& table, std::string name, std::string title, const std::string& menu, Shortcut key,
              std::function<void(CostStudy&)> edit, bool checked = false) {
  table.push_back({.name = "cost." + std::move(name),
                   .title = std::move(title),
                   .menu = menu,
                   .shortcut = key,
                   .run = [edit = std::move(edit)](Desk& desk) { edit(desk.draft.cost); },
                   .enabled = true,
                   .checked = checked});
}

void cost_lists(Commands& table, const Document& now) {
  const CostStudy& study = now.cost;
  const Preset* preset = preset_of(study);
  for (const Preset& each : presets())
    add_edit(
        table, "preset." + std::string(each.word), std::string(each.title), "Edit/Cost/Preset", {},
        [&each](CostStudy& s) { take_preset(s, each); }, preset == &each);
  for (std::size_t i = 0; i < kMechanismWords.size(); ++i) {
    const auto kind = static_cast<MechanismKind>(i);
    add_edit(
        table, "mechanism." + std::string(kMechanismWords[i]), mechanism_title(study, kind),
        "Edit/Cost/Mechanisms", {}, [kind](CostStudy& s) { toggle_mechanism(s, kind); },
        std::ranges::count(study.mechanisms, kind) > 0);
  }
  add_choices(table, "cost", "Edit/Cost/Numbers", cost_field::format, &Document::cost, &CostStudy::format,
              now);
}

}  // namespace

void cost_commands(Commands& table, const Desk& now) {
  const CostStudy& study = now.draft.cost;
  constexpr const char* kCostMenu = "Edit/Cost";
  add_edit(table, "more_tokens", "Twice the tokens", kCostMenu, plain(GLFW_KEY_UP),
           [](CostStudy& s) { take_tokens(s, 2 * static_cast<double>(s.n)); });
  add_edit(table, "fewer_tokens", "Half the tokens", kCostMenu, plain(GLFW_KEY_DOWN),
           [](CostStudy& s) { take_tokens(s, static_cast<double>(s.n) / 2); });
  add_edit(
      table, "backward", "Count the backward pass", kCostMenu, plain(GLFW_KEY_B),
      [](CostStudy& s) { s.backward = !s.backward; }, study.backward);
  const bool running = now.measuring;
  table.push_back({.name = "cost.measure",
                   .title = "Measure on this device",
                   .menu = kCostMenu,
                   .shortcut = plain(GLFW_KEY_M),
                   .run = [](Desk& desk) {
                     desk.asks.emplace_back(StartMeasuring{{.shape = measured_shape(desk.draft.cost),
                                                            .longest = desk.view.of<CostView>().longest}});
                   }});
  table.push_back({.name = "cost.stop",
                   .title = "Stop measuring; the points stay",
                   .menu = kCostMenu,
                   .shortcut = plain(GLFW_KEY_S),
                   .run = [](Desk& desk) { desk.asks.emplace_back(StopMeasuring{}); },
                   .enabled = running});
  cost_lists(table, now.draft);
}

}  // namespace attn
