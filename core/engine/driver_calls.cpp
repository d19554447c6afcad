// A backend around another. What takes long because it is much is given time by its multiply-adds.
#include "core/engine/driver_calls.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/checks/comparison.h"

namespace attn {
namespace {

constexpr double kSlowest = 1e8;  // multiply-adds a second of a device that is worth waiting for

// What a device is asked for takes time by its multiply-adds; whoever waits for one result waits for all that
// was asked for before it.
void allow(DriverCalls* calls, double operations) {
  calls->allowance = calls->allowance + operations / kSlowest;
}
// When the call has ended: else who looks between takes it for silent.
void allow_nothing(DriverCalls* calls) {
  calls->allowance = 0;
}

class MonitoredProgram final : public Program {
 public:
  MonitoredProgram(std::unique_ptr<Program> device, const Graph& graph, DriverCalls* calls)
      : Program(graph), device_(std::move(device)), calls_(calls) {
    for (StageIndex i = 0; i < graph.stages.size(); ++i) operations_.push_back(operation_count(graph, i));
  }
  ~MonitoredProgram() override {
    const DriverCall call(calls_);
    device_.reset();
  }

  void run(StageIndex stage) override {
    allow(calls_, operations_[stage]);
    const DriverCall call(calls_);
    device_->run(stage);
  }
  void set(StageIndex stage, const Operation& operation) override {
    const DriverCall call(calls_);
    device_->set(stage, operation);
  }
  Tensor read(StageIndex stage, const Region& block) override {
    const DriverCall call(calls_);
    return device_->read(stage, block);
  }

 private:
  std::unique_ptr<Program> device_;
  std::vector<double> operations_;
  DriverCalls* calls_;
};

class MonitoredBackend final : public Backend {
 public:
  MonitoredBackend(std::unique_ptr<Backend> device, DriverCalls* calls)
      : device_(std::move(device)), calls_(calls) {}
  ~MonitoredBackend() override {
    const DriverCall call(calls_);
    device_.reset();
  }

  std::string name() const override { return device_->name(); }
  std::string failure() const override { return device_->failure(); }
  bool copies_here() const override { return device_->copies_here(); }

  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    std::vector<Shape> shapes;
    for (const Tensor& input : inputs) shapes.push_back(input.shape());
    allow(calls_, operation_count(operation, shapes));
    Tensor result = [&] {
      const DriverCall call(calls_);
      return device_->run(operation, inputs, wanted);
    }();
    if (wanted == Numbers::here) allow_nothing(calls_);
    return result.held() ? let_go_in_a_call(std::move(result)) : result;
  }
  TimedTensor read(const Tensor& tensor) override {
    const DriverCall call(calls_);
    return device_->read(tensor);
  }
  void finish() override {
    {
      const DriverCall call(calls_);
      device_->finish();
    }
    allow_nothing(calls_);
  }
  std::unique_ptr<Program> compile(const Graph& graph, std::span<const StageIndex> kept) override {
    const DriverCall call(calls_);
    return std::make_unique<MonitoredProgram>(device_->compile(graph, kept), graph, calls_);
  }
  void forget(const Tensor& tensor) override {
    const DriverCall call(calls_);
    device_->forget(tensor);
  }
  Drill drill(DrillKind kind) override { return device_->drill(kind); }
  DeviceFacts facts() const override { return device_->facts(); }
  std::size_t held_bytes() const override { return device_->held_bytes(); }
  std::optional<std::uint64_t> oldest_use() const override { return device_->oldest_use(); }
  void release_oldest() override {
    const DriverCall call(calls_);
    device_->release_oldest();
  }

 private:
  Tensor let_go_in_a_call(Tensor result) {
    const Shape shape = result.shape();
    const void* const held = result.held();
    auto let_go = [calls = calls_, result = std::move(result)](const void*) mutable {
      const DriverCall call(calls);
      result = {};
    };
    return Tensor::on_device(shape, std::shared_ptr<const void>(held, std::move(let_go)));
  }

  std::unique_ptr<Backend> device_;
  DriverCalls* calls_;
};

}  // namespace

DriverCall::DriverCall(DriverCalls* calls) : calls_(calls) {
  if (!calls_) return;
  ++calls_->begun;
  ++calls_->under_way;
}

DriverCall::~DriverCall() {
  if (calls_) --calls_->under_way;
}

void name_device(DriverCalls* calls, std::string_view device) {
  if (!calls) return;
  const std::size_t size = std::min(device.size(), calls->device.size() - 1);
  std::copy_n(device.begin(), size, calls->device.begin());
  calls->device[size] = '\0';
}

std::unique_ptr<Backend> with_monitored_calls(std::unique_ptr<Backend> device, DriverCalls* calls) {
  if (!calls) return device;
  return std::make_unique<MonitoredBackend>(std::move(device), calls);
}

}  // namespace attn
