// A layer's weights, step by step as their numbers are made, and dropout behind them.
#include <array>
#include <utility>

#include "core/attention/layer_builder.h"
#include "core/attention/layer_fields.h"
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

std::size_t head_count_of(const LayerBuilder& b) {
  return b.graph.stages[b.places.scores].shape.stack;
}

// Rows and columns exchanged, only looked at where steps are opened.
StageIndex by_key(LayerBuilder& b, StageIndex of, std::string id, std::string sentence,
                  std::optional<StageIndex> mask = {}) {
  const Stage& from = b.graph.stages[of];
  Stage turned = b.pair(std::move(id), "a row for each key", Transpose{}, {of}, std::move(sentence));
  turned.title = from.title + " by key";
  turned.rows = b.keys, turned.columns = b.queries;
  turned.role = from.role, turned.range = from.range, turned.stack = from.stack, turned.mask = mask;
  turned.drawn = from.drawn == Drawn::never ? Drawn::never : Drawn::inside;
  return b.add(std::move(turned));
}

// A row for each pair: the numbers of all heads. A mask that heads share is one for each of them there.
StageIndex by_pair(LayerBuilder& b, StageIndex of, std::string id, std::string sentence,
                   std::optional<StageIndex> mask = {}) {
  const Stage from = b.graph.stages[of];
  const std::size_t heads = head_count_of(b);
  const auto step = [&](const char* name, const char* words, Operation operation, Stack stack) {
    Stage stage = b.pair(id + name, words, std::move(operation), {of}, {});
    stage.title = from.title + " of heads", stage.rows = stage.columns = {};
    stage.role = from.role, stage.range = from.range, stage.stack = stack;
    stage.traced = false, stage.drawn = Drawn::never;
    of = b.add(std::move(stage));
  };
  if (from.shape.stack < heads) step("_tiled", "one for each head", TileHeads{heads}, Stack::heads);
  step("_flat", "a row for each head", Reshape{{1, heads, from.shape.rows * from.shape.columns}},
       Stack::joined);
  Stage turned = b.pair(id, "a row for each pair", Transpose{}, {of}, std::move(sentence));
  turned.title = from.title + " by pair";
  turned.rows = b.pairs(), turned.columns = {"head"};
  turned.role = from.role, turned.range = from.range, turned.stack = Stack::joined, turned.mask = mask;
  turned.drawn = from.drawn == Drawn::never ? Drawn::never : Drawn::inside;
  return b.add(std::move(turned));
}

// Over queries: the same on rows of keys.
ScoreRows turned(LayerBuilder& b, ScoreRows rows) {
  b.begin_step("by key", "rows and columns exchanged: a row for each key");
  if (rows.mask) rows.mask = by_key(b, *rows.mask, "mask_by_key", "whether %r is hidden from %c: 1 = masked");
  rows.scores =
      by_key(b, rows.scores, "scores_by_key", "how much %c looks at %r, as the softmax reads it", rows.mask);
  std::swap(rows.rows, rows.columns);
  rows.over = SoftmaxOver::queries;
  return rows;
}

// Over heads: the same on rows of pairs.
ScoreRows paired(LayerBuilder& b, ScoreRows rows) {
  b.begin_step("by pair", "a row for each pair of query and key: its scores in all heads");
  const std::size_t heads = head_count_of(b);
  const std::size_t masks = rows.mask ? b.graph.stages[*rows.mask].shape.stack : heads;
  if (masks == 1 || masks == heads) {
    if (rows.mask)
      rows.mask = by_pair(b, *rows.mask, "mask_by_pair", "whether %r is hidden in head %j: 1 = masked");
  } else {
    rows.mask.reset();  // of groups of heads: −∞ in the scores tells
  }
  rows.scores = by_pair(b, rows.scores, "scores_by_pair",
                        "the score of %r in head %j, as the softmax reads it", rows.mask);
  rows.rows = b.graph.stages[rows.scores].rows, rows.columns = b.graph.stages[rows.scores].columns;
  rows.over = SoftmaxOver::heads;
  return rows;
}

