// The rules of a mask, what they mask and why; and masked scores, explained.
#include "core/operations/mask.h"

#include <limits>

#include "core/error.h"
#include "core/operations/elementwise.h"
#include "core/operations/matmul.h"

namespace attn {
namespace {

// The last key that a causal rule leaves to the query; −1: none.
long last_key(const CausalRule& rule, const MaskPlace& p) {
  const long query = static_cast<long>(p.query);
  return rule.align == CausalAlign::top_left
             ? query
             : query + static_cast<long>(p.keys) - static_cast<long>(p.queries);
}

// Without lengths nothing is padding.
std::size_t valid_length(const PaddingRule& rule, const MaskPlace& p) {
  if (rule.lengths.empty()) return p.keys;
  return rule.lengths[rule.lengths.size() == 1 ? 0 : p.query];
}

// Why, or why not: "causal: key 3 > 2".
struct RuleWords {
  const MaskPlace& place;
  std::string key() const { return "key " + std::to_string(place.key); }
  std::string operator()(const CausalRule& rule) const {
    return "causal: " + key() + " > " + std::to_string(last_key(rule, place));
  }
  std::string operator()(const PaddingRule& rule) const {
    return "padding: " + key() + " ≥ length " + std::to_string(valid_length(rule, place));
  }
};

// Throws Error unless the rule belongs to so many queries and keys.
struct Checker {
  const Mask& mask;
  void operator()(const CausalRule&) const {}
  void operator()(const PaddingRule& rule) const {
    const std::size_t lengths = rule.lengths.size();
    if (lengths > 1 && lengths != mask.queries)
      throw Error("padding gives " + std::to_string(lengths) + " lengths for " +
                  std::to_string(mask.queries) + " queries: give one length, or one for each query");
    for (const std::size_t length : rule.lengths)
      if (length > mask.keys)
        throw Error("padding keeps " + std::to_string(length) + " keys, but there are only " +
                    std::to_string(mask.keys) + ": use a length from 0 to " + std::to_string(mask.keys));
  }
};

}  // namespace

bool masks(const MaskRule& rule, const MaskPlace& place) {
  struct Masks {
    const MaskPlace& place;
    bool operator()(const CausalRule& r) const { return static_cast<long>(place.key) > last_key(r, place); }
    bool operator()(const PaddingRule& r) const { return place.key >= valid_length(r, place); }
  };
  return std::visit(Masks{place}, rule);
}

const char* name(const MaskRule& rule) {
  struct Name {
    const char* operator()(const CausalRule&) const { return "causal"; }
    const char* operator()(const PaddingRule&) const { return "padding"; }
  };
  return std::visit(Name{}, rule);
}

double MaskFill::value() const {
  switch (fill) {
    case Fill::negative_infinity:
      return -std::numeric_limits<double>::infinity();
    case Fill::minus_1e6:
      return -1e6;
    case Fill::minus_1e9:
    case Fill::add_minus_1e9:
      return -1e9;
  }
  return 0;
}

Shape result_shape(const Mask& op, Shapes inputs) {
  for (const MaskRule& rule : op.rules) std::visit(Checker{op}, rule);
  if (inputs.empty()) return {1, op.queries, op.keys};
  const Shape user = inputs[0];
  if (user.rows != op.queries || user.columns != op.keys)
    throw Error("mask is " + to_string(user) + ", but there are " + std::to_string(op.queries) +
                " queries and " + std::to_string(op.keys) + " keys: make it " + std::to_string(op.queries) +
                "×" + std::to_string(op.keys));
  return user;
}

Shape result_shape(const MaskFill&, Shapes inputs) {
  return result_shape(Add{}, inputs);
}

Explanation explain(const Mask& op, Inputs inputs, Cell cell) {
  const MaskPlace place{op.queries, op.keys, cell.row, cell.column};
  Explanation e{.rule = "1 = masked", .aggregate = Aggregate::any};
  for (const MaskRule& rule : op.rules) {
    const double masked = masks(rule, place) ? 1 : 0;
    e.terms.push_back({.operands = {constant(masked, std::visit(RuleWords{place}, rule))}, .value = masked});
  }
  if (!inputs.empty()) {
    const Operand user = operand(inputs, 0, cell);
    e.terms.push_back({.operands = {user}, .value = user.value != 0 ? 1.0 : 0.0});
  }
  for (const Term& term : e.terms)
    if (term.value != 0) e.result = 1;
  e.formula = {words("1 (masked) where any of these holds")};
  return e;
}

Explanation explain(const MaskFill& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  const std::size_t s = shared_matrix(cell.head, inputs[1].stack(), inputs[0].stack());
  const Operand mask = operand(inputs, 1, {s, cell.row, cell.column});
  const Operand fill = constant(op.value(), "fill");
  if (mask.value == 0) {
    Explanation e = only("kept: the mask is 0 here", {.operands = {x}, .value = x.value});
    e.passages = {{words("kept by the mask")}};
    return e;
  }
  if (!op.adds()) {
    Explanation e =
        only("masked: the fill value replaces the score", {.operands = {fill}, .value = fill.value});
    e.passages = {{words("masked: becomes "), number_of(op.value())}};
    return e;
  }
  Explanation e = sum_of("masked: the fill value is added to the score",
                         {{.operands = {x}, .value = x.value}, {.operands = {fill}, .value = fill.value}});
  e.passages = {{words("masked: −1e9 is added")}};
  return e;
}

Regions reach(const Mask&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

Regions reach(const MaskFill&, Shapes inputs, std::size_t input, Cell cell) {
  return reach(Add{}, inputs, input, cell);
}

}  // namespace attn
