// The list of changes, each with its way back.
#include "core/edits/layer_changes.h"

#include <algorithm>
#include <array>

namespace attn {
namespace {

std::string always(const LayerSpec&) {
  return {};
}

template <int Temperature>
LayerChange temperature(std::string_view word, std::string_view title, std::string_view sentence) {
  return {.word = word,
          .title = title,
          .sentence = sentence,
          .is_made = [](const LayerSpec& layer) { return layer.temperature == Temperature; },
          .obstacle = [](const LayerSpec& layer) -> std::string {
            return weighting_of(layer) == Weighting::hard && layer.temperature != 0 ? "weights are hard" : "";
          },
          .make = [](LayerAt in) { in.layer().temperature = Temperature; },
          .take_back =
              [](LayerAt in, const LayerSpec& as) {
                in.layer().temperature = as.temperature == Temperature ? 1 : as.temperature;
              }};
}

LayerChange scale_off() {
  return {.word = "scale-off",
          .title = "scale off",
          .sentence = "scores are not divided by √d_k: the softmax saturates as d_k grows",
          .is_made = [](const LayerSpec& layer) { return layer.scale.mode == ScaleMode::none; },
          .obstacle = always,
          .make = [](LayerAt in) { in.layer().scale.mode = ScaleMode::none; },
          .take_back =
              [](LayerAt in, const LayerSpec& as) {
                in.layer().scale.mode = as.scale.mode == ScaleMode::none ? ScaleMode::sqrt : as.scale.mode;
              }};
}

bool has_none(const LayerSpec& layer) {
  return std::holds_alternative<NoPosition>(layer.position);
}

LayerChange no_positions() {
  return {
      .word = "no-positions",
      .title = "no positions",
      .sentence = "tokens do not know their place: without a mask their order changes nothing",
      .is_made = [](const LayerSpec& layer) { return has_none(layer); },
      .obstacle = [](const LayerSpec& layer) -> std::string { return has_none(layer) ? "none in use" : ""; },
      .make = [](LayerAt in) { in.layer().position = NoPosition{}; },
      .take_back = [](LayerAt in, const LayerSpec& as) { in.layer().position = as.position; }};
}

// De Morgan: of what is not masked, every rule negated and AND for OR. Global tokens free rules that are
// negated too; what they leave cannot be said by turning rules round.
std::vector<MaskTerm> inverted(std::vector<MaskTerm> masks) {
  for (MaskTerm& term : masks) {
    term.negated = !term.negated;
    if (&term != &masks.front()) term.join = term.join == Join::any ? Join::all : Join::any;
  }
  return masks;
}

bool has_global(const LayerSpec& layer) {
  return find_rule<GlobalRule>(layer) != nullptr;
}

// Inverted: the first rule is negated, which nobody means by a mask of its own.
bool is_inverted(const LayerSpec& layer) {
  return !layer.masks.empty() && layer.masks.front().negated;
}

LayerChange mask_inverted() {
  return {.word = "mask-inverted",
          .title = "mask inverted",
          .sentence = "true for false: only what should be hidden is seen",
          .is_made = is_inverted,
          .obstacle = [](const LayerSpec& layer) -> std::string {
            if (has_global(layer)) return "not with global tokens";
            if (!layer.mask.empty()) return "not of a painted mask";
            return layer.masks.empty() ? "no mask" : "";
          },
          .make = [](LayerAt in) { in.layer().masks = inverted(in.layer().masks); },
          .take_back = [](LayerAt in, const LayerSpec&) { in.layer().masks = inverted(in.layer().masks); }};
}

bool is_unmasked(const LayerSpec& layer) {
  return layer.masks.empty() && layer.mask.empty();
}

LayerChange mask_forgotten() {
  return {
      .word = "mask-off",
      .title = "mask off",
      .sentence = "the mask is forgotten: queries see keys that they should not",
      .is_made = [](const LayerSpec& layer) { return is_unmasked(layer); },
      .obstacle = [](const LayerSpec& layer) -> std::string { return is_unmasked(layer) ? "no mask" : ""; },
      .make = [](LayerAt in) { in.layer().masks.clear(), in.layer().mask = {}; },
      .take_back = [](LayerAt in,
                      const LayerSpec& as) { in.layer().masks = as.masks, in.layer().mask = as.mask; }};
}

bool hides_keys(const LayerSpec& layer) {
  return !is_unmasked(layer) || layer.local != Local::none;
}

LayerChange mask_after_softmax() {
  return {
      .word = "mask-after-softmax",
      .title = "mask after softmax",
      .sentence = "masked weights become 0 after the softmax: rows no longer add up to 1",
      .is_made = [](const LayerSpec& layer) { return layer.mask_at == MaskAt::after; },
      .obstacle = [](const LayerSpec& layer) -> std::string { return hides_keys(layer) ? "" : "no mask"; },
      .make = [](LayerAt in) { in.layer().mask_at = MaskAt::after; },
      .take_back = [](LayerAt in, const LayerSpec&) { in.layer().mask_at = MaskAt::before; }};
}

// The first causal rule.
void see_ahead(LayerSpec& layer, std::size_t keys) {
  if (const CausalRule* rule = find_rule<CausalRule>(layer))
    set_rule(layer, std::optional(CausalRule{rule->align, rule->offset, keys}));
}

LayerChange off_by_one() {
  return {.word = "off-by-one",
          .title = "off by one",
          .sentence = "the causal mask begins one key late: each query also sees the next key",
          .is_made =
              [](const LayerSpec& layer) {
                const CausalRule* rule = find_rule<CausalRule>(layer);
                return rule && rule->ahead > 0;
              },
          .obstacle = [](const LayerSpec& layer) -> std::string {
            return find_rule<CausalRule>(layer) ? "" : "no causal mask";
          },
          .make = [](LayerAt in) { see_ahead(in.layer(), 1); },
          .take_back = [](LayerAt in, const LayerSpec&) { see_ahead(in.layer(), 0); }};
}

LayerChange softmax_over_queries() {
  return {.word = "softmax-over-queries",
          .title = "softmax over queries",
          .sentence = "the wrong axis: each key's weights add up to 1 instead of each query's",
          .is_made = [](const LayerSpec& layer) { return layer.softmax_over == SoftmaxOver::queries; },
          .obstacle = [](const LayerSpec& layer) -> std::string {
            const bool apart = weighting_text(weighting_of(layer)).total == RowTotal::any;
            return apart ? "each weight by itself" : "";
          },
          .make = [](LayerAt in) { in.layer().softmax_over = SoftmaxOver::queries; },
          .take_back = [](LayerAt in, const LayerSpec&) { in.layer().softmax_over = SoftmaxOver::keys; }};
}

LayerChange causal() {
  return {
      .word = "causal",
      .title = "causal mask",
      .sentence = "no query sees a later key",
      .is_made = [](const LayerSpec& layer) { return find_rule<CausalRule>(layer) != nullptr; },
      .obstacle = always,
      .make = [](LayerAt in) { set_rule(in.layer(), std::optional(CausalRule{})); },
      .take_back = [](LayerAt in, const LayerSpec&) { set_rule(in.layer(), std::optional<CausalRule>()); }};
}

LayerChange one_head_less() {
  return {.word = "head-off",
          .title = "one head less",
          .sentence = "the last head adds zeros",
          .is_made = [](const LayerSpec& layer) { return !layer.muted_heads.empty(); },
          .obstacle = [](const LayerSpec& layer) -> std::string {
            return head_count(layer) == 1 ? "A has only one" : "";
          },
          .make = [](LayerAt in) { in.layer().muted_heads = {head_count(in.layer()) - 1}; },
          .take_back = [](LayerAt in, const LayerSpec&) { in.layer().muted_heads.clear(); }};
}

LayerChange float16() {
  return {.word = "float16",
          .title = "float16",
          .sentence = "every number is rounded to float16",
          .is_made = [](const LayerSpec& layer) { return layer.precision == NumberFormat::float16; },
          .obstacle = always,
          .make = [](LayerAt in) { in.layer().precision = NumberFormat::float16; },
          .take_back =
              [](LayerAt in, const LayerSpec& as) {
                in.layer().precision =
                    as.precision == NumberFormat::float16 ? NumberFormat::float32 : as.precision;
              }};
}

}  // namespace

std::span<const LayerChange> mistakes() {
  static const std::array kAll{scale_off(),
                               temperature<10>("temperature-10", "temperature 10",
                                               "scores are divided by 10: every key gets much the same"),
                               mask_forgotten(),
                               mask_inverted(),
                               off_by_one(),
                               no_positions(),
                               mask_after_softmax(),
                               softmax_over_queries()};
  return kAll;
}

std::span<const LayerChange> differences() {
  static const std::array kAll{
      causal(),
      mask_forgotten(),
      temperature<3>("temperature-3", "T = 3", "scores are divided by 3: softer weights"),
      scale_off(),
      no_positions(),
      one_head_less(),
      float16()};
  return kAll;
}

const LayerChange* find_change(std::span<const LayerChange> changes, std::string_view word) {
  const auto found = std::ranges::find(changes, word, &LayerChange::word);
  return found == changes.end() ? nullptr : &*found;
}

}  // namespace attn
