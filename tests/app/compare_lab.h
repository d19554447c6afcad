// The workspace that compares without a screen, for its tests.
#pragma once

#include "app/workspaces/compare/view.h"
#include "core/compare/edit.h"
#include "core/compare/figures.h"
#include "tests/app/workspace_lab.h"

namespace attn::tests {

// One layer compared with another.
inline Document with_compared(Document a, const Document& b) {
  put_layer(a, typed_layer(b), kLayerB);
  return a;
}

// So tall that every row is in sight, and open.
class CompareLab : public WorkspaceLab {
 public:
  explicit CompareLab(Document document = read_document("the-cat-sat-on-mat-causal"),
                      ImVec2 size = {1600, 2600}, float scale = 1, Settings settings = {})
      : WorkspaceLab(kComparePlan.name, {.document = std::move(document),
                                         .settings = std::move(settings),
                                         .size = size,
                                         .scale = scale}) {
    view().of<CompareView>().equal_stages = true;
    frames(2);
  }
  CompareFigures figures() { return compare_figures(*results()); }
  void press(const std::string& chip) {
    click_item(chip);
    settle();
    frames(2);
  }
  // B becomes a copy of A.
  void make_equal() {
    run("compare.copy");
    settle();
    frames(2);
  }
  void press_key(int key) {
    this->key(key);
    settle();
    frames(2);
  }
};

}  // namespace attn::tests
