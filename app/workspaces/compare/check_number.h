// A number in yours and in ours, as the inspector opens it. Private to app/workspaces/compare/check_*.cpp.
#pragma once

#include "app/inspector/inspector_flow.h"
#include "app/workspaces/compare/check_shown.h"
#include "core/attention/layer.h"

namespace attn {

struct CheckNumber {
  inspector::Flow& flow;
  const Results& results;  // ours, and yours beside them
  const Diagnosis* found = nullptr;
  const Tried* tried = nullptr;       // the mistakes that are shown; null: none
  const Results* mistaken = nullptr;  // ours with them; null: not computed
  Spot spot = {};                     // in ours
  StageIndex stage = 0;               // ours
  std::vector<GivenStage> given = {};

  const LayerStages& places() const { return *results.graph.parts.front().stages; }
  const Stage& own() const { return results.graph.stages[stage]; }
  const StageVerdict* verdict() const;
  // Of a query and a key.
  bool of_pair() const;
  // As the file has it, else as ours comes out with the mistakes; none: nobody can tell.
  std::optional<double> yours(const Stage& of, Cell cell) const;
  std::optional<double> ours(const Stage& of, Cell cell) const;
};

// What a score is multiplied by in a layer's graph; none: it is not.
std::optional<double> scale_of(const Results& results, Cell cell);

// Yours, ours and the difference at every stage on the way, and the terms of the product behind it in both.
void draw_number_table(const CheckNumber& number);
void draw_number_terms(const CheckNumber& number);
// What the mistakes do, and what that makes of this number.
void draw_number_words(const CheckNumber& number);
// The mended lines, what the mistakes in ours leave, what mending one alone would, and what to do with it.
void draw_mending(const CheckNumber& number);

}  // namespace attn
