#include "core/opencl/backend.h"

#include "core/error.h"
#include "core/opencl/families.h"

namespace attn::opencl {
namespace {

Error device_error(const std::string& device, const std::string& where, const cl::Error& error) {
  return Error(device + " failed in " + where + ": " + error_text(error.err()) + " (" + error.what() +
                   "). Make the layer smaller, or use the reference",
               Fault::device);
}

class OpenClBackend final : public Backend {
 public:
  OpenClBackend(const cl::Device& device, Variant variant, Budget& budget)
      : name_(device_name(device)),
        context_(device, variant),
        buffers_(context_.context(), budget),
        bench_(context_, buffers_) {}

  std::string name() const override { return name_; }

  Tensor run(const Operation& operation, Inputs inputs) override {
    try {
      return std::visit([&](const auto& op) { return opencl::run(bench_, op, inputs); }, operation);
    } catch (const cl::Error& error) {
      throw device_error(name_, attn::name(operation), error);
    }
  }

  std::size_t held_bytes() const override { return buffers_.bytes(); }
  std::optional<std::uint64_t> oldest_use() const override { return buffers_.oldest_use(); }
  void release_oldest() override { buffers_.release_oldest(); }

 private:
  std::string name_;
  Context context_;
  Buffers buffers_;
  Workbench bench_;
};

}  // namespace

// A matrix the user gave is its own result: nothing to compute, and it reaches the device when something
// reads it.
Tensor run(Workbench&, const Source& op, Inputs) {
  return op.tensor;
}

std::unique_ptr<Backend> make_backend(const cl::Device& device, Variant variant, Budget& budget) {
  try {
    return std::make_unique<OpenClBackend>(device, variant, budget);
  } catch (const cl::Error& error) {
    throw device_error(device_name(device), "opening", error);
  }
}

}  // namespace attn::opencl
