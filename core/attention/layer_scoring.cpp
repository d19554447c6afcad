// A layer's scores: every query with every key, by the layer's scoring function, step by step as far as the
// steps can be looked at.
//
// Stages before `scores`, by function: general q_w; cosine q_length, k_length, q_unit, k_unit; Gaussian
// distances; additive and concat q_hidden, k_hidden and, up to kOpenPairs numbers, pair_sum, pair_tanh.
#include "core/attention/layer_builder.h"
#include "core/attention/layer_fields.h"
#include "core/attention/scoring_parameters.h"

namespace attn {
namespace {

// Numbers that every query with every key may have as stages of their own; more are summed as they are made.
constexpr std::size_t kOpenPairs = std::size_t{1} << 14;

// Of the parameters that the layer's function has, in their order.
std::vector<StageIndex> append_parameters(LayerBuilder& b) {
  const std::size_t d_q = b.graph.stages[b.places.q].shape.columns;
  const std::size_t d_k = b.graph.stages[b.places.k].shape.columns;
  const ScoreWidths widths{d_q, d_k, hidden_width(b.layer, d_k)};
  check_score_parameters(b.layer, widths);
  std::vector<StageIndex> stages;
  for (const ScoreParameter& parameter : score_parameters(b.layer.scoring, widths))
    stages.push_back(b.parameter(parameter));
  return stages;
}

// The last stage of all functions.
StageIndex scores(LayerBuilder& b, std::string words, Operation operation, std::vector<StageIndex> inputs,
                  std::vector<StageNumber> numbers = {}) {
  Stage stage = b.pair("scores", std::move(words), std::move(operation), std::move(inputs),
                       "how much %r looks at %c, before scaling");
  stage.numbers = std::move(numbers);
  return b.places.scores = b.add(std::move(stage));
}

StageIndex product(LayerBuilder& b, std::string words, StageIndex q, StageIndex k) {
  b.places.factors = {q, k};
  return scores(b, std::move(words), MatMul{.transpose_right = true}, {q, k});
}

void begin_scores(LayerBuilder& b, const char* says) {
  b.begin_step("scores", says);
}

std::string turned(const LayerBuilder& b, const std::string& letter) {
  if (!std::holds_alternative<Rotary>(b.layer.position)) return letter;
  return (b.layer.position_twice ? "R²" : "R") + letter;
}

constexpr const char* kReshaped = ".reshape(d, m)";
bool is_reshaped(const LayerBuilder& b) {
  return b.layer.key_turn == KeyTurn::reshaped;
}
// What stands for Kᵀ in the words of a product, and in the formula.
std::string plain_keys(const LayerBuilder& b) {
  return is_reshaped(b) ? std::string("K") + kReshaped : "Kᵀ";
}
std::string turned_keys(const LayerBuilder& b) {
  const std::string k = turned(b, "K");
  if (is_reshaped(b)) return k + kReshaped;
  return (k.size() > 1 ? "(" + k + ")" : k) + "ᵀ";
}

void append_dot(LayerBuilder& b) {
  LayerStages& p = b.places;
  p.k = append_turned_keys(b, p.k);
  const std::string q = turned(b, "Q"), transposed = turned_keys(b);
  begin_scores(b, "every query times every key");
  product(b, q + (q.size() > 1 || is_reshaped(b) ? "·" : "") + transposed, p.q, p.k);
  b.formula.push_back({q, {p.q, p.scores}});
  b.formula.push_back({(is_reshaped(b) ? "·" : "") + transposed, {p.k, p.scores}});
}

void append_general(LayerBuilder& b) {
  LayerStages& p = b.places;
  p.k = append_turned_keys(b, p.k);
  const std::string title = turned(b, "Q") + "·W";
  b.begin_step(title, "queries in the terms of keys");
  const StageIndex w = append_parameters(b)[0];
  const StageIndex q_w = b.add(b.made_from(p.q, "q_w", title, "queries times W", MatMul{}, {p.q, w},
                                           "feature %j of what the query of %r asks of keys"));
  begin_scores(b, "every query, times W, times every key");
  product(b, "Q·W·" + plain_keys(b), q_w, p.k);
  b.formula.push_back({turned(b, "Q"), {p.q, q_w}});
  b.formula.push_back({"·W", {w, q_w}});
  b.formula.push_back({"·" + turned(b, "K") + (is_reshaped(b) ? kReshaped : "ᵀ"), {p.k, p.scores}});
}

StageIndex unit(LayerBuilder& b, StageIndex from, const std::string& letter, const std::string& title) {
  const StageIndex lengths =
      b.add_lengths(from, letter + "_length", "|" + letter + "|", RowLength{}, "the length of the row of %r");
  return b.add(b.made_from(from, letter + "_unit", title + " ÷ |" + letter + "|", "rows of length 1",
                           ByLength{}, {from, lengths}, "feature %j of %r, at length 1"));
}

void append_cosine(LayerBuilder& b) {
  LayerStages& p = b.places;
  b.begin_step("length 1", "queries and keys divided by their length");
  const StageIndex q = unit(b, p.q, "q", turned(b, "Q"));
  const StageIndex k = append_turned_keys(b, unit(b, p.k, "k", turned(b, "K")));
  begin_scores(b, "the cosine of the angle between every query and every key");
  product(b, "Q·" + plain_keys(b) + " ÷ (|q|·|k|)", q, k);
  b.formula.push_back({"cos(" + turned(b, "Q"), {p.q, q, p.scores}});
  b.formula.push_back({", " + turned(b, "K") + ")", {p.k, k, p.scores}});
}

void append_gaussian(LayerBuilder& b) {
  const LayerStages& p = b.places;
  const double sigma = b.layer.sigma;
  const std::string width = number_words(sigma);
  b.begin_step("distances", "how far every query is from every key, squared");
  Stage squares =
      b.pair("distances", "|q − k|²", SquaredDistance{}, {p.q, p.k}, "how far %r is from %c, squared");
  squares.range = Range::any;
  const StageIndex distances = b.add(std::move(squares));
  begin_scores(b, "the nearer, the larger: exp of it is a Gaussian");
  scores(b, "−|q − k|² ÷ 2σ²", Scale{-1 / (2 * sigma * sigma), "−1/(2·" + width + "²)"}, {distances},
         {{"sigma", 1 / (sigma * sigma * sigma)}});
  b.formula.push_back({"−|", {p.scores}});
  b.formula.push_back({turned(b, "q"), {p.q, distances}});
  b.formula.push_back({" − " + turned(b, "k"), {p.k, distances}});
  b.formula.push_back({"|²/2σ²", {distances, p.scores}});
}

struct HiddenStages {
  StageIndex q, k, v;
};

void append_pairs(LayerBuilder& b, const HiddenStages& hidden, const std::string& sum) {
  const Shape q = b.graph.stages[hidden.q].shape;
  const double numbers = static_cast<double>(q.size()) * static_cast<double>(b.sizes.keys);
  if (numbers > static_cast<double>(kOpenPairs)) {
    begin_scores(b, "every query and every key added up, bent by tanh, times v");
    scores(b, "v·tanh(" + sum + ")", AdditiveScore{}, {hidden.q, hidden.k, hidden.v});
    return;
  }
  b.begin_step("pairs", "every query and every key added up: a row for each pair");
  Stage sums = b.pair("pair_sum", sum, PairSum{}, {hidden.q, hidden.k}, "hidden feature %j of the pair %r");
  sums.title = "pairs", sums.rows = b.pairs(), sums.columns = b.feature;
  sums.role = Role::plain, sums.drawn = Drawn::inside;
  Stage bent = sums;
  const StageIndex pairs = b.add(std::move(sums));
  b.begin_step("tanh", "each bent to between −1 and 1");
  bent.id = "pair_tanh", bent.title = "tanh", bent.formula = "tanh(" + sum + ")", bent.operation = Tanh{};
  bent.inputs = {pairs}, bent.sentence = "hidden feature %j of the pair %r, bent by tanh";
  const StageIndex tanh = b.add(std::move(bent));
  begin_scores(b, "every pair, bent, times v");
  scores(b, "v·tanh(" + sum + ")", PairProduct{b.sizes.keys}, {tanh, hidden.v});
}

// W [q; k] is W_q q + W_k k with the columns of W for queries and those for keys.
StageIndex columns_of(LayerBuilder& b, StageIndex w, const std::string& letter, TakeColumns columns) {
  return b.add({.id = "score_w_of_" + letter,
                .title = "W for " + letter,
                .formula = "columns of W",
                .operation = columns,
                .inputs = {w},
                .rows = b.feature,
                .columns = b.feature,
                .traced = false,
                .drawn = Drawn::never,
                .sentence = "how much feature %j counts in hidden feature %i"});
}

void append_additive(LayerBuilder& b) {
  const bool concat = b.layer.scoring == Scoring::concat;
  const LayerStages& p = b.places;
  b.begin_step("hidden",
               concat ? "what W makes of queries and of keys" : "queries times W_q, keys times W_k");
  const std::vector<StageIndex> given = append_parameters(b);
  StageIndex w_q = given[0], w_k = given[1];
  if (concat) {
    const std::size_t d_q = b.graph.stages[p.q].shape.columns, d_k = b.graph.stages[p.k].shape.columns;
    w_q = columns_of(b, given[0], "q", {0, d_q});
    w_k = columns_of(b, given[0], "k", {d_q, d_k});
  }
  const std::string sum = concat ? "W [q; k]" : "W_q q + W_k k";
  const auto hidden = [&](StageIndex from, StageIndex w, const std::string& letter, const char* title) {
    return b.add(b.made_from(from, letter + "_hidden", title, "rows times W transposed",
                             MatMul{.transpose_right = true}, {from, w},
                             "hidden feature %j of what " +
                                 std::string(letter == "q" ? "the query" : "the key") + " of %r brings"));
  };
  const HiddenStages stages{hidden(p.q, w_q, "q", concat ? "W of q" : "W_q q"),
                            hidden(p.k, w_k, "k", concat ? "W of k" : "W_k k"), given.back()};
  append_pairs(b, stages, sum);
  b.formula.push_back({"v·tanh(", {stages.v, p.scores}});
  b.formula.push_back({concat ? "W[" + turned(b, "q") : "W_q " + turned(b, "q"), {p.q, stages.q}});
  b.formula.push_back({concat ? "; " + turned(b, "k") + "]" : " + W_k " + turned(b, "k"), {p.k, stages.k}});
  b.formula.push_back({")", {p.scores}});
}

}  // namespace

StageIndex append_scoring(LayerBuilder& b) {
  switch (b.layer.scoring) {
    case Scoring::dot:
      append_dot(b);
      break;
    case Scoring::general:
      append_general(b);
      break;
    case Scoring::concat:
    case Scoring::additive:
      append_additive(b);
      break;
    case Scoring::gaussian:
      append_gaussian(b);
      break;
    case Scoring::cosine:
      append_cosine(b);
      break;
  }
  return b.places.scores;
}

}  // namespace attn
