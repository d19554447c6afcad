// A layer's softmax, step by step as its numbers are made, and dropout behind it.
#include "core/attention/layer_builder.h"

namespace attn {
namespace {

// Puts what is done to all of the formula so far around it.
void wrap(std::vector<FormulaSpan>& formula, const std::string& before,
          const std::vector<StageIndex>& stages) {
  formula.insert(formula.begin(), {before, stages});
  formula.push_back({")", stages});
}

// One number for each query.
StageIndex statistic(LayerBuilder& b, std::string id, std::string title, std::string words,
                     Operation operation, StageIndex input, std::string sentence) {
  return b.add({.id = std::move(id),
                .title = std::move(title),
                .formula = std::move(words),
                .operation = std::move(operation),
                .inputs = {input},
                .rows = b.queries,
                .columns = {},
                .role = Role::statistic,
                .drawn = Drawn::inside,
                .stack = Stack::heads,
                .sentence = std::move(sentence)});
}

StageIndex softmax(LayerBuilder& b, StageIndex scores) {
  const bool hard = b.layer.temperature == 0;
  const std::string input = b.graph.stages[scores].title;
  b.begin_step("row max", "the largest score of each row: keeps exp small");
  const StageIndex maximum = statistic(b, "row_max", "row max", "max over keys", RowMaximum{}, scores,
                                       "the largest score of %r: subtracted so that exp stays small");
  b.begin_step("exp", "e to the power of the score minus its row's maximum");
  Stage shares = b.pair("exp", hard ? "1 at the maximum" : "exp(" + input + " − row max)",
                        Exponential{hard, b.layer.empty_row}, {scores, maximum},
                        "the share of %c for %r, before the row is divided by its sum");
  shares.role = Role::plain, shares.range = Range::positive;
  shares.drawn = Drawn::inside, shares.mask = b.mask;
  const StageIndex exp = b.add(std::move(shares));
  b.begin_step("sum", "each row's exponentials added up");
  const StageIndex sum = statistic(b, "row_sum", "row sum", "Σ over keys", RowSum{}, exp,
                                   "all shares of %r together: what each is divided by");
  b.begin_step("weights", "each row divided by its sum: it adds up to 1", "÷ sum");
  Stage weights = b.pair("weights", "softmax by row", Normalize{}, {exp, sum}, "how much of %c goes into %r");
  weights.role = Role::weights, weights.range = Range::unit, weights.mask = b.mask;
  b.places.weights = b.add(std::move(weights));
  wrap(b.formula, "softmax(", {maximum, exp, sum, b.places.weights});
  return b.places.weights;
}

StageIndex dropped(LayerBuilder& b, StageIndex weights) {
  if (b.layer.dropout == 0) return weights;
  b.begin_step("dropped", "some weights set to 0 by chance, the others raised");
  Stage kept = b.pair("dropped", "dropout p " + number_words(b.layer.dropout),
                      Dropout{b.layer.dropout, b.layer.dropout_seed}, {weights},
                      "how much of %c goes into %r, after dropout");
  kept.role = Role::weights, kept.range = Range::unit, kept.mask = b.mask;
  const StageIndex result = b.add(std::move(kept));
  wrap(b.formula, "dropout(", {result});
  return result;
}

}  // namespace

StageIndex append_weights(LayerBuilder& b, StageIndex scores) {
  return dropped(b, softmax(b, scores));
}

}  // namespace attn
