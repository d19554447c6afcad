// Normal numbers, each matrix from where the one before ended.
#include "core/measure/measured_layer.h"

#include <cmath>
#include <random>

namespace attn {
namespace {

Tensor normal(std::mt19937& random, Shape shape, float deviation) {
  std::normal_distribution<float> distribution(0, deviation);
  std::vector<float> values(shape.size());
  for (float& v : values) v = distribution(random);
  return {shape, std::move(values)};
}

}  // namespace

Tensor measured_numbers(Shape shape) {
  std::mt19937 random(2);
  return normal(random, shape, 1);
}

Document measured_layer(std::size_t tokens, std::size_t width, std::size_t heads) {
  std::mt19937 random(1);
  const auto projection = [&] {
    return normal(random, {1, width, width}, 1 / std::sqrt(static_cast<float>(width)));
  };
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = normal(random, {1, tokens, width}, 1);
  layer.w_q = projection(), layer.w_k = projection();
  layer.w_v = projection(), layer.w_o = projection();
  layer.heads = layer.kv_heads = heads;
  return document;
}

}  // namespace attn
