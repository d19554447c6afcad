// Every number of every stage of random layers, opened: its terms must lead back to the number, and the cells
// they name must be exactly the cells that say they go into it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/evaluate/evaluator.h"
#include "core/opencl/cases/cases.h"
#include "core/reference/backend.h"
#include "tests/random_layer.h"
#include "tests/sanitized.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

Results run(const LayerSpec& layer, std::vector<StageOverride> overrides) {
  return evaluated({.layers = {layer}, .overrides = std::move(overrides)});
}

template <class Visit>
void for_each_cell(Shape shape, Visit visit) {
  for (std::size_t s = 0; s < shape.stack; ++s)
    for (std::size_t i = 0; i < shape.rows; ++i)
      for (std::size_t j = 0; j < shape.columns; ++j) visit(Cell{s, i, j});
}

// What a term's operands make: their product, or what the operation does with two of them.
double made(const Operation& operation, const Explanation& e, const Term& term) {
  const auto& o = term.operands;
  if (e.writing.before == "exp(") return std::exp(o[0].value - (o.size() > 1 ? o[1].value : 0));
  if (e.writing.between == "÷" && e.writing.before.empty()) return o[0].value / o[1].value;
  // Chosen by a rule in words, or a function of an angle: the value is the operation's own.
  const bool chosen =
      (e.aggregate == Aggregate::none && o.size() != 2) || (e.writing.between != "×" && o.size() > 1);
  if (chosen || std::holds_alternative<Exponential>(operation) ||
      std::holds_alternative<Normalize>(operation))
    return term.value;
  double product = 1;
  for (const Operand& operand : o) product *= operand.value;
  return product;
}

// What flows back to a weight, from the sum of its row and the term of its own, whose cell the formula names.
double flow_of(WeightsRule rule, const Explanation& e, double sum) {
  const auto own = [&](const Term& term) {
    return std::ranges::any_of(term.operands, [&](const Operand& o) {
      return o.input == 1 && std::ranges::any_of(e.formula, [&](const FormulaPiece& piece) {
               return piece.kind == FormulaPiece::cell && piece.input == 1 && piece.place == o.cell;
             });
    });
  };
  const auto found = std::ranges::find_if(e.terms, own);
  REQUIRE(found != e.terms.end());
  const auto& o = found->operands;
  return rule == WeightsRule::softmax ? o[0].value * (o[1].value - sum) : o[0].value - sum;
}

// What the rule makes of the terms' sum.
double applied(const Operation& operation, const Explanation& e, double sum) {
  if (const auto* flow = std::get_if<WeightsGradient>(&operation)) return flow_of(flow->rule, e, sum);
  if (std::holds_alternative<FeatureMap>(operation)) {
    const std::string root = "√";
    return std::exp(sum) / std::sqrt(std::stod(e.rule.substr(e.rule.rfind(root) + root.size())));
  }
  const auto* product = std::get_if<MatMul>(&operation);
  return after_product(product ? product->after : std::get<Project>(operation).after, sum, 0);
}

// The result as the terms are joined, from the operands.
double combined(const Operation& operation, const Explanation& e) {
  double sum = 0, maximum = -INFINITY, any = 0, last = e.result;
  for (const Term& term : e.terms) {
    last = made(operation, e, term);
    sum += last;
    if (std::isnan(last) || last > maximum) maximum = last;
    any = term.narrows ? std::min<double>(any, term.value != 0) : std::max<double>(any, term.value != 0);
  }
  switch (e.aggregate) {
    case Aggregate::sum:
      return sum;
    case Aggregate::maximum:
      return maximum;
    case Aggregate::root:
      return std::sqrt(sum);
    case Aggregate::applied:
      return applied(operation, e, sum);
    case Aggregate::any:
      return any;
    case Aggregate::none:
      return last;
  }
  return NAN;
}

bool holds(const Regions& regions, Cell cell) {
  return std::ranges::count_if(regions, [&](const Region& r) { return r.contains(cell); }) == 1;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || a == b;
}

}  // namespace

