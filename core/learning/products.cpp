// The products of a step of training, by its model's sizes.
#include "core/learning/training.h"
#include "core/tensor/random.h"

namespace attn {
namespace {

struct ProductBuilder {
  Graph graph = {};

  StageIndex given(const Shape& shape) {
    std::vector<float> numbers(shape.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = random_uniform(graph.stages.size(), i) - 0.5f;
    return add(Source{Tensor(shape, std::move(numbers))}, {});
  }
  StageIndex add(Operation operation, std::vector<StageIndex> inputs) {
    const std::string id = "p" + std::to_string(graph.stages.size());
    return graph.add({.id = id,
                      .title = id,
                      .formula = {},
                      .operation = std::move(operation),
                      .inputs = std::move(inputs)});
  }
  // x·Wᵀ, g·W and gᵀ·x.
  void linear(std::size_t rows, std::size_t in, std::size_t out) {
    const StageIndex x = given({1, rows, in}), w = given({1, out, in}), g = given({1, rows, out});
    add(MatMul{.transpose_right = true, .in_float = true}, {x, w});
    add(MatMul{.in_float = true}, {g, w});
    add(MatMul{.transpose_left = true, .in_float = true}, {g, x});
  }
  // Q·Kᵀ and A·V; dO·Vᵀ, Aᵀ·dO, dS·K and dSᵀ·Q.
  void attention(std::size_t matrices, std::size_t queries, std::size_t keys, std::size_t width) {
    const StageIndex q = given({matrices, queries, width}), k = given({matrices, keys, width}),
                     a = given({matrices, queries, keys});
    for (int i = 0; i < 2; ++i) {
      add(MatMul{.transpose_right = true, .in_float = true}, {q, k});
      add(MatMul{.in_float = true}, {a, k});
      add(MatMul{.transpose_left = true, .in_float = true}, {a, q});
    }
  }
};

}  // namespace

Graph products_of(const TrainingSpec& spec) {
  ProductBuilder b;
  b.graph.begin_part({});
  const TrainingModel& m = spec.model;
  const std::size_t source = length_of(spec.task), matrices = spec.batch * m.heads;
  const bool both = m.sides == TrainingSides::both;
  std::size_t length = source, rows = spec.batch * length;
  for (std::size_t layer = 0; layer < (both ? 2 : 1) * m.layers; ++layer) {
    const bool cross = layer >= m.layers;
    if (cross) length = answers_of(spec.task), rows = spec.batch * length;
    b.linear(rows, m.width, 3 * m.width), b.linear(rows, m.width, m.width);
    b.attention(matrices, length, length, m.width / m.heads);
    if (cross) {
      b.linear(rows, m.width, m.width), b.linear(spec.batch * source, m.width, 2 * m.width),
          b.linear(rows, m.width, m.width);
      b.attention(matrices, length, source, m.width / m.heads);
    }
    if (m.inner > 0) b.linear(rows, m.width, m.inner), b.linear(rows, m.inner, m.width);
  }
  b.linear(rows, m.width, vocabulary_of(m, spec.task));
  return std::move(b.graph);
}

}  // namespace attn
