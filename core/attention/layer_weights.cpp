// A layer's weights, step by step as their numbers are made, and dropout behind them.
#include <array>

#include "core/attention/layer_builder.h"
#include "core/attention/weighting_rounded.h"

namespace attn {
namespace {

struct StepText {
  const char *title, *says;  // none: there is no such step
};
// Of the stage bar, and what stands around the scores in the formula.
struct WeightingSteps {
  StepText maximum, exp, sum, weights;
  const char* opened;  // the title of the last while the others are shown
  const char *before, *behind;
};

constexpr StepText kNone{nullptr, nullptr};
constexpr StepText kMaximum{"row max", "the largest score of each row: keeps exp small"};
constexpr StepText kKeysLeft{"keys left", "how many keys the mask leaves to each query"};
constexpr WeightingSteps kSoftmax{kMaximum,
                                  {"exp", "e to the power of the score minus its row's maximum"},
                                  {"sum", "each row's exponentials added up"},
                                  {"weights", "each row divided by its sum: it adds up to 1"},
                                  "÷ sum",
                                  "softmax(",
                                  ")"};

// In the order of the enumeration.
constexpr std::array<WeightingSteps, kWeightings.size()> kSteps{
    {kSoftmax,
     {{"c", "the largest score of each row, or 0: keeps exp small"},
      {"exp", "e to the power of the score minus c"},
      {"sum", "each row's exponentials added up, and that of a key with the score 0"},
      {"weights", "each row divided by its sum: it adds up to less than 1"},
      "÷ sum",
      "softmax-1(",
      ")"},
     {{"row max", "the largest score of each row, subtracted: sparsemax does not see a shift"},
      kNone,
      {"τ", "what is taken from every score, so that what is left over 0 adds up to 1"},
      {"weights", "what each score has over τ: a row adds up to 1, most of it exact zeros"},
      "− τ",
      "sparsemax(",
      ")"},
     {kNone,
      kNone,
      kKeysLeft,
      {"weights", "each score through the sigmoid, by itself"},
      "σ",
      "σ(",
      " − ln m)"},
     {kNone,
      kNone,
      kKeysLeft,
      {"weights", "what each score has over 0, by itself"},
      "÷ m",
      "max(0, ",
      ") ÷ m"},
     kSoftmax}};

std::size_t begin(LayerBuilder& b, const StepText& text, const char* opened = "") {
  if (text.title) b.begin_step(text.title, text.says, opened);
  return b.step;
}

StageIndex weighted(LayerBuilder& b, StageIndex scores) {
  const Weighting weighting = weighting_of(b.layer);
  const WeightingSteps& steps = kSteps[static_cast<std::size_t>(weighting)];
  ScoreRows rows{.scores = scores,
                 .rows = b.queries,
                 .columns = b.keys,
                 .mask = b.places.mask,
                 .empty_row = b.layer.empty_row,
                 .folded = true};
  rows.maximum_step = begin(b, steps.maximum);
  rows.exp_step = begin(b, steps.exp);
  rows.sum_step = begin(b, steps.sum);
  rows.weights_step = begin(b, steps.weights, steps.opened);
  const WeightingStages stages = append_rounded_weighting(b.graph, weighting, rows, b.layer.precision);
  wrap(b.formula, steps.before, steps.behind, stages.all());
  return stages.weights;
}

StageIndex dropped(LayerBuilder& b, StageIndex weights) {
  if (b.layer.dropout == 0) return weights;
  b.begin_step("dropped", "some weights set to 0 by chance, the others raised");
  Stage kept = b.pair("dropped", "dropout p " + number_words(b.layer.dropout),
                      Dropout{b.layer.dropout, b.layer.dropout_seed}, {weights},
                      "how much of %c goes into %r, after dropout");
  kept.role = Role::weights, kept.range = Range::unit, kept.mask = b.places.mask, kept.by_chance = true;
  kept.scores = b.graph.stages[weights].scores;
  const StageIndex result = b.add(std::move(kept));
  wrap(b.formula, "dropout(", ")", {result});
  return result;
}

}  // namespace

StageIndex append_weights(LayerBuilder& b, StageIndex scores) {
  b.places.weights = append_decay(b, weighted(b, scores));
  return dropped(b, b.places.weights);
}

}  // namespace attn