// The same shape as the scores again.
StageIndex turned_back(LayerBuilder& b, StageIndex weights, StageIndex scores, const std::string& words) {
  Operation operation = Transpose{};
  if (is_over_heads(b.layer)) {
    Stage flat = b.pair("weights_flat", "a row for each head", Transpose{}, {weights}, {});
    flat.title = "weights of heads", flat.rows = flat.columns = {};
    flat.role = Role::plain, flat.range = Range::unit, flat.stack = Stack::joined;
    flat.traced = false, flat.drawn = Drawn::never;
    weights = b.add(std::move(flat));
    operation = Reshape{b.graph.stages[scores].shape};
  }
  Stage back = b.pair("weights", words, std::move(operation), {weights}, "how much of %c goes into %r");
  back.role = Role::weights, back.range = Range::unit, back.mask = b.places.mask, back.scores = scores;
  back.symbol = "A";
  // What attention promises, and what this breaks.
  back.row_total = weighting_text(weighting_of(b.layer)).total;
  return b.add(std::move(back));
}

StageIndex weighted(LayerBuilder& b, StageIndex scores) {
  const Weighting weighting = weighting_of(b.layer);
  const WeightingSteps& steps = kSteps[static_cast<std::size_t>(weighting)];
  const bool over_queries = is_over_queries(b.layer), over_heads = is_over_heads(b.layer);
  ScoreRows rows{.scores = scores,
                 .rows = b.queries,
                 .columns = b.keys,
                 .mask = b.places.mask,
                 .empty_row = b.layer.empty_row,
                 .folded = true};
  if (over_queries) rows = turned(b, rows);
  if (over_heads) rows = paired(b, rows);
  b.places.weighed = rows.scores;
  rows.maximum_step = begin(b, steps.maximum);
  rows.exp_step = begin(b, steps.exp);
  rows.sum_step = begin(b, steps.sum);
  rows.weights_step = begin(b, steps.weights, steps.opened);
  const WeightingStages stages = append_rounded_weighting(b.graph, weighting, rows, b.layer.precision);
  std::vector<StageIndex> made = stages.all();
  std::string before = steps.before;
  if (over_queries || over_heads) {
    const std::string over = over_heads ? " over heads" : " over queries";
    made.push_back(
        turned_back(b, stages.weights, scores, std::string(weighting_text(weighting).title) + over));
    before.insert(before.size() - 1, over);
  }
  wrap(b.formula, before, steps.behind, made);
  return made.back();
}

// Those that the layer's own pattern keeps.
StageIndex append_kept(LayerBuilder& b, StageIndex weights, Stage kept) {
  const StageIndex pattern = b.given(layer_field::dropout_mask, b.layer.dropout_mask, b.queries, b.keys);
  b.graph.stages[pattern].range = Range::mask;
  kept.id = kept.title = "kept", kept.formula = "0 where dropped";
  kept.operation = Multiply{}, kept.inputs = {weights, pattern};
  kept.traced = false, kept.drawn = Drawn::inside;
  return b.add(std::move(kept));
}

StageIndex dropped(LayerBuilder& b, StageIndex weights) {
  const bool given = !b.layer.dropout_mask.empty();
  if (b.layer.dropout == 0 && !given) return weights;
  const Dropout dropout{b.layer.dropout, b.layer.dropout_seed};
  b.begin_step("dropped", given ? "weights that a given pattern drops set to 0, the others raised"
                                : "some weights set to 0 by chance, the others raised");
  Stage kept = b.pair("dropped", "dropout p " + number_words(dropout.p), dropout, {weights},
                      "how much of %c goes into %r, after dropout");
  kept.role = Role::weights, kept.range = Range::unit, kept.mask = b.places.mask, kept.by_chance = true;
  kept.scores = b.graph.stages[weights].scores;
  if (given) {
    kept.inputs = {append_kept(b, weights, kept)};
    kept.operation = Scale{dropout.factor(), "1/(1 − " + number_words(dropout.p) + ")"};
  }
  const StageIndex result = b.add(std::move(kept));
  wrap(b.formula, "dropout(", ")", {result});
  return result;
}

}  // namespace

StageIndex append_weights(LayerBuilder& b, StageIndex scores) {
  b.places.weights = append_decay(b, append_late_mask(b, weighted(b, scores)));
  return dropped(b, b.places.weights);
}

}  // namespace attn
