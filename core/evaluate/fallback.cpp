// After its first error a device is not used again: the reference computes that operation and all later ones.
#include "core/evaluate/fallback.h"

#include <algorithm>

#include "core/evaluate/stand_in.h"
#include "core/system/error.h"

namespace attn {
namespace {

class Fallback final : public WithStandIn {
 public:
  using WithStandIn::WithStandIn;

  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    if (!stands()) return now().run(operation, inputs);
    try {
      return now().run(operation, inputs, wanted);
    } catch (const Error& error) {
      const auto out_of_reach = [](const Tensor& input) { return input.held() != nullptr; };
      if (error.fault() != Fault::device || std::ranges::any_of(inputs, out_of_reach)) throw;
      step_in(error.what());
    }
    return now().run(operation, inputs);
  }

 protected:
  void program_failed(const Error& error) override { step_in(error.what()); }
};

}  // namespace

std::unique_ptr<Backend> with_fallback(std::unique_ptr<Backend> device) {
  return std::make_unique<Fallback>(std::move(device));
}

}  // namespace attn
