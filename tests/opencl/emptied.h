// A device that computes wrong numbers from some operation on.
#pragma once

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/reference/backend.h"

namespace attn::tests {

// The reference under a device's name; with the last row of its matrix products empty, as where a driver
// leaves a loop early, from the `damaged`th on.
class Emptied : public Backend {
 public:
  explicit Emptied(int damaged) : damaged_(damaged) {}
  std::string name() const override { return "emptied"; }

  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    std::vector<Tensor> here;
    for (const Tensor& input : inputs) here.push_back(input.held() ? left_.at(input.id()) : input);
    const Tensor right = reference_->run(operation, here);
    std::vector<float> values(right.values().begin(), right.values().end());
    if (std::holds_alternative<MatMul>(operation) && --damaged_ <= 0)
      std::fill(values.end() - static_cast<std::ptrdiff_t>(right.columns()), values.end(), 0.0f);
    if (std::holds_alternative<Source>(operation)) return right;
    const Tensor result(right.shape(), std::move(values));
    if (wanted == Numbers::here) return result;
    const Tensor there = Tensor::on_device(result.shape(), std::make_shared<int>(0));
    left_.insert_or_assign(there.id(), there.brought_here({result.values().begin(), result.values().end()}));
    return there;
  }
  TimedTensor read(const Tensor& tensor) override { return {left_.at(tensor.id())}; }

 private:
  int damaged_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
  std::unordered_map<TensorId, Tensor> left_;
};

}  // namespace attn::tests
