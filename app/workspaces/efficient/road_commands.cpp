// The roads by name, for keys, menus and the palette.
#include <algorithm>

#include "app/theme/toolkit.h"
#include "app/workspaces/efficient/roads.h"
#include "core/efficient/road_rules.h"

namespace attn {
namespace {

void choose_road(Desk& desk, int direction) {
  const std::vector<Road> laid = laid_roads(desk.draft.efficient);
  EfficientView& view = desk.view.of<EfficientView>();
  const auto now = std::ranges::find(laid, view.road);
  const std::size_t at = now == laid.end() ? 0 : static_cast<std::size_t>(now - laid.begin());
  const std::size_t step = direction > 0 ? 1 : laid.size() - 1;
  view.road = laid[(at + step) % laid.size()];
}

void measure_or_stop(Desk& desk) {
  auto& measuring = desk.view.of<EfficientView>().measuring;
  if (measuring) {
    measuring.reset();
  } else if (has_numbers(desk.engine.results)) {
    measuring = measured_now(*desk.engine.results);
    measuring->n = desk.draft.efficient.measured_tokens;
  }
}

void add_road_choices(std::vector<Command>& table, const Desk& now) {
  const std::string menu = kEfficientMenu;
  const std::vector<Road> laid = laid_roads(now.draft.efficient);
  for (const auto& each : efficient_field::road.words) {
    const std::string word(each.word), title(each.title);
    table.push_back(ticked("efficient.show." + word, title, menu + "/Map of",
                           now.view.of<EfficientView>().road == each.choice,
                           [road = each.choice](Desk& desk) { desk.view.of<EfficientView>().road = road; }));
    if (each.choice != Road::full)
      table.push_back(ticked("efficient.beside." + word, title, menu + "/Beside full",
                             std::ranges::count(laid, each.choice) > 0,
                             [road = each.choice](Desk& desk) { toggle_road(desk.draft.efficient, road); }));
  }
}

void add_maps(std::vector<Command>& table, const Desk& now) {
  const auto add = [&](RoadMap map, const char* name, const char* title, int key) {
    table.push_back(ticked(
        name, title, kEfficientMenu, now.view.of<EfficientView>().map == map,
        [map](Desk& desk) { desk.view.of<EfficientView>().map = map; }, plain(key)));
  };
  add(RoadMap::error, "efficient.error", "The road less exact attention", GLFW_KEY_E);
  add(RoadMap::pattern, "efficient.pattern", "Which pairs the road keeps", GLFW_KEY_P);
}

}  // namespace

void road_commands(std::vector<Command>& table, const Desk& now) {
  const EfficientView& view = now.view.of<EfficientView>();
  const bool numbers = has_numbers(now.engine.results);
  add_maps(table, now);
  table.push_back({.name = kMeasureRoads,
                   .title = view.measuring ? "Stop measuring the roads" : "Measure the roads on this device",
                   .menu = kEfficientMenu,
                   .shortcut = plain(GLFW_KEY_M),
                   .run = measure_or_stop,
                   .enabled = numbers || view.measuring});
  table.push_back({.name = "efficient.next_road",
                   .title = "The next road",
                   .menu = kEfficientMenu,
                   .shortcut = {.key = GLFW_KEY_DOWN, .shift = true},
                   .run = [](Desk& desk) { choose_road(desk, 1); }});
  table.push_back({.name = "efficient.road_before",
                   .title = "The road before",
                   .menu = kEfficientMenu,
                   .shortcut = {.key = GLFW_KEY_UP, .shift = true},
                   .run = [](Desk& desk) { choose_road(desk, -1); }});
  table.push_back({.name = kMaskInPipeline,
                   .title = "The road's mask in the Pipeline",
                   .menu = kEfficientMenu,
                   .run = put_mask_in_pipeline,
                   .enabled = is_sparse(view.road),
                   .says = "what the road keeps becomes the layer's mask; Ctrl+Z goes back"});
  table.push_back({.name = kOpenCost,
                   .title = "Count the same layer and roads",
                   .menu = kEfficientMenu,
                   .run = open_cost_of_roads,
                   .enabled = numbers,
                   .says = "what they cost at every n, in the workspace of costs"});
  add_road_choices(table, now);
}

}  // namespace attn
