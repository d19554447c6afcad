// The OpenCL backend: operations go to their families, errors become words.
#include "core/opencl/backend.h"

#include "core/opencl/drill.h"
#include "core/opencl/families.h"
#include "core/opencl/program.h"
#include "core/reference/backend.h"

namespace attn::opencl {
namespace {

// Processors, and graphics that have no memory of their own.
bool shares_memory(const cl::Device& device) {
  return !is_gpu(device) || device.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>() != 0;
}

struct Runner {
  Workbench& bench;
  Inputs inputs;

  // A matrix the user gave is its own result: nothing to compute, and it reaches the device when something
  // reads it.
  Tensor operator()(const Source& op) const { return op.tensor; }
  Tensor operator()(const auto& op) const { return run(bench, op, inputs); }
};

class OpenClBackend final : public Backend {
 public:
  OpenClBackend(const cl::Device& device, Variant variant, Budget& budget)
      : device_(std::make_shared<OpenDevice>(device, variant, budget)),
        shares_memory_(shares_memory(device)) {}

  std::string name() const override { return device_->name; }
  bool copies_here() const override { return shares_memory_ && !device_->buffers.in_place(); }

  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    try {
      return device_->in_words(attn::name(operation), [&] {
        device_->bench.results_wanted(runs_all_loops() ? wanted : Numbers::here);
        return device_->run(operation, inputs);
      });
    } catch (const LoopTooLong&) {  // the inputs are here, as are all results of such a device
      return reference_->run(operation, inputs);
    }
  }

  TimedTensor read(const Tensor& tensor) override {
    if (!tensor.held()) return {tensor};
    return device_->in_words("reading a result back", [&] { return device_->bench.read(tensor); });
  }

  // A launch returns before it has run: what goes wrong in it is told here, or by the next result read back.
  void finish() override {
    device_->in_words("finishing", [&] { device_->context.queue().finish(); });
    device_->buffers.finished();
  }
  void forget(const Tensor& tensor) override { device_->buffers.release(tensor.id()); }

  std::unique_ptr<Program> compile(const Graph& graph, std::span<const StageIndex> kept) override {
    return runs_all_loops() ? make_program(device_, graph, kept) : run_by_stage(*this, graph, kept);
  }

  Drill drill(DrillKind kind) override {
    const auto in_words = [device = device_](const auto& work) { device->in_words("measuring", work); };
    Drill made;
    in_words([&] { made = make_drill(device_->bench, device_->buffers, kind); });
    if (!made.run) return made;
    made.run = [in_words, run = made.run](std::size_t passes) { in_words([&] { run(passes); }); };
    made.check = [in_words, check = made.check] { in_words([&] { check(); }); };
    return made;
  }
  DeviceFacts facts() const override { return facts_of(device_->context, shares_memory_); }

  std::size_t held_bytes() const override { return device_->buffers.bytes(); }
  std::optional<std::uint64_t> oldest_use() const override { return device_->buffers.oldest_use(); }
  void release_oldest() override { device_->buffers.release_oldest(); }

 private:
  bool runs_all_loops() const { return device_->context.variant().most_steps == kEndless; }

  std::shared_ptr<OpenDevice> device_;
  bool shares_memory_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

}  // namespace

Tensor OpenDevice::run(const Operation& operation, Inputs inputs) {
  return std::visit(Runner{bench, inputs}, operation);
}

std::unique_ptr<Backend> make_backend(const cl::Device& device, Variant variant, Budget& budget) {
  try {
    return std::make_unique<OpenClBackend>(device, variant, budget);
  } catch (const cl::Error& error) {
    throw device_error(device_name(device), "opening", error);
  }
}

}  // namespace attn::opencl
