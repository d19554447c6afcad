// The workspace of gradients without a screen, for tests of its inspector.
#pragma once

#include "core/gradients/graph.h"
#include "core/gradients/weights_flow.h"
#include "tests/app/workspace_lab.h"

namespace attn::tests {

// So tall that all of the inspector is in sight.
class GradientInspectorLab : public WorkspaceLab {
 public:
  explicit GradientInspectorLab(Document document = read_document("the-cat-sat-on-mat-causal"),
                                ImVec2 size = {1600, 1900})
      : WorkspaceLab(kGradientsPlan.name, {.document = std::move(document), .size = size}) {}

  // Of results that are on screen: the engine keeps them until the next.
  const GradientsPlaces& places() { return *results()->places.as<GradientsPlaces>(); }
  StageIndex gradient(StageIndex of) { return *places().gradients.find(of); }
  StageIndex d_scores() { return gradient(places().layer.weighed); }
  WeightsFlow passed() { return *weights_flow(results()->graph, d_scores()); }
  std::string id(StageIndex stage) { return results()->graph.stages[stage].id; }
  double at(StageIndex stage, Cell cell) { return static_cast<double>(results()->outputs[stage][cell]); }
  void pin(StageIndex stage, Cell cell) {
    view().pinned = Spot{id(stage), cell};
    frames(3);
  }
  void press_item(const std::string& item) {
    click_item(item);
    settle();
    frames(2);
  }
  bool is_pinned(StageIndex stage, Cell cell) { return view().pinned == Spot{id(stage), cell}; }
};

}  // namespace attn::tests
