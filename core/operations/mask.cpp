// A mask and masked scores, explained: which rules say so, and by what comparison.
#include "core/operations/mask.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "core/operations/elementwise.h"
#include "core/operations/family.h"
#include "core/operations/matmul.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr double kRandomRuleWork = 8;  // a quarter of a block of random bits, and the limit of its row

// Why, or why not: "causal: key 3 > 2".
class MaskRuleWords {
 public:
  explicit MaskRuleWords(const MaskPlace& place) : p(place) {}
  std::string key() const { return "key " + std::to_string(p.key); }
  // By its place, where that is not its number.
  std::string query() const {
    return p.first == 0 ? "query " + std::to_string(p.query) : "place " + signed_words(p.place());
  }
  static std::string signed_words(std::ptrdiff_t n) {
    return (n < 0 ? "−" : "") + std::to_string(std::abs(n));
  }
  std::string operator()(const CausalRule& r) const { return key() + " > " + std::to_string(last_key(r, p)); }
  std::string operator()(const PaddingRule& r) const {
    return key() + " ≥ length " + std::to_string(valid_length(r, p));
  }
  std::string operator()(const WindowRule& r) const {
    return "|" + query() + " − " + key() + "| = " + std::to_string(std::abs(before())) + " > " +
           std::to_string(r.width);
  }
  std::string operator()(const StridedRule& r) const {
    const std::string stride = std::to_string(r.stride);
    return query() + " − " + key() + " = " + signed_words(before()) + ", neither from 0 to " + stride +
           " nor a multiple of " + stride;
  }
  std::string operator()(const GlobalRule&) const { return {}; }
  std::string operator()(const RandomRule& r) const {
    return key() + " is none of the " + std::to_string(std::min(r.keys, p.keys)) + " drawn for " + query();
  }
  std::string operator()(const PrefixRule& r) const {
    return key() + " > " + query() + ", and ≥ prefix " + std::to_string(r.length);
  }
  std::string operator()(const BlocksRule& r) const {
    return key() + " in block " + std::to_string(block_of(r, static_cast<std::ptrdiff_t>(p.key))) + ", " +
           query() + " in block " + std::to_string(block_of(r, p.place()));
  }

 private:
  const MaskPlace& p;
  std::ptrdiff_t before() const { return p.place() - static_cast<std::ptrdiff_t>(p.key); }
};

// "and not window: |query 4 − key 1| = 3 > 2".
std::string words_of(const MaskTerm& term, const MaskPlace& place, bool first, bool exempt) {
  std::string text = !first && term.join == Join::all ? "and " : "";
  if (term.negated) text += "not ";
  return text + name(term.rule) + ": " +
         (exempt ? "free, a global token" : std::visit(MaskRuleWords{place}, term.rule));
}

}  // namespace

bool adds(Fill fill) {
  return fill == Fill::add_negative_infinity || fill == Fill::add_minus_1e9 || fill == Fill::add_minus_1e6 ||
         fill == Fill::add_minus_65504 || fill == Fill::add_one;
}

Fill fill_with(Fill fill, bool adding) {
  for (const Fill other : kFills)
    if (adds(other) == adding && MaskFill{other}.value() == MaskFill{fill}.value()) return other;
  return fill;
}

double MaskFill::value() const {
  switch (fill) {
    case Fill::negative_infinity:
    case Fill::add_negative_infinity:
      return -std::numeric_limits<double>::infinity();
    case Fill::minus_1e6:
    case Fill::add_minus_1e6:
      return -1e6;
    case Fill::minus_1e9:
    case Fill::add_minus_1e9:
      return -1e9;
    case Fill::minus_65504:
    case Fill::add_minus_65504:
      return -65504;
    case Fill::add_one:
      return 1;
    case Fill::zero:
      break;
  }
  return 0;
}

namespace {

// Cells times rules: on a slow core ten seconds of the slowest rule. A few rules are a matter of memory
// alone.
constexpr double kMostRuled = 0x1p31;
constexpr std::size_t kFewRules = 16;

void check_time(const Mask& op) {
  const double cells = static_cast<double>(op.queries) * static_cast<double>(op.keys);
  const std::size_t rules = op.rules.size();
  if (rules <= kFewRules || static_cast<double>(rules) * cells <= kMostRuled) return;
  const auto affordable = std::max(kFewRules, static_cast<std::size_t>(kMostRuled / cells));
  throw Error(std::to_string(rules) + " rules over " + std::to_string(op.queries) + " queries and " +
              std::to_string(op.keys) + " keys take too long: use at most " + std::to_string(affordable) +
              " rules, or fewer tokens");
}

}  // namespace

