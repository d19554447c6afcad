// The device's buffers go with it: it may have failed for want of memory.
#include "core/fallback.h"

#include <algorithm>

#include "core/error.h"
#include "core/reference/backend.h"

namespace attn {
namespace {

class Fallback final : public Backend {
 public:
  explicit Fallback(std::unique_ptr<Backend> device) : device_(std::move(device)) {}

  std::string name() const override { return now().name(); }
  std::string failure() const override { return failure_; }
  bool copies_here() const override { return now().copies_here(); }

  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    if (!device_) return reference_->run(operation, inputs);
    try {
      return device_->run(operation, inputs, wanted);
    } catch (const Error& error) {
      const auto out_of_reach = [](const Tensor& input) { return input.held() != nullptr; };
      if (error.fault() != Fault::device || std::ranges::any_of(inputs, out_of_reach)) throw;
      failure_ = std::string("computing on the reference instead: ") + error.what();
    }
    device_.reset();
    return reference_->run(operation, inputs);
  }

  // Nobody can step in for what only the device has.
  Computed read(const Tensor& tensor) override { return now().read(tensor); }
  void finish() override { now().finish(); }
  void forget(const Tensor& tensor) override { now().forget(tensor); }
  Drill drill(DrillKind kind) override { return now().drill(kind); }
  DeviceFacts facts() const override { return now().facts(); }
  std::size_t held_bytes() const override { return now().held_bytes(); }
  std::optional<std::uint64_t> oldest_use() const override { return now().oldest_use(); }
  void release_oldest() override { now().release_oldest(); }

 private:
  Backend& now() const { return device_ ? *device_ : *reference_; }

  std::unique_ptr<Backend> device_;  // none once it has failed
  std::unique_ptr<Backend> reference_ = make_reference_backend();
  std::string failure_;
};

}  // namespace

std::unique_ptr<Backend> with_fallback(std::unique_ptr<Backend> device) {
  return std::make_unique<Fallback>(std::move(device));
}

}  // namespace attn
