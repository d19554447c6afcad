// The stages of each weighting.
#include "core/attention/weighting.h"

#include "core/attention/weighting_rounded.h"
#include "core/graph/rounding.h"

namespace attn {
namespace {

struct Builder {
  Graph& graph;
  const ScoreRows& from;
  NumberFormat format = NumberFormat::float32;
  WeightingStages stages = {};

  StageIndex add(Stage stage) const { return add_rounded(graph, std::move(stage), format); }

  // What a row is added up over.
  std::string over() const {
    if (from.over == SoftmaxOver::heads) return "over heads";
    return from.over == SoftmaxOver::queries ? "over queries" : "over keys";
  }
  // What formulas call the scores.
  std::string score() const { return from.folded ? graph.stages[from.scores].title : "score"; }

  // A number for each score, to be completed.
  Stage pair(std::string id, std::string title, std::string formula, Operation operation,
             std::vector<StageIndex> inputs, std::size_t step, std::string sentence) const {
    return {.id = std::move(id),
            .title = std::move(title),
            .formula = std::move(formula),
            .operation = std::move(operation),
            .inputs = std::move(inputs),
            .rows = from.rows,
            .columns = from.columns,
            .drawn = from.folded ? Drawn::inside : Drawn::always,
            .stack = Stack::heads,
            .sentence = std::move(sentence),
            .mask = from.mask,
            .step = step};
  }
  // A number for each row.
  StageIndex statistic(std::string id, std::string title, std::string formula, Operation operation,
                       std::vector<StageIndex> inputs, std::size_t step, std::string sentence) {
    Stage stage = pair(std::move(id), std::move(title), std::move(formula), std::move(operation),
                       std::move(inputs), step, std::move(sentence));
    stage.columns = {}, stage.mask = {};
    stage.role = Role::statistic, stage.drawn = Drawn::inside;
    return add(std::move(stage));
  }
  // `last`: how they come from the step before; it is all that there is to say where there is no other.
  void weights(std::string last, Operation operation, std::vector<StageIndex> inputs) {
    const bool hard = stages.weighting == Weighting::hard;
    const WeightingText& text = weighting_text(hard ? Weighting::softmax : stages.weighting);
    const bool whole = from.folded && !stages.left;
    Stage stage =
        pair("weights", "weights", whole ? std::string(text.title) + " by row" : std::move(last),
             std::move(operation), std::move(inputs), from.weights_step, "how much of %c goes into %r");
    stage.role = Role::weights, stage.range = Range::unit, stage.symbol = "A";
    if (from.over == SoftmaxOver::queries) {  // not yet weights of queries, of which rows promise something
      stage.id = "weights_by_key", stage.title = "weights by key",
      stage.sentence = "how much of %r goes into %c";
    } else if (from.over == SoftmaxOver::heads) {
      stage.id = "weights_by_pair", stage.title = "weights by pair",
      stage.sentence = "the weight of %r in head %j";
    } else {
      stage.drawn = Drawn::always, stage.scores = from.scores, stage.row_total = text.total;
    }
    stages.weights = add(std::move(stage));
  }
};

void append_maximum(Builder& b) {
  b.stages.maximum =
      b.statistic("row_max", "row max", "max " + b.over(), RowMaximum{}, {b.from.scores}, b.from.maximum_step,
                  "the largest score of %r: subtracted so that exp stays small");
}

// For looking at: the exponential subtracts for itself. Sparsemax reads it.
void append_shifted(Builder& b, const std::string& subtracted, bool read = false) {
  if (b.from.folded && !read) return;
  Stage shifted = b.pair("shifted", "− " + subtracted, b.score() + " − " + subtracted,
                         ByRow{RowRule::minus_maximum}, {b.from.scores, *b.stages.maximum},
                         b.from.maximum_step, "how far the score of %c is from " + subtracted + " of %r");
  shifted.role = Role::score;
  b.stages.shifted = b.add(std::move(shifted));
}

void append_shares(Builder& b, Exponential op, const std::string& formula) {
  Stage shares = b.pair("exp", "exp", formula, op, {b.from.scores, *b.stages.maximum}, b.from.exp_step,
                        "the share of %c for %r, before the row is divided by its sum");
  shares.range = Range::positive;
  b.stages.shares = b.add(std::move(shares));
}

void append_softmax(Builder& b, bool hard) {
  append_maximum(b);
  append_shifted(b, "row max");
  append_shares(b, {.hard = hard, .empty_row = b.from.empty_row},
                hard ? "1 at the maximum" : "exp(" + b.score() + " − row max)");
  b.stages.sum = b.statistic("row_sum", "row sum", "Σ " + b.over(), RowSum{}, {*b.stages.shares},
                             b.from.sum_step, "all shares of %r together: what each is divided by");
  b.weights("exp ÷ row sum", Normalize{}, {*b.stages.shares, *b.stages.sum});
}

void append_softmax_1(Builder& b) {
  b.stages.maximum = b.statistic("row_max", "c", "max(0, max " + b.over() + ")",
                                 RowStatistic{RowFigure::largest_or_zero}, {b.from.scores},
                                 b.from.maximum_step, "what is subtracted from the scores of %r, and from 0");
  append_shifted(b, "c");
  append_shares(b, {}, "exp(" + b.score() + " − c)");
  b.stages.sum = b.statistic("row_sum", "row sum", "exp(−c) + Σ " + b.over(), RowSumWithOne{},
                             {*b.stages.shares, *b.stages.maximum}, b.from.sum_step,
                             "all shares of %r together, and that of a key with the score 0");
  b.weights("exp ÷ row sum", Normalize{}, {*b.stages.shares, *b.stages.sum});
}

void append_sparsemax(Builder& b) {
  append_maximum(b);
  append_shifted(b, "row max", true);
  b.stages.threshold =
      b.statistic("threshold", "τ", "(Σ of the support − 1) ÷ its size", RowStatistic{RowFigure::threshold},
                  {*b.stages.shifted}, b.from.sum_step,
                  "what is taken from every score of %r, so that what is left over 0 adds up to 1");
  b.weights("max(0, score − row max − τ)", ByRow{RowRule::above}, {*b.stages.shifted, *b.stages.threshold});
}

void append_left(Builder& b, RowRule rule, const std::string& formula) {
  b.stages.left = b.statistic("keys_left", "m", "keys left", RowStatistic{RowFigure::keys_left},
                              {b.from.scores}, b.from.sum_step, "how many keys the mask leaves to %r");
  b.weights(formula, ByRow{rule}, {b.from.scores, *b.stages.left});
}

}  // namespace

std::vector<StageIndex> WeightingStages::all() const {
  std::vector<StageIndex> found;
  for (const auto& stage : {maximum, shifted, shares, sum, threshold, left})
    if (stage) found.push_back(*stage);
  found.push_back(weights);
  return found;
}

WeightingStages append_weighting(Graph& graph, Weighting weighting, const ScoreRows& rows) {
  return append_rounded_weighting(graph, weighting, rows, NumberFormat::float32);
}

WeightingStages append_rounded_weighting(Graph& graph, Weighting weighting, const ScoreRows& rows,
                                         NumberFormat format) {
  Builder b{.graph = graph, .from = rows, .format = format};
  b.stages.weighting = weighting;
  b.stages.part = graph.parts.empty() ? 0 : graph.parts.size() - 1;
  switch (weighting) {
    case Weighting::softmax:
    case Weighting::hard:
      append_softmax(b, weighting == Weighting::hard);
      break;
    case Weighting::softmax_1:
      append_softmax_1(b);
      break;
    case Weighting::sparsemax:
      append_sparsemax(b);
      break;
    case Weighting::sigmoid:
      append_left(b, RowRule::sigmoid, "σ(" + b.score() + " − ln m)");
      break;
    case Weighting::relu:
      append_left(b, RowRule::rectified, "max(0, " + b.score() + ") ÷ m");
      break;
  }
  return b.stages;
}

}  // namespace attn
