// Context: one opened device with its queue, its programs and its kernels.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/opencl/driver_error.h"
#include "core/opencl/loops.h"
#include "core/opencl/opencl.h"
#include "core/operations/flash_tiles.h"

namespace attn::opencl {

// Which of the kernels' two shapes and two ways of summing run. Chosen by the device; tests force the others.
struct Variant {
  bool groups = false;  // local memory and work-groups of many items, as GPUs want; else work-groups of one
  bool double_sums = false;     // sums in double; else in two floats
  Steps most_steps = kEndless;  // of an item's loops
  FlashTiles flash_tiles = {};  // as the device was tuned; none: the kernels' own
  bool operator==(const Variant&) const = default;
};

// What OpenCL's return codes mean, for messages.
std::string error_text(cl_int code);

// An operation, or what else was to be done, that failed on the device of this name.
DriverError device_error(const std::string& device, const std::string& where, const cl::Error& error);

// Every device of every platform, in OpenCL's order. `problem` says why the list is empty, if it is.
std::vector<cl::Device> list_devices(std::string& problem);

bool is_gpu(const cl::Device& device);
// The printable name; drivers pad theirs.
std::string device_name(const cl::Device& device);
// What tells a device from others, in every process; of twins only their order does.
struct Identity {
  std::string name, platform, driver;
  bool operator==(const Identity&) const = default;
};
Identity identity_of(const cl::Device& device);
// Whether a device's registers hold numbers of several items: a GPU's, and a processor's that has no vector
// for one item. Mesa's makes vectors of a group's items, and of one alone leaves seven lanes of eight empty.
bool joins_items(bool gpu, std::size_t native_floats);
// The variant that suits the device, as far as it says; how far it runs loops the self-test finds out.
Variant best_variant(const cl::Device& device);

class Context {
 public:
  Context(const cl::Device& device, Variant variant);

  const cl::Device& device() const { return device_; }
  const cl::Context& context() const { return context_; }
  const cl::CommandQueue& queue() const { return queue_; }
  Variant variant() const { return variant_; }
  std::size_t vector_width() const { return width_; }  // lanes of the type that accumulates
  std::size_t float_lanes() const;                     // of a register, as kernels take them
  std::size_t tile_vectors() const;                    // WIDE of tile.cl

  // A kernel of a family: shaders/<family>.cl, compiled at its first use. The options depend on the device
  // alone.
  cl::Kernel& kernel(const std::string& family, const std::string& name);
  // The same with arguments of its own.
  cl::Kernel new_kernel(const std::string& family, const std::string& name) {
    return cl::Kernel(program(family), name.c_str());
  }

 private:
  cl::Program& program(const std::string& family);

  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  Variant variant_;
  std::size_t width_;
  std::string options_;
  std::map<std::string, cl::Program> programs_;
  std::map<std::string, std::map<std::string, cl::Kernel>> kernels_;  // by family
};

// A fingerprint of every kernel's text and of how it is built: a verdict on a device holds for one of these.
std::string kernel_hash();

}  // namespace attn::opencl
