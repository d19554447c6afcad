// A backend that counts what it holds.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/reference/backend.h"

namespace attn::tests {

// The reference, with the bytes of all results that have not been let go.
class Counting : public Backend {
 public:
  std::string name() const override { return "counting"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    for (const Tensor& input : inputs) CHECK(!gone.contains(input.id()));
    kept_there += wanted == Numbers::there;
    Tensor result = reference_->run(operation, inputs);
    if (std::holds_alternative<Source>(operation)) return result;
    all += result.bytes();
    held[result.id()] = result.bytes();
    std::size_t sum = 0;
    for (const auto& [id, bytes] : held) sum += bytes;
    most = std::max(most, sum);
    return result;
  }
  void finish() override { ++finished; }
  void forget(const Tensor& tensor) override {
    held.erase(tensor.id());
    gone.insert(tensor.id());
  }

  std::map<TensorId, std::size_t> held;
  std::set<TensorId> gone;
  std::size_t all = 0, most = 0, kept_there = 0, finished = 0;

 private:
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

}  // namespace attn::tests
