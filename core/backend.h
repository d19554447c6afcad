// Backend: something that runs operations. The only virtual interface in core.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/operation.h"

namespace attn {

// The name of what others are compared with.
inline constexpr const char* kReference = "reference";

class Backend {
 public:
  virtual ~Backend() = default;

  // kReference, or the device's own name.
  virtual std::string name() const = 0;

  // The operation's result. Inputs have shapes that result_shape accepts. `there`: it may stay on the device,
  // to be read by later operations alone (Tensor::on_device). Throws Error(Fault::device) when the device
  // fails.
  virtual Tensor run(const Operation& operation, Inputs inputs, bool there = false) = 0;

  // Returns when everything that was asked for is done.
  virtual void finish() {}

  // No operation will read this tensor again: its copy on the device may go.
  virtual void forget(const Tensor&) {}

  // Copies that it makes of tensors lie in the memory that tensors lie in.
  virtual bool copies_here() const { return false; }

  // Why something else computes in its place; empty while it does so itself.
  virtual std::string failure() const { return {}; }

  // Device buffers kept for tensors that may be used again; they share the program's byte budget.
  virtual std::size_t held_bytes() const { return 0; }
  // When the least recently used buffer was last used, on the budget's clock; none when nothing is held.
  virtual std::optional<std::uint64_t> oldest_use() const { return std::nullopt; }
  virtual void release_oldest() {}
};

}  // namespace attn
