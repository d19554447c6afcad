// Costs of the scoring functions, and the parameters that they have.
#include "core/attention/scoring.h"

#include <cmath>

#include "core/attention/layer_fields.h"
#include "core/attention/scoring_parameters.h"
#include "core/system/error.h"

namespace attn {
namespace {

namespace field = layer_field;

using Parameters = std::vector<ScoreParameter>;

// A seed for each parameter, so that no two get the same numbers.
constexpr std::uint64_t kSeedW = 21, kSeedWq = 22, kSeedWk = 23, kSeedV = 24, kSeedCentreW = 25,
                        kSeedCentreV = 26;

// All that there are.
constexpr std::array kMembers{&LayerSpec::score_w, &LayerSpec::score_w_q, &LayerSpec::score_w_k,
                              &LayerSpec::score_v, &LayerSpec::local_w,   &LayerSpec::local_v};

Tensor made_tensor(const ScoreParameter& parameter) {
  const LearnedTable table = made_parameter(parameter);
  std::vector<float> values;
  for (std::size_t i = 0; i < parameter.rows; ++i)
    for (std::size_t j = 0; j < parameter.columns; ++j)
      values.push_back(static_cast<float>(learned_value(table, {0, i, j})));
  return {{1, parameter.rows, parameter.columns}, std::move(values)};
}

// What has no number of the old one gets one of the made.
Tensor refitted(const Tensor& old, const ScoreParameter& parameter) {
  const Tensor made = made_tensor(parameter);
  std::vector<float> values(made.values().begin(), made.values().end());
  for (std::size_t i = 0; i < std::min(old.rows(), parameter.rows); ++i)
    for (std::size_t j = 0; j < std::min(old.columns(), parameter.columns); ++j)
      values[i * parameter.columns + j] = old[{0, i, j}];
  return {made.shape(), std::move(values)};
}

}  // namespace

std::string free_width_scorings() {
  std::string text, last;
  for (const ScoringText& scoring : kScorings) {
    if (!scoring.free_widths) continue;
    if (!last.empty()) text += (text.empty() ? "" : ", ") + last;
    last = scoring.word;
  }
  return text + " or " + last;
}

ScoreCost score_cost(Scoring scoring, const ScoreWidths& widths, std::size_t m) {
  const auto [d_q, d_k, d_a] = widths;
  switch (scoring) {
    case Scoring::dot:
      return {m * d_k, "m·d_k"};
    case Scoring::general:
      return {d_q * d_k + m * d_k, "d_q·d_k + m·d_k"};
    case Scoring::concat:
    case Scoring::additive:
      return {d_a * d_q + m * d_a * (d_k + 1), "d_a·d_q + m·d_a·(d_k + 1)"};
    case Scoring::gaussian:
      return {m * (d_k + 1), "m·(d_k + 1)"};
    case Scoring::cosine:
      return {2 * d_q + 3 * m * d_k, "2·d_k + 3·m·d_k"};
  }
  return {};
}

Parameters score_parameters(Scoring scoring, const ScoreWidths& widths) {
  const auto [d_q, d_k, d_a] = widths;
  const ScoreParameter v{&field::score_v, &LayerSpec::score_v, 1, d_a, kSeedV};
  switch (scoring) {
    case Scoring::general:
      return {{&field::score_w, &LayerSpec::score_w, d_q, d_k, kSeedW}};
    case Scoring::concat:
      return {{&field::score_w, &LayerSpec::score_w, d_a, d_q + d_k, kSeedW}, v};
    case Scoring::additive:
      return {{&field::score_w_q, &LayerSpec::score_w_q, d_a, d_q, kSeedWq},
              {&field::score_w_k, &LayerSpec::score_w_k, d_a, d_k, kSeedWk},
              v};
    case Scoring::dot:
    case Scoring::gaussian:
    case Scoring::cosine:
      break;
  }
  return {};
}

Parameters local_parameters(const LayerSpec& layer, std::size_t query_width) {
  if (layer.local != Local::predictive) return {};
  const std::size_t hidden = local_width(layer, query_width);
  return {{&field::local_w, &LayerSpec::local_w, hidden, query_width, kSeedCentreW},
          {&field::local_v, &LayerSpec::local_v, 1, hidden, kSeedCentreV}};
}

bool is_score_parameter(const LayerSpec& layer, const Tensor& tensor) {
  for (const auto member : kMembers)
    if (&(layer.*member) == &tensor) return true;
  return false;
}

bool uses_score_parameter(const LayerSpec& layer, const Tensor& tensor) {
  for (const Parameters& used : {score_parameters(layer.scoring, {}), local_parameters(layer, 0)})
    for (const ScoreParameter& parameter : used)
      if (&(layer.*parameter.member) == &tensor) return true;
  return false;
}

std::size_t hidden_width(const LayerSpec& layer, std::size_t key_width) {
  if (!layer.score_v.empty()) return layer.score_v.columns();
  const bool additive = layer.scoring == Scoring::additive;
  for (const Tensor* w :
       additive ? std::vector{&layer.score_w_q, &layer.score_w_k} : std::vector{&layer.score_w})
    if (!w->empty()) return w->rows();
  return key_width;
}

std::size_t local_width(const LayerSpec& layer, std::size_t query_width) {
  if (!layer.local_v.empty()) return layer.local_v.columns();
  return layer.local_w.empty() ? query_width : layer.local_w.rows();
}

std::optional<ScoreWidths> score_widths(const LayerSpec& layer) {
  ScoreWidths widths{layer.q.columns(), layer.k.columns()};
  if (!layer.direct) {
    if (layer.heads == 0 || layer.kv_heads == 0) return std::nullopt;
    widths = {layer.w_q.columns() / layer.heads, layer.w_k.columns() / layer.kv_heads};
  }
  if (widths.query == 0 || widths.key == 0) return std::nullopt;
  widths.hidden = hidden_width(layer, widths.key);
  return widths;
}

LearnedTable made_parameter(const ScoreParameter& parameter) {
  return {.length = parameter.rows,
          .columns = parameter.columns,
          .seed = parameter.seed,
          .sd = 1 / std::sqrt(static_cast<double>(std::max<std::size_t>(1, parameter.columns))),
          .rows = parameter.rows};
}

namespace {

// Those of the layer's function and centres that are missing or have another shape than would fit.
Parameters misfits(const LayerSpec& layer) {
  const auto widths = score_widths(layer);
  if (!widths) return {};
  Parameters all = score_parameters(layer.scoring, *widths);
  for (const ScoreParameter& parameter : local_parameters(layer, widths->query)) all.push_back(parameter);
  std::erase_if(all, [&](const ScoreParameter& parameter) {
    return (layer.*parameter.member).shape() == Shape{1, parameter.rows, parameter.columns};
  });
  for (const ScoreParameter& parameter : all) check_number_count(parameter.rows * parameter.columns);
  return all;
}

void check_fit(const LayerSpec& layer, const Parameters& parameters, const std::string& of) {
  for (const ScoreParameter& parameter : parameters) {
    const Tensor& tensor = layer.*parameter.member;
    const Shape wanted{1, parameter.rows, parameter.columns};
    if (tensor.empty() || tensor.shape() == wanted) continue;
    throw Error(std::string(parameter.field->text.key) + " is " + to_string(tensor.shape()) + ", but " + of +
                " need it " + to_string(wanted) + ": give it that shape, or leave it out");
  }
}

}  // namespace

void make_score_parameters(LayerSpec& layer) {
  for (const ScoreParameter& parameter : misfits(layer)) layer.*parameter.member = made_tensor(parameter);
}

void resize_score_parameters(LayerSpec& layer) {
  for (const ScoreParameter& parameter : misfits(layer)) {
    Tensor& tensor = layer.*parameter.member;
    if (!tensor.empty()) tensor = refitted(tensor, parameter);
  }
}

void check_score_parameters(const LayerSpec& layer, const ScoreWidths& widths) {
  check_fit(layer, score_parameters(layer.scoring, widths),
            std::string(scoring_text(layer.scoring).word) + " scores of queries " +
                std::to_string(widths.query) + " and keys " + std::to_string(widths.key) + " wide");
}

void check_local_parameters(const LayerSpec& layer, std::size_t query_width) {
  check_fit(layer, local_parameters(layer, query_width),
            "predicted centres of queries " + std::to_string(query_width) + " wide");
}

}  // namespace attn
