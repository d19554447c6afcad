// What a step's words can say of the document: facts by name, most of them of one cell that is looked at.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/frame/frame.h"
#include "app/frame/step_words.h"
#include "app/inspector/inspector_model.h"
#include "core/checks/checks.h"

namespace attn::inspector {

using Facts = std::map<std::string, ColouredText, std::less<>>;

struct StepLook {
  Spot spot;                               // in the step's own stage
  StageIndex stage = 0;                    // that
  std::optional<StageIndex> before = {};   // which it is made from cell by cell
  std::optional<StageIndex> weights = {};  // of its part
  const Tensor* then = nullptr;            // weights if the step's mistake were made; null: not known
  std::optional<Cell> mistake = {};        // that it changes most, of the weights; none: nothing that is seen
  std::optional<StageFaults> nan = {};     // the first stage with NaN
  Facts facts = {};
};

// The cell is the one that is pointed at or pinned, where it has a place in the step's stage and its row sees
// a key; else the one that shows most. None: the results have no such stage.
std::optional<StepLook> look_at_step(Frame& frame, const StepChip& chip);

// The first sentence whose facts are all there, with them in their places; empty: none has.
std::vector<ColouredText> filled(const std::vector<std::string>& sentences, const Facts& facts);

}  // namespace attn::inspector
