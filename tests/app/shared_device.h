// One device for many windows, one after the other: to open it anew, the driver goes through the source of
// every kernel again, which takes longer than what a window computes.
#pragma once

#include <memory>
#include <utility>

#include "core/backend/backend.h"

namespace attn::tests {

// All that it is asked it passes on.
class SharedDevice : public Backend {
 public:
  explicit SharedDevice(std::shared_ptr<Backend> device) : device_(std::move(device)) {}

  std::string name() const override { return device_->name(); }
  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    return device_->run(operation, inputs, wanted);
  }
  TimedTensor read(const Tensor& tensor) override { return device_->read(tensor); }
  void finish() override { device_->finish(); }
  void forget(const Tensor& tensor) override { device_->forget(tensor); }
  std::unique_ptr<Program> compile(const Graph& graph, std::span<const StageIndex> kept) override {
    return device_->compile(graph, kept);
  }
  Drill drill(DrillKind kind) override { return device_->drill(kind); }
  DeviceFacts facts() const override { return device_->facts(); }
  bool copies_here() const override { return device_->copies_here(); }
  std::string failure() const override { return device_->failure(); }
  std::size_t held_bytes() const override { return device_->held_bytes(); }
  std::optional<std::uint64_t> oldest_use() const override { return device_->oldest_use(); }
  void release_oldest() override { device_->release_oldest(); }

 private:
  std::shared_ptr<Backend> device_;
};

}  // namespace attn::tests
