// From queries and keys to weights: norm, scoring function with its parameters, scale, cap and weighting.
#include <algorithm>
#include <array>

#include "app/canvas/edits.h"
#include "app/fields/field_states.h"
#include "app/layer/layer_controls.h"
#include "core/attention/layer_fields.h"
#include "core/attention/scoring_parameters.h"
#include "core/edits/edit.h"
#include "core/graph/rounding.h"
#include "core/text/text.h"

namespace attn {
namespace {

// The choice made in a list whose entries say more about themselves.
template <class Choice, std::size_t N>
std::optional<Choice> told_row(Frame& frame, Column column, const ChoiceField<Choice, N>& field, Choice now) {
  std::array<std::string, N> says;
  for (std::size_t i = 0; i < N; ++i) says[i] = words_of(field.words[i].choice, frame.layer());
  FieldRow row = row_of(field.text);
  row.tooltip += "\n" + says[field.index_of(now)];
  const auto chosen = choice_row(frame, column, row, field.titles(), field.index_of(now), says);
  return chosen ? std::optional(field.words[*chosen].choice) : std::nullopt;
}

void norm_rows(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  field_row(frame, column, "", layer_field::qk_norm, layer.qk_norm);
  if (layer.qk_norm) field_row(frame, column, "", layer_field::qk_gain, layer.qk_gain);
}

void hidden_row(Frame& frame, Column column) {
  const LayerSpec& layer = frame.layer();
  const auto widths = score_widths(layer);
  if (!widths || (layer.scoring != Scoring::additive && layer.scoring != Scoring::concat)) return;
  const FieldRow row{"score_hidden", "d_a", "hidden features of the score: the numbers of v"};
  const CountBox box{.value = widths->hidden, .least = 1, .most = kMostHidden};
  if (const auto wanted = count_row(frame, column, row, box))
    attempt(frame, {row.id}, [&](LayerAt in) { set_hidden_width(in, wanted->value); });
  refusal(frame, column, row.id);
}

// Where it is refused, the widths that queries and keys can both be given stand under the row.
void use_scoring(Frame& frame, const std::string& row, Scoring scoring) {
  const LayerSpec& layer = frame.layer();
  const std::size_t d_q = query_width(layer), d_k = key_width(layer);
  const auto fixes = [&] {
    const bool apart = d_q != d_k && !scoring_text(scoring).free_widths;
    return apart ? std::vector{std::min(d_q, d_k), std::max(d_q, d_k)} : std::vector<std::size_t>();
  };
  attempt(frame, {.row = row, .fixes = fixes}, [&](LayerAt in) { set_scoring(in, scoring); });
}

void scoring_rows(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  const auto id = [](Scoring scoring) {
    return std::string(layer_field::scoring.text.key) + ":" + std::string(scoring_text(scoring).word);
  };
  if (const auto chosen = told_row(frame, column, layer_field::scoring, layer.scoring))
    use_scoring(frame, id(*chosen), *chosen);
  for (const auto& word : layer_field::scoring.words) {
    const Scoring scoring = word.choice;
    if (const auto width = refusal(frame, column, id(scoring)))
      attempt(frame, {id(scoring)}, [&](LayerAt in) {
        set_width_of_queries(in, *width);
        set_width_of_keys(in, *width);
        set_scoring(in, scoring);
      });
  }
  hidden_row(frame, column);
  if (layer.scoring == Scoring::gaussian) field_row(frame, column, "", layer_field::sigma, layer.sigma);
}

void local_rows(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  const std::string id(layer_field::local.text.key);
  if (const auto chosen = told_row(frame, column, layer_field::local, layer.local))
    attempt(frame, {id}, [&](LayerAt in) { set_local(in, *chosen); });
  refusal(frame, column, id);
  if (layer.local == Local::none) return;
  field_row(frame, column, "", layer_field::local_reach, layer.local_reach);
  if (layer.local != Local::predictive) return;
  const FieldRow hidden{"local_hidden", "d_p", "hidden features of predicted centres: the numbers of v_p"};
  const CountBox box{.value = local_width(layer, query_width(layer)), .least = 1, .most = kMostHidden};
  if (const auto wanted = count_row(frame, column, hidden, box))
    attempt(frame, {hidden.id}, [&](LayerAt in) { set_local_width(in, wanted->value); });
  refusal(frame, column, hidden.id);
}

// "dot · 1/√d_k · T 2".
std::string score_state(const LayerSpec& layer) {
  const ScaleMode mode = layer.scale.mode;
  return states({std::string(scoring_text(layer.scoring).title),
                 mode == ScaleMode::sqrt     ? "1/√d_k"
                 : mode == ScaleMode::number ? "× " + brief(layer.scale.number)
                                             : "",
                 layer.temperature != 1 ? "T " + brief(layer.temperature) : "",
                 layer.soft_cap > 0 ? "cap " + brief(layer.soft_cap) : ""});
}

// "softmax · local".
std::string weighting_state(const LayerSpec& layer) {
  return states({std::string(weighting_text(weighting_of(layer)).title),
                 is_over_queries(layer) ? "over queries"
                 : is_over_heads(layer) ? "over heads"
                                        : "",
                 layer.local == Local::none ? "" : "local"});
}

}  // namespace

void draw_scale_rows(Frame& frame, Column column) {
  namespace f = layer_field;
  Scaling& scale = frame.layer().scale;
  constexpr std::array kModes{ScaleMode::sqrt, ScaleMode::none, ScaleMode::number};
  const std::array<std::string, 3> names{"1/√d_k", "off", "number"};
  const auto now = static_cast<std::size_t>(std::ranges::find(kModes, scale.mode) - kModes.begin());
  if (const auto choice = choice_row(frame, column, row_of(f::scale.text), names, now))
    scale.mode = kModes[*choice];
  if (scale.mode != ScaleMode::number) return;
  const FieldRow number{std::string(f::scale.number_key), "× number", std::string(f::scale.number_sentence)};
  if (const auto wanted = number_row(frame, column, number, {.value = scale.number, .per_pixel = 0.01}))
    scale.number = *wanted;
  refusal(frame, column, number.id);
}

std::string words_of(Scoring scoring, const LayerSpec& layer) {
  const ScoringText& text = scoring_text(scoring);
  std::string words = std::string(text.formula) + " (" + std::string(text.source) + ")";
  LayerSpec with = layer;
  with.scoring = scoring;
  if (const auto widths = score_widths(with)) {
    const ScoreCost cost = score_cost(scoring, *widths, key_count(layer));
    words += "\n" + cost.words + " = " + std::to_string(cost.count) + " multiplications a query";
  }
  words += "\nusual scale: " + std::string(text.scale);
  return words + (text.free_widths ? "\nqueries and keys may differ in width" : "");
}

std::string words_of(Weighting weighting, const LayerSpec& layer) {
  const WeightingText& text = weighting_text(weighting);
  std::string words =
      std::string(text.formula) + " (" + std::string(text.source) + ")\nadds up to " + std::string(text.sum);
  if (layer.temperature != 0) return words;
  return words + (weighting == Weighting::softmax ? "\nat T = 0: 1 ÷ the ties at the largest, else 0"
                                                  : "\nat T = 0: of scores that are not divided");
}

std::string words_of(Local local, const LayerSpec& layer) {
  const std::string reach = std::to_string(layer.local_reach), source = "Luong, Pham, Manning 2015";
  switch (local) {
    case Local::none:
      return "every key that the mask leaves is seen";
    case Local::monotonic:
      return "query i sees the keys from i − D to i + D, D = " + reach + " (local-m; " + source + ")";
    case Local::predictive:
      break;
  }
  return "p = m·σ(v_pᵀ tanh(W_p q)), m the keys: keys within ±D of p are seen, D = " + reach +
         "\nweights · exp(−(j − p)² ÷ 2(D/2)²), not divided by their sum again (local-p; " + source + ")";
}

// How many digits it has, and the numbers it ends at.
std::string words_of(NumberFormat format, const LayerSpec&) {
  if (format == NumberFormat::float32) return "as computed: nothing is rounded further";
  return "computed in float32, then rounded once; inputs and parameters too, a number typed over a computed "
         "one not\n" +
         brief(1 / epsilon_of(format)) + " steps from 1 to 2, ∞ beyond " + brief(largest_of(format));
}

void draw_score_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  if (!layer_section(frame, column, "Scores", score_state)) return;
  norm_rows(frame, column);
  scoring_rows(frame, column);
  draw_scale_rows(frame, column);
  field_row(frame, column, "", layer_field::temperature, layer.temperature);
  field_row(frame, column, "", layer_field::soft_cap, layer.soft_cap);
}

void draw_weighting_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  if (!layer_section(frame, column, "Weights", weighting_state)) return;
  if (const auto chosen = told_row(frame, column, layer_field::weighting, layer.weighting))
    layer.weighting = *chosen;
  local_rows(frame, column);
}

void draw_precision_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  const auto state = [](const LayerSpec& of) { return state_of(layer_field::precision, of.precision); };
  if (!layer_section(frame, column, "Precision", state)) return;
  if (const auto chosen = told_row(frame, column, layer_field::precision, layer.precision))
    layer.precision = *chosen;
}

}  // namespace attn
