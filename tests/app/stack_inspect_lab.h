// The workspace of stacks without a screen, for tests of its inspector and of its commands.
#pragma once

#include "app/workspaces/stack/view.h"
#include "core/document/stack_plan.h"
#include "core/io/stack_models.h"
#include "tests/app/workspace_lab.h"
#include "tests/dates_document.h"

namespace attn::tests {

// So tall that all of the inspector is in sight.
class StackInspectorLab : public WorkspaceLab {
 public:
  explicit StackInspectorLab(Document document = dates_document(), ImVec2 size = {1600, 1900})
      : WorkspaceLab(kStackPlan.name, {.document = std::move(document), .size = size}) {}

  const StackStages& places() { return *results()->places.as<StackStages>(); }
  StackView& at() { return view().of<StackView>(); }
  const BlockStages& block(bool decoder, std::size_t layer) { return places().side(decoder)->blocks[layer]; }
  std::string id(StageIndex stage) { return results()->graph.stages[stage].id; }
  double number(StageIndex stage, Cell cell) { return static_cast<double>(results()->outputs[stage][cell]); }
  const Tensor& numbers(StageIndex stage) { return results()->outputs[stage].whole(); }
  void pin(StageIndex stage, Cell cell) {
    view().pinned = Spot{id(stage), cell};
    frames(3);
  }
  bool is_pinned(StageIndex stage, Cell cell) { return view().pinned == Spot{id(stage), cell}; }
  void press_item(const std::string& item) {
    click_item(item);
    settle();
    frames(2);
  }
  void press_key(int key, Modifiers with = {}) {
    this->key(key, with);
    settle();
    frames(2);
  }
};

}  // namespace attn::tests
