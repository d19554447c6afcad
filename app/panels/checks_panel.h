// The checks as lines: what was checked, the number that came out, and the cell to look at when it is wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/engine.h"
#include "core/view.h"

namespace attn::inspector {

struct CheckLine {
  enum Verdict { plain, good, bad };
  std::string name, value;
  Verdict verdict = plain;
  std::optional<Spot> culprit;  // of a broken check
  std::string explanation;      // the tooltip
};

// `query` and `head` choose the row whose sum and entropy are told; a broken check tells of the culprit.
std::vector<CheckLine> check_lines(const EngineState& engine, std::size_t head,
                                   std::optional<std::size_t> query);

struct Flow;
void draw_checks(Flow& flow, std::size_t head, std::optional<std::size_t> query);

}  // namespace attn::inspector
