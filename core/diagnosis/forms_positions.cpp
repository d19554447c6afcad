// Layers that tell their tokens wrong where they stand.
#include <cstdlib>

#include "core/diagnosis/mistake_forms.h"
#include "core/operations/matmul.h"
#include "core/text/text.h"

namespace attn::mistake_forms {
namespace {

const Rotary* rotary_of(const LayerSpec& layer) {
  return std::get_if<Rotary>(&layer.position);
}

// How code turns pairs of features that lie so.
std::string pairing_code(Pairing pairing) {
  const std::string turned = "(x1 * cos - x2 * sin, x1 * sin + x2 * cos), -1)";
  return pairing == Pairing::half ? "x1, x2 = x.chunk(2, dim=-1)  # halves\nout = torch.cat(" + turned
                                  : "x1, x2 = x[..., 0::2], x[..., 1::2]  # neighbours\nout = torch.stack(" +
                                        turned + ".flatten(-2)";
}

std::string base_code(double base) {
  return "inv_freq = " + brief(base) + " ** (-torch.arange(0, d_k, 2) / d_k)";
}

bool counts(const Position& position) {
  return is_added(position) || std::holds_alternative<Rotary>(position);
}

// ALiBi with other slopes, as what is added to the scores besides what is there: slope(head)·|i − j|.
template <class Slope>
void give_slopes(LayerSpec& layer, Slope slope) {
  const std::size_t h = head_count(layer), n = query_count(layer), m = key_count(layer);
  const std::ptrdiff_t first = first_place(layer.masks, n, m);
  std::vector<float> values;
  values.reserve(h * n * m);
  for (std::size_t r = 0; r < h; ++r)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j) {
        const std::ptrdiff_t apart =
            std::abs(first + static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(j));
        double value = slope(r) * static_cast<double>(apart);
        if (!layer.bias.empty())
          value += static_cast<double>(layer.bias[{shared_matrix(r, layer.bias.stack(), h), i, j}]);
        values.push_back(static_cast<float>(value));
      }
  layer.position = NoPosition{};
  layer.bias = Tensor({h, n, m}, std::move(values));
}

}  // namespace

Forms rope_forgotten(const LayerSpec& layer, const GivenNumbers&) {
  if (!rotary_of(layer)) return {};
  return {changed(layer, [](LayerSpec& l) { l.position = NoPosition{}; })};
}

Forms rope_pairing(const LayerSpec& layer, const GivenNumbers&) {
  const Rotary* rotary = rotary_of(layer);
  if (!rotary) return {};
  Rotary other = *rotary;
  other.pairing = rotary->pairing == Pairing::half ? Pairing::neighbour : Pairing::half;
  Forms forms{changed(
      layer, [&](LayerSpec& l) { l.position = other; },
      other.pairing == Pairing::half ? "yours: halves" : "yours: neighbours")};
  forms[0].fix = Fix{pairing_code(other.pairing), pairing_code(rotary->pairing)};
  return forms;
}

Forms rope_base(const LayerSpec& layer, const GivenNumbers&) {
  const Rotary* rotary = rotary_of(layer);
  if (!rotary) return {};
  struct Base {
    double value;
    const char* words;
  };
  Forms forms;
  for (const Base& base : {Base{10000, "base 10,000"}, Base{500000, "base 500,000"}}) {
    if (rotary->base == base.value) continue;
    Rotary other = *rotary;
    other.base = base.value;
    forms.push_back(changed(
        layer, [&](LayerSpec& l) { l.position = other; }, base.words));
    forms.back().fix = Fix{base_code(base.value), base_code(rotary->base)};
  }
  return forms;
}

Forms rope_on_values(const LayerSpec& layer, const GivenNumbers&) {
  if (!rotary_of(layer) || layer.rope_on_values) return {};
  return {changed(layer, [](LayerSpec& l) { l.rope_on_values = true; })};
}

Forms positions_from_1(const LayerSpec& layer, const GivenNumbers&) {
  if (!counts(layer.position)) return {};
  return {changed(layer, [](LayerSpec& l) { ++l.first_position; })};
}

Forms positions_forgotten(const LayerSpec& layer, const GivenNumbers&) {
  Forms forms;
  if (!std::holds_alternative<NoPosition>(layer.position) && !rotary_of(layer))
    forms.push_back(changed(layer, [](LayerSpec& l) { l.position = NoPosition{}; }));
  if (!layer.bias.empty())
    forms.push_back(changed(
        layer, [](LayerSpec& l) { l.bias = Tensor(); }, "the bias that is given"));
  return forms;
}

Forms positions_twice(const LayerSpec& layer, const GivenNumbers&) {
  if (std::holds_alternative<NoPosition>(layer.position) || layer.position_twice) return {};
  return {changed(layer, [](LayerSpec& l) { l.position_twice = true; })};
}

Forms alibi_sign(const LayerSpec& layer, const GivenNumbers&) {
  if (!std::holds_alternative<Alibi>(layer.position)) return {};
  const std::size_t heads = head_count(layer);
  return {changed(layer, [heads](LayerSpec& l) {
    give_slopes(l, [heads](std::size_t r) { return alibi_slope(r, heads); });
  })};
}

Forms alibi_no_slope(const LayerSpec& layer, const GivenNumbers&) {
  if (!std::holds_alternative<Alibi>(layer.position)) return {};
  return {changed(layer, [](LayerSpec& l) { give_slopes(l, [](std::size_t) { return -1.0; }); })};
}

Forms qk_norm_forgotten(const LayerSpec& layer, const GivenNumbers&) {
  if (!layer.qk_norm) return {};
  return {changed(layer, [](LayerSpec& l) { l.qk_norm = false; })};
}

Forms qk_norm_after_rope(const LayerSpec& layer, const GivenNumbers&) {
  if (!layer.qk_norm || layer.qk_norm_last || !rotary_of(layer)) return {};
  return {changed(layer, [](LayerSpec& l) { l.qk_norm_last = true; })};
}

}  // namespace attn::mistake_forms
