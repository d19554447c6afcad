// The workspace of stacks without a screen, for the tests of its rows and of what stands below them.
#pragma once

#include "app/workspaces/stack/view.h"
#include "core/document/stack_plan.h"
#include "core/io/stack_models.h"
#include "tests/app/workspace_lab.h"
#include "tests/dates_document.h"

namespace attn::tests {

// Numbers of this model in its tests are numpy's, in double, of tests/oracles/dates_by_torch.npz.
class StackRowsLab : public WorkspaceLab {
 public:
  explicit StackRowsLab(Document document = dates_document(), ImVec2 size = {1600, 1000}, float scale = 1)
      : WorkspaceLab(
            kStackPlan.name,
            {.document = std::move(document), .settings = Settings{}, .size = size, .scale = scale}) {
    frames(4);
  }
  StackView& look() { return view().of<StackView>(); }
  StackStages places() { return *results()->places.as<StackStages>(); }
  Rect part(const std::string& path) {
    const auto box = item(path);
    INFO(path);
    REQUIRE(box);
    return *box;
  }
  static std::string map_path(std::size_t layer, std::size_t head) {
    return "rows/layer " + std::to_string(layer) + " head " + std::to_string(head);
  }
  Rect map(std::size_t layer, std::size_t head) { return part(map_path(layer, head)); }
  Rect row(std::size_t layer) {
    const Rect left = part("rows/layer " + std::to_string(layer));
    return {left.min, part("rows/measures " + std::to_string(layer)).max};
  }
  // The middle of a cell of one that has so many.
  static ImVec2 cell(Rect map, std::size_t rows, std::size_t columns, std::size_t i, std::size_t j) {
    return {map.min.x + map.width() * (static_cast<float>(j) + 0.5f) / static_cast<float>(columns),
            map.min.y + map.height() * (static_cast<float>(i) + 0.5f) / static_cast<float>(rows)};
  }
  void show_rows(StackRows rows) {
    look().rows = rows;
    settle();
    frames(3);
  }
};

}  // namespace attn::tests
