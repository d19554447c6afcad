// The OpenCL backend: operations go to their families, errors become words.
#include "core/opencl/backend.h"

#include "core/opencl/drill.h"
#include "core/opencl/driver_error.h"
#include "core/opencl/families.h"
#include "core/reference/backend.h"

namespace attn::opencl {
namespace {

DriverError device_error(const std::string& device, const std::string& where, const cl::Error& error) {
  return {device + " failed in " + where + ": " + error_text(error.err()) + " (" + error.what() +
              "). Make the layer smaller, or use the reference",
          error.err()};
}

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
      : name_(device_name(device)),
        copies_here_(shares_memory(device)),
        context_(device, variant),
        buffers_(context_.context(), budget),
        bench_(context_, buffers_) {}

  std::string name() const override { return name_; }
  bool copies_here() const override { return copies_here_; }

  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    try {
      bench_.results_wanted(runs_all_loops() ? wanted : Numbers::here);
      return std::visit(Runner{bench_, inputs}, operation);
    } catch (const LoopTooLong&) {  // the inputs are here, as are all results of such a device
      return reference_->run(operation, inputs);
    } catch (const cl::Error& error) {
      throw device_error(name_, attn::name(operation), error);
    }
  }

  TimedTensor read(const Tensor& tensor) override {
    if (!tensor.held()) return {tensor};
    try {
      return bench_.read(tensor);
    } catch (const cl::Error& error) {
      throw device_error(name_, "reading a result back", error);
    }
  }

  // A launch returns before it has run: what goes wrong in it is told here, or by the next result read back.
  void finish() override {
    try {
      context_.queue().finish();
    } catch (const cl::Error& error) {
      throw device_error(name_, "finishing", error);
    }
  }
  void forget(const Tensor& tensor) override { buffers_.release(tensor.id()); }

  Drill drill(DrillKind kind) override {
    Drill made;
    in_words([&] { made = make_drill(bench_, buffers_, kind); });
    if (!made.run) return made;
    made.run = [this, run = made.run](std::size_t passes) { in_words([&] { run(passes); }); };
    made.check = [this, check = made.check] { in_words([&] { check(); }); };
    return made;
  }
  DeviceFacts facts() const override { return facts_of(context_, copies_here_); }

  std::size_t held_bytes() const override { return buffers_.bytes(); }
  std::optional<std::uint64_t> oldest_use() const override { return buffers_.oldest_use(); }
  void release_oldest() override { buffers_.release_oldest(); }

 private:
  template <class Work>
  void in_words(const Work& work) const {
    try {
      work();
    } catch (const cl::Error& error) {
      throw device_error(name_, "measuring", error);
    }
  }

  bool runs_all_loops() const { return context_.variant().most_steps == kEndless; }

  std::string name_;
  bool copies_here_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
  // Each uses the one before.
  Context context_;
  Buffers buffers_;
  Workbench bench_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(const cl::Device& device, Variant variant, Budget& budget) {
  try {
    return std::make_unique<OpenClBackend>(device, variant, budget);
  } catch (const cl::Error& error) {
    throw device_error(device_name(device), "opening", error);
  }
}

}  // namespace attn::opencl
