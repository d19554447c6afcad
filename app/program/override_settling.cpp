// Checks what is typed over numbers after an edit, unless the structure is the one of the last complete
// check.
#include "app/program/override_settling.h"

#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/document/stack_plan.h"
#include "core/edits/compared_layers.h"
#include "core/system/error.h"

namespace attn {

void OverrideSettling::settle(const Document& current, Document& draft) {
  follow(current, draft);
  if (settled_ != current || !same_structure(*settled_, draft))
    settle_all(draft);
  else
    settled_ = draft;
}

void OverrideSettling::settle_all(Document& draft) {
  bool all = true;
  std::erase_if(draft.overrides, [&](const StageOverride& o) { return !draft.has(o.layer); });
  const auto settle_one = [&](const Plan& plan, Address address) {
    const bool of_stack = plan.build == kStackPlan.build;
    if ((of_stack ? stack_overrides(draft) : overrides_of(draft, plan, address)).empty()) return;
    try {
      settle_overrides(draft, plan, address);
    } catch (const Error&) {  // it makes no graph there: what is typed waits for one
      all = false;
    }
  };
  for (const Workspace& workspace : workspaces_) settle_one(workspace, kLayerA);
  for (Address at = kLayerB; draft.has(at); ++at.layer) settle_one(kLayerPlan, at);
  settled_ = all ? std::optional(draft) : std::nullopt;
}

}  // namespace attn
