// Masks: one boolean matrix (1 = masked away), and what masked scores become.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "core/explain.h"

namespace attn {

// Where the causal diagonal lies when there are more keys than queries (n queries, m keys).
enum class CausalAlign {
  lower_right,  // masked when j > i + (m − n): the last query sees every key
  top_left,     // masked when j > i
};

struct CausalRule {
  CausalAlign align = CausalAlign::lower_right;
  bool operator==(const CausalRule&) const = default;
};

// Masked when j >= length: one for all queries, or one for each.
struct PaddingRule {
  std::vector<std::size_t> lengths;
  bool operator==(const PaddingRule&) const = default;
};

// One reason why a key may be masked from a query. A new one fails to compile in core/operations/mask.cpp, in
// the devices' encoding, in the names of undo steps and in session files until each has it.
using MaskRule = std::variant<CausalRule, PaddingRule>;

// Whether the rule masks key j from query i, of n queries and m keys. The one place that says so: the
// reference and the explanations call it, devices are compared with it.
struct MaskPlace {
  std::size_t queries = 0, keys = 0, query = 0, key = 0;
};
bool masks(const MaskRule& rule, const MaskPlace& place);

// "causal", "padding".
const char* name(const MaskRule& rule);

// The OR of its rules, as 0 or 1. Input (optional): the user's own mask, S×n×m, nonzero = masked (NaN too).
// Result: S×n×m, or 1×n×m without a user's mask.
struct Mask {
  static constexpr const char* kName = "mask";
  std::size_t queries = 0, keys = 0;
  std::vector<MaskRule> rules = {};
  bool operator==(const Mask&) const = default;
};

enum class Fill { negative_infinity, minus_1e9, minus_1e6, add_minus_1e9 };

// Inputs: scores h×n×m and mask, h×n×m or fewer matrices shared by consecutive heads. Masked scores are
// replaced by the fill value, or get −1e9 added.
struct MaskFill {
  static constexpr const char* kName = "mask_fill";
  Fill fill = Fill::negative_infinity;
  bool operator==(const MaskFill&) const = default;

  bool adds() const { return fill == Fill::add_minus_1e9; }
  double value() const;  // what replaces, or is added to, a masked score
};

Shape result_shape(const Mask& op, Shapes inputs);      // throws Error when the user's mask is not n×m
Shape result_shape(const MaskFill& op, Shapes inputs);  // throws Error when the shapes differ
Explanation explain(const Mask& op, Inputs inputs, Cell cell);
Explanation explain(const MaskFill& op, Inputs inputs, Cell cell);
Regions reach(const Mask& op, Shapes inputs, std::size_t input, Cell cell);
Regions reach(const MaskFill& op, Shapes inputs, std::size_t input, Cell cell);

}  // namespace attn