Shape result_shape(const Mask& op, Shapes inputs) {  // throws Error when the user's mask is not n×m
  check_time(op);
  for (const MaskTerm& term : op.rules) {
    if (const std::string wrong = wrong_with(term); !wrong.empty())
      throw Error(std::string(name(term.rule)) + " " + wrong);
    if (const std::string misfit = misfit_of(term.rule, op.queries, op.keys, op.first); !misfit.empty())
      throw Error(misfit);
  }
  const std::size_t rows = op.rows().count;
  if (inputs.empty()) return {1, rows, op.keys};
  const Shape user = inputs[0];
  if (user.rows != rows || user.columns != op.keys)
    throw Error("mask is " + to_string(user) + ", but there are " + std::to_string(rows) + " queries and " +
                std::to_string(op.keys) + " keys: make it " + std::to_string(rows) + "×" +
                std::to_string(op.keys));
  return user;
}

Shape result_shape(const MaskFill&, Shapes inputs) {  // throws Error when the shapes differ
  return result_shape(Add{}, inputs);
}

Explanation explain(const Mask& op, Inputs inputs, Cell cell) {
  const MaskPlace place = op.place(cell.row, cell.column);
  const MaskRow row(op.rules, place);
  Explanation e{.rule = "1 = masked", .aggregate = Aggregate::any};
  for (std::size_t t = 0; t < op.rules.size(); ++t) {
    const MaskTerm& term = op.rules[t];
    if (std::holds_alternative<GlobalRule>(term.rule)) continue;
    const double masked = row.term(t)[cell.column] ? 1 : 0;
    const std::string why = words_of(term, place, e.terms.empty(), row.is_exempt(t, cell.column));
    const bool narrows = !e.terms.empty() && term.join == Join::all;
    e.terms.push_back({.operands = {constant(masked, why)}, .value = masked, .narrows = narrows});
  }
  if (!inputs.empty()) {
    const Operand user = operand(inputs, 0, cell);
    e.terms.push_back({.operands = {user}, .value = user.value != 0 ? 1.0 : 0.0});
  }
  bool narrowed = false;
  for (const Term& term : e.terms) {
    const bool holds = term.value != 0, before = e.result != 0;
    e.result = (term.narrows ? before && holds : before || holds) ? 1 : 0;
    narrowed = narrowed || term.narrows;
  }
  e.formula = {words(narrowed
                         ? "1 (masked) where these hold, joined from the first on: or, where it says so, and"
                         : "1 (masked) where any of these holds")};
  return e;
}

Explanation explain(const MaskFill& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  const Operand mask = operand(inputs, 1, shared_cell(inputs, cell));
  const Operand fill = constant(op.value(), "fill");
  if (mask.value == 0) {
    Explanation e = only("kept: the mask is 0 here", {.operands = {x}, .value = x.value});
    e.passages = {{words("kept by the mask")}};
    return e;
  }
  if (!op.adds()) {
    const char* replaced = op.fill == Fill::zero ? "weight" : "score";
    Explanation e = only(std::string("masked: the fill value replaces the ") + replaced,
                         {.operands = {fill}, .value = fill.value});
    e.passages = {{words("masked: becomes "), number_of(op.value())}};
    return e;
  }
  Explanation e = sum_of("masked: the fill value is added to the score",
                         {{.operands = {x}, .value = x.value}, {.operands = {fill}, .value = fill.value}});
  e.passages = {{words("masked: "), number_of(op.value(), " is added")}};
  return e;
}

Regions reach(const Mask&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

Regions reach(const MaskFill&, Shapes inputs, std::size_t input, Cell cell) {
  return reach(Add{}, inputs, input, cell);
}

Traits traits(const Mask& op, Shapes, const Shape& result) {
  double of_cell = 1;
  for (const MaskTerm& term : op.rules)
    of_cell += std::holds_alternative<RandomRule>(term.rule) ? kRandomRuleWork : 1;
  return {.multiply_adds = of_cell * size_of(result)};
}
Traits traits(const MaskFill& op, Shapes, const Shape& result) {
  Traits found{.multiply_adds = size_of(result)};
  if (op.fill != Fill::zero) found.fill = op.fill;
  return found;
}

MaskOrigin mask_origin(const MaskFill&, Inputs inputs, Cell cell) {
  if (inputs[1][shared_cell(inputs, cell)] != 0) return {.here = true};
  return {.of = {{0, cell}}};
}

std::optional<long> causal_diagonal(const Mask& op) {
  const auto* causal = op.rules.size() == 1 ? std::get_if<CausalRule>(&op.rules[0].rule) : nullptr;
  if (!causal || op.rules[0].negated) return std::nullopt;
  return last_key(*causal, {.queries = op.queries, .keys = op.keys, .query = op.made.first});
}

RowReads cut(Mask& op, Shapes inputs, const RowRange& rows) {
  op.made = {op.rows().first + rows.first, rows.count};
  return same_rows(inputs);
}
RowReads cut(MaskFill&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}

Backward backward(const Mask&, Shapes, const Shape&) {
  return {};
}
Backward backward(const MaskFill& op, Shapes, const Shape&) {
  Backward back;
  back.flow(0, op.adds() ? kGradient
                         : back.add(MaskFill{Fill::zero}, {kGradient, input_of(1)}, "%g, 0 where masked"));
  return back;
}

template struct Family<Mask>;
template struct Family<MaskFill>;

}  // namespace attn
