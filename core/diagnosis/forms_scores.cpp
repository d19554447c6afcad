// Layers whose scores are scaled wrong, whose softmax runs along the wrong axis, or that are rounded.
#include <cmath>

#include "core/diagnosis/mistake_forms.h"

namespace attn::mistake_forms {
namespace {

double factor_of(const LayerSpec& layer) {
  if (layer.scale.mode == ScaleMode::none) return 1;
  if (layer.scale.mode == ScaleMode::number) return layer.scale.number;
  return 1 / std::sqrt(static_cast<double>(head_width(layer)));
}

Forms scaled_by(const LayerSpec& layer, double factor, std::string detail = {}) {
  if (factor == factor_of(layer) || !std::isfinite(factor)) return {};
  return {changed(
      layer,
      [&](LayerSpec& l) {
        l.scale = {ScaleMode::number, factor};
      },
      std::move(detail))};
}

bool has_scale(const LayerSpec& layer) {
  return head_width(layer) > 0 && factor_of(layer) != 1;
}

Forms softmax_over(const LayerSpec& layer, SoftmaxOver over) {
  const bool sums = weighting_text(weighting_of(layer)).total != RowTotal::any;
  if (!sums || layer.softmax_over != SoftmaxOver::keys) return {};
  return {changed(layer, [&](LayerSpec& l) { l.softmax_over = over; })};
}

Forms rounded_to(const LayerSpec& layer, NumberFormat format) {
  if (layer.precision != NumberFormat::float32) return {};
  return {changed(layer, [&](LayerSpec& l) { l.precision = format; })};
}

}  // namespace

Forms no_scale(const LayerSpec& layer, const GivenNumbers&) {
  if (!has_scale(layer)) return {};
  return {changed(layer, [](LayerSpec& l) { l.scale.mode = ScaleMode::none; })};
}

Forms scale_by_d_k(const LayerSpec& layer, const GivenNumbers&) {
  return has_scale(layer) ? scaled_by(layer, 1 / static_cast<double>(head_width(layer))) : Forms{};
}

Forms scale_twice(const LayerSpec& layer, const GivenNumbers&) {
  const double factor = factor_of(layer);
  return has_scale(layer) ? scaled_by(layer, factor * factor) : Forms{};
}

Forms scale_by_model_width(const LayerSpec& layer, const GivenNumbers&) {
  if (!has_scale(layer)) return {};
  const auto by_width = [&](std::size_t width) {
    return scaled_by(layer, 1 / std::sqrt(static_cast<double>(width)), "√" + std::to_string(width));
  };
  const std::size_t side_by_side = head_count(layer) * head_width(layer);
  Forms forms = by_width(side_by_side);
  if (!layer.direct && layer.x.columns() != side_by_side)
    for (MistakenLayer& form : by_width(layer.x.columns())) forms.push_back(std::move(form));
  return forms;
}

Forms soft_cap_forgotten(const LayerSpec& layer, const GivenNumbers&) {
  if (layer.soft_cap == 0) return {};
  return {changed(layer, [](LayerSpec& l) { l.soft_cap = 0; })};
}

Forms softmax_over_queries(const LayerSpec& layer, const GivenNumbers&) {
  return softmax_over(layer, SoftmaxOver::queries);
}

Forms softmax_over_heads(const LayerSpec& layer, const GivenNumbers&) {
  return head_count(layer) > 1 ? softmax_over(layer, SoftmaxOver::heads) : Forms{};
}

Forms float16(const LayerSpec& layer, const GivenNumbers&) {
  return rounded_to(layer, NumberFormat::float16);
}

Forms bfloat16(const LayerSpec& layer, const GivenNumbers&) {
  return rounded_to(layer, NumberFormat::bfloat16);
}

}  // namespace attn::mistake_forms
