// A layer's stages from its scores to what the softmax reads: scaled, capped, with a bias, masked. The mask
// is here too where it stands after the softmax.
#include <cmath>

#include "core/attention/layer_builder.h"
#include "core/attention/layer_fields.h"

namespace attn {
namespace {

namespace field = layer_field;

StageIndex scaled(LayerBuilder& b, StageIndex scores) {
  const double temperature = b.layer.temperature;
  const std::size_t columns = b.graph.stages[b.places.k].shape.columns;
  const Scale scale = score_scale(b.layer, columns);
  std::string words = "not scaled", span, says = "left as they are: when d_k is large, scores grow with it";
  if (b.layer.scale.mode == ScaleMode::sqrt) {
    words = "÷ √" + std::to_string(columns);
    span = "/ √d_k";
    says = "divided by √d_k so that scores stay small when d_k is large";
  } else if (b.layer.scale.mode == ScaleMode::number) {
    words = span = "× " + number_words(b.layer.scale.number);
    says = "multiplied by your own number in place of 1/√d_k";
  }
  if (temperature != 1) words += " · T " + number_words(temperature);
  b.begin_step("scaled", says);
  Stage stage = b.pair("scaled", words, scale, {scores}, "how much %r looks at %c, after scaling");
  stage.numbers = scale_numbers(b.layer, scale);
  const StageIndex result = b.add(std::move(stage));
  if (!span.empty()) b.formula.push_back({span, {result}});
  if (temperature != 1) b.formula.push_back({temperature == 0 ? "/ T → 0" : "/ T", {result}});
  return result;
}

StageIndex capped(LayerBuilder& b, StageIndex scores) {
  if (b.layer.soft_cap == 0) return scores;
  const std::string cap = number_words(b.layer.soft_cap);
  b.begin_step("capped", "large scores bent to at most " + cap + ", small ones as they were");
  Stage stage = b.pair("capped", cap + "·tanh(scaled ÷ " + cap + ")", Tanh{b.layer.soft_cap}, {scores},
                       "how much %r looks at %c, at most " + cap);
  stage.numbers = {{"soft_cap"}};
  b.places.capped = b.add(std::move(stage));
  wrap(b.formula, cap + "·tanh(", " / " + cap + ")", {*b.places.capped});
  return *b.places.capped;
}

// "causal and not window or painted": what hides keys, rule by rule.
std::string mask_words(const LayerSpec& layer) {
  std::string words;
  for (const MaskTerm& term : layer.masks) {
    if (!words.empty()) words += term.join == Join::all ? " and " : " or ";
    words += (term.negated ? "not " : "") + title_of(term.rule);
  }
  if (!layer.mask.empty()) words += words.empty() ? "painted" : " or painted";
  return words;
}

}  // namespace

std::vector<StageIndex> append_painted_mask(LayerBuilder& b) {
  if (b.layer.mask.empty()) return {};
  return {b.given(field::mask, b.layer.mask, b.queries, b.keys)};
}

StageIndex append_mask(LayerBuilder& b, const std::vector<StageIndex>& painted) {
  Mask mask = b.sizes;
  mask.rules = b.layer.masks;
  Stage stage =
      b.pair("mask", mask_words(b.layer), mask, painted, "whether %c is hidden from %r: 1 = masked");
  stage.role = Role::mask, stage.range = Range::mask;
  stage.drawn = Drawn::never, stage.stack = Stack::shared;
  return b.add(std::move(stage));
}

namespace {

// The mask with its step, and what it is of in words; these are empty where there is none.
std::string begin_mask(LayerBuilder& b, const std::string& title, const std::string& says) {
  std::string words = mask_words(b.layer);
  const bool local = b.layer.local != Local::none;
  if (words.empty() && !local) return words;
  append_centres(b);
  b.begin_step(title, says);
  if (!words.empty()) b.places.mask = append_mask(b, append_painted_mask(b));
  if (local) {
    words += (words.empty() ? "beyond D = " : " or beyond D = ") + std::to_string(b.layer.local_reach);
    b.places.mask = append_local_mask(b, b.places.mask, words);
  }
  return words;
}

StageIndex masked(LayerBuilder& b, StageIndex scores) {
  if (b.layer.mask_at == MaskAt::after) return scores;
  const std::string words = begin_mask(b, "masked", "keys that a query must not see are struck out");
  if (words.empty()) return scores;
  Stage filled = b.pair("masked", words, MaskFill{b.layer.fill}, {scores, *b.places.mask},
                        "how much %r looks at %c, as far as the mask allows");
  filled.mask = b.places.mask;
  b.places.masked = b.add(std::move(filled));
  b.formula.push_back({"+ mask", {*b.places.mask, *b.places.masked}});
  return *b.places.masked;
}

}  // namespace

Scale score_scale(const LayerSpec& layer, std::size_t columns) {
  Scale scale{.factor = 1, .text = "1"};
  if (layer.scale.mode == ScaleMode::sqrt)
    scale = {.factor = 1 / std::sqrt(static_cast<double>(columns)), .text = "1/√" + std::to_string(columns)};
  else if (layer.scale.mode == ScaleMode::number)
    scale = {.factor = layer.scale.number, .text = number_words(layer.scale.number)};
  // At 0 the softmax is hard, the scores keep their scale.
  if (layer.temperature != 0 && layer.temperature != 1) {
    scale.factor /= layer.temperature;
    scale.text += " ÷ " + number_words(layer.temperature);
  }
  return scale;
}

std::vector<StageNumber> scale_numbers(const LayerSpec& layer, const Scale& scale) {
  const double temperature = layer.temperature;
  std::vector<StageNumber> numbers;
  if (temperature != 0) numbers.push_back({"temperature", -scale.factor / temperature});
  if (layer.scale.mode == ScaleMode::number)
    numbers.push_back({"scale", temperature == 0 ? 1 : 1 / temperature});
  return numbers;
}

StageIndex append_late_mask(LayerBuilder& b, StageIndex weights) {
  constexpr const char* kLate = "masked weights";
  if (b.layer.mask_at == MaskAt::before) return weights;
  const std::string words = begin_mask(b, kLate, "weights of keys that a query must not see become 0");
  if (words.empty()) return weights;
  Stage struck = b.pair("masked_weights", words + " → 0", MaskFill{Fill::zero}, {weights, *b.places.mask},
                        "how much of %c goes into %r, as far as the mask allows");
  struck.title = kLate;
  const Stage& from = b.graph.stages[weights];
  struck.role = Role::weights, struck.range = Range::unit, struck.mask = b.places.mask;
  struck.scores = from.scores, struck.row_total = from.row_total;
  const StageIndex result = b.add(std::move(struck));
  b.formula.push_back({"· (1 − mask)", {*b.places.mask, result}});
  return result;
}

StageIndex append_scores(LayerBuilder& b) {
  const StageIndex scores = masked(b, append_bias(b, capped(b, scaled(b, append_scoring(b)))));
  b.graph.stages[scores].symbol = "S";
  return scores;
}

}  // namespace attn
