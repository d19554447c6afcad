// The checks as lines: what was checked, the number that came out, and the cell to look at when it is wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/frame/view.h"
#include "core/engine/engine.h"

namespace attn::inspector {

struct CheckLine {
  enum Verdict { plain, good, bad };
  std::string name, value = {};
  Verdict verdict = plain;
  std::optional<Spot> culprit = {};  // of a broken check
  std::string explanation = {};      // the tooltip
  bool distance = false;             // it is the one from the reference
  bool of_weights = false;           // it says something of rows of weights
};

// The row of weights whose sum and entropy are told: of a softmax (none: the first there is), a head and,
// where one is in question, a query. A broken check tells of the culprit, in whichever softmax it is.
struct CheckedRow {
  std::optional<StageIndex> weights = {};
  std::size_t head = 0;
  std::optional<std::size_t> query = {};
};
std::vector<CheckLine> check_lines(const EngineState& engine, const CheckedRow& row);

// Whether some number is NaN or ∞ that stands for nothing: then nothing is shown as being well.
bool has_faults(const EngineState& engine);

struct Flow;
void draw_checks(Flow& flow, const CheckedRow& row);

}  // namespace attn::inspector