namespace {

// That what is explained of a cell is what is shown there, and what its operands make.
void check_explained(const Operation& operation, const Explanation& e, double shown) {
  // Sums may be taken in another order than the matrix product took them: a few units of double
  // precision, which can tip the one rounding to float.
  CHECK((same(static_cast<float>(e.result), shown) ||
         std::abs(e.result - shown) <= 6e-8 * std::abs(shown) + 1e-12));
  CHECK((same(combined(operation, e), e.result) ||
         std::abs(combined(operation, e) - e.result) <= 1e-12 * (1 + std::abs(e.result))));
}

}  // namespace

TEST_CASE("the explanation of every cell rounds to the number on screen") {
  Random random(seed(11));
  for (int document = 0; document < 60; ++document) {
    const Results r = run(random_scored_layer(random),
                          {typed("weights", {0, 0, 0}, 0.9f), typed("scores", {0, 0, 0}, -2.0f)});
    for (StageIndex stage = 0; stage < r.graph.stages.size(); ++stage)
      for_each_cell(r.graph.stages[stage].shape, [&](Cell cell) {
        const Explanation e = explain(r, stage, cell);
        INFO(r.graph.stages[stage].id, " ", e.rule);
        check_explained(r.graph.stages[stage].operation, e, r.outputs[stage][cell]);
      });
  }
}

TEST_CASE("every operation explains the numbers of its own cases") {
  const auto reference = make_reference_backend();
  const std::size_t every = kSanitized ? 7 : 1;  // the cells of a case go the same ways
  for (const opencl::Declaration& declaration : opencl::declarations())
    for (const opencl::Case& c : declaration.cases(opencl::Scope::self_test)) {
      const Tensor result = reference->run(c.operation, c.inputs);
      std::size_t passed = 0;
      for_each_cell(result.shape(), [&](Cell cell) {
        if (passed++ % every != 0) return;
        const Explanation e = explain(c.operation, c.inputs, cell);
        INFO(declaration.operation, " ", c.name, " ", e.rule);
        check_explained(c.operation, e, result[cell]);
      });
    }
}

TEST_CASE("a cell goes into exactly the cells whose terms name it") {
  Random random(seed(12));
  for (int document = 0; document < 25; ++document) {
    const Results r = run(random_scored_layer(random), {typed("scaled", {0, 0, 0}, 0.5f)});
    for (StageIndex stage = 0; stage < r.graph.stages.size(); ++stage) {
      const Stage& s = r.graph.stages[stage];
      std::map<std::pair<int, Cell>, std::set<Cell>> named;  // (input, its cell) → cells of this stage
      for_each_cell(s.shape, [&](Cell cell) {
        for (const Term& term : explain(r, stage, cell).terms)
          for (const Operand& o : term.operands)
            if (o.input >= 0) named[{o.input, o.cell}].insert(cell);
      });
      // What an explanation leaves out because it had no say (a masked score, a muted head, what lies below
      // the threshold of sparsemax) may still be reached.
      const std::vector<Shape> shapes = r.graph.input_shapes(stage);
      for (const auto& [from, to] : named) {
        const Regions regions = reach(s.operation, shapes, static_cast<std::size_t>(from.first), from.second);
        const bool muted = name(s.operation) == std::string("concat") && regions.empty();
        for (const Cell cell : to) {
          INFO(s.id);
          CHECK((holds(regions, cell) || muted));
        }
      }
      for (std::size_t input = 0; input < shapes.size(); ++input)
        for_each_cell(shapes[input], [&](Cell cell) {
          const Regions regions = reach(s.operation, shapes, input, cell);
          if (name(s.operation) == std::string("mask_fill")) return;
          if (name(s.operation) == std::string("row_statistic")) return;
          std::size_t count = 0;
          for_each_cell(s.shape, [&](Cell c) { count += holds(regions, c); });
          const auto found = named.find({static_cast<int>(input), cell});
          const std::size_t expected = found == named.end() ? 0 : found->second.size();
          INFO(s.id, " input ", input);
          const bool muted = name(s.operation) == std::string("concat") && regions.empty();
          CHECK((count == expected || muted));
        });
    }
  }
}
