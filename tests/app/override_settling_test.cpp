// What is typed over numbers of a stack follows its edits.
#include "app/program/override_settling.h"

#include <doctest/doctest.h>

#include "app/workspaces/workspaces.h"
#include "core/document/stack_edit.h"
#include "core/io/stack_models.h"

using namespace attn;

namespace {

Document typed_stack() {
  Document document;
  document.transformer = dates_stack();
  document.overrides = {{"stack", "encoder.1.weights", {{1, 2, 3}, 0.5f}},
                        {"stack", "encoder.3.weights", {{1, 2, 3}, 0.5f}},
                        {"pipeline", "scores", {{0, 1, 2}, 7}, {1, LayerHome::decoder}},
                        {"pipeline", "scores", {{0, 1, 2}, 7}, {3, LayerHome::cross}}};
  return document;
}

// What is left of it after an edit.
std::vector<StageOverride> settled(const std::function<void(Document&)>& edit) {
  const Document before = typed_stack();
  Document draft = before;
  edit(draft);
  OverrideSettling(workspaces()).settle(before, draft);
  return draft.overrides;
}

}  // namespace

TEST_CASE("what is typed over a stack stays while its stages are there") {
  const std::vector<StageOverride> all = typed_stack().overrides;
  CHECK(settled([](Document& d) { d.transformer.residual = false; }) == all);
  CHECK(settled([](Document& d) { set_norm_at(d, NormAt::after); }) == all);
  CHECK(settled([](Document& d) { d.layer().temperature = 2; }) == all);
  CHECK(settled([](Document& d) { set_stack_layers(d, 2); }) == std::vector{all[0], all[2]});
  CHECK(settled([](Document& d) { switch_stack_box(d, true, 3, StackBox::cross); }) ==
        std::vector{all[0], all[1], all[2]});
  CHECK(settled([](Document& d) { set_stack_sides(d, StackSides::encoder); }) == std::vector{all[0], all[1]});
}
