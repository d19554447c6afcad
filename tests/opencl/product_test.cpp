// Products whose sums are in float by blocks: as near to the reference as every stage has to be.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/opencl/backend.h"
#include "core/opencl/self_test.h"
#include "core/operations/matmul.h"
#include "core/reference/backend.h"
#include "core/tensor/random.h"
#include "tests/opencl/opened.h"

using namespace attn;
using namespace attn::opencl;

namespace {

constexpr MatMul kInBlocks{.in_blocks = true};

// Softmax of normal scores of this deviation: from nearly equal weights to a few large ones.
Tensor softmax_weights(Shape shape, double deviation) {
  std::vector<float> values(shape.size());
  for (std::size_t row = 0; row < shape.rows; ++row) {
    double sum = 0;
    std::vector<double> e;
    for (std::size_t j = 0; j < shape.columns; ++j)
      sum += e.emplace_back(std::exp(deviation * random_normal(5, row * shape.columns + j)));
    for (std::size_t j = 0; j < shape.columns; ++j)
      values[row * shape.columns + j] = static_cast<float>(e[j] / sum);
  }
  return {shape, std::move(values)};
}

enum class Values { ordinary, far_from_zero, opposite };

// Up to 10; 1000 more; rows that are each other's opposite, so that sums cancel.
Tensor values_up_to_ten(Shape shape, Values kind) {
  std::vector<float> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(std::clamp(4.0 * random_normal(6, i), -10.0, 10.0));
    if (kind == Values::far_from_zero) values[i] += 1000;
    if (kind == Values::opposite && i / shape.columns % 2 == 1) values[i] = -values[i - shape.columns];
  }
  return {shape, std::move(values)};
}

// By how many times what is accepted of a stage of n keys the farthest number is off.
double excess(const Tensor& device, const Tensor64& exact, std::size_t keys) {
  const double relative = 2e-5 * std::max(1.0, std::sqrt(static_cast<double>(keys) / 512));
  double largest = 0;
  for (std::size_t i = 0; i < exact.shape().size(); ++i) {
    const double b = exact.values()[i];
    largest = std::max(largest, std::abs(device.values()[i] - b) / (2e-6 + relative * std::abs(b)));
  }
  return largest;
}

std::vector<Variant> variants(const cl::Device& device) {
  std::vector<Variant> all{{.groups = false, .double_sums = false}, {.groups = true, .double_sums = false}};
  if (best_variant(device).double_sums) all.push_back({.groups = false, .double_sums = true});
  for (Variant& variant : all) variant.most_steps = most_steps_of(device, variant);
  return all;
}

}  // namespace

TEST_CASE("weights times values in float by blocks are within what is accepted of every stage") {
  for (const cl::Device& device : test_devices())
    for (const Variant& variant : variants(device)) {
      Budget budget;
      const auto backend = make_backend(device, variant, budget);
      for (const std::size_t keys : {512, 2048})
        for (const std::size_t width : {8, 20, 64})
          for (const double deviation : {0.0, 1.0, 3.0, 8.0})
            for (const Values kind : {Values::ordinary, Values::far_from_zero, Values::opposite}) {
              const std::vector<Tensor> inputs{softmax_weights({1, 25, keys}, deviation),
                                               values_up_to_ten({1, keys, width}, kind)};
              const std::vector<Tensor64> wide{to_double(inputs[0]), to_double(inputs[1])};
              INFO(keys, " keys, width ", width, ", deviation ", deviation, ", values ",
                   static_cast<int>(kind));
              CHECK(excess(backend->run(kInBlocks, inputs), run_in_double(kInBlocks, wide), keys) <= 1);
            }
    }
}

TEST_CASE("sums are in blocks where they may be and have many terms, and nowhere else") {
  for (const cl::Device& device : test_devices())
    for (const Variant& variant : variants(device)) {
      Budget budget;
      const auto backend = make_backend(device, variant, budget);
      for (const std::size_t terms : {MatMul::kManyTerms - 1, MatMul::kManyTerms}) {
        const std::vector<Tensor> inputs{softmax_weights({1, 25, terms}, 1),
                                         values_up_to_ten({1, terms, 20}, Values::ordinary)};
        const Tensor blocks = backend->run(kInBlocks, inputs), whole = backend->run(MatMul{}, inputs);
        CHECK((blocks == whole) == (terms < MatMul::kManyTerms));
      }
    }
}
