// A backend that the reference steps in for: what those have in common who decide when.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/backend/backend.h"
#include "core/reference/backend.h"
#include "core/system/error.h"

namespace attn {

class WithStandIn : public Backend {
 public:
  explicit WithStandIn(std::unique_ptr<Backend> device) : device_(std::move(device)) {}

  std::string name() const override { return now().name(); }
  std::string failure() const override { return device_ ? device_->failure() : failure_; }
  bool copies_here() const override { return now().copies_here(); }
  // Nobody can step in for what only the device has.
  TimedTensor read(const Tensor& tensor) override { return now().read(tensor); }
  void finish() override { now().finish(); }
  void forget(const Tensor& tensor) override { now().forget(tensor); }
  std::unique_ptr<Program> compile(const Graph& graph, std::span<const StageIndex> kept) override;
  Drill drill(DrillKind kind) override { return now().drill(kind); }
  DeviceFacts facts() const override { return now().facts(); }
  std::size_t held_bytes() const override { return now().held_bytes(); }
  std::optional<std::uint64_t> oldest_use() const override { return now().oldest_use(); }
  void release_oldest() override { now().release_oldest(); }

 protected:
  class DeviceProgram;
  // A program of the device's threw an error of the device, and is done for.
  virtual void program_failed(const Error&) {}
  bool stands() const { return device_ != nullptr; }
  Backend& now() const { return device_ ? *device_ : *reference_; }
  // From here on the reference computes. The device's buffers go with it: it may have failed for want of
  // memory.
  void step_in(const std::string& why) {
    failure_ = "computing on the reference instead: " + why;
    device_.reset();
  }

 private:
  std::unique_ptr<Backend> device_;  // none once the reference computes in its place
  std::unique_ptr<Backend> reference_ = make_reference_backend();
  std::string failure_;
};

}  // namespace attn
