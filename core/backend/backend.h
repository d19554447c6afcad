// Backend: something that runs operations. The only virtual interface in core.
#pragma once

#include <optional>
#include <string>

#include "core/backend/drill.h"
#include "core/backend/program.h"
#include "core/operations/operation.h"

namespace attn {

// The name of what others are compared with.
inline constexpr const char* kReference = "reference";

// Where the numbers of a result go: here at once, here when read() asks for them, or they stay on the device.
enum class Numbers { here, later, there };

class Backend {
 public:
  virtual ~Backend() = default;

  // kReference, or the device's own name.
  virtual std::string name() const = 0;

  // The operation's result. Inputs have shapes that result_shape accepts. Unless its numbers are wanted here
  // it may be a tensor of the device (Tensor::on_device), for later operations and, where they are wanted
  // later, for read(). Throws Error(Fault::device) when the device fails.
  virtual Tensor run(const Operation& operation, Inputs inputs, Numbers wanted = Numbers::here) = 0;

  // A tensor whose numbers were to come later, with them, and the seconds that the device says it worked at
  // them; of a tensor that has its numbers, itself. Returns when that one is done. Throws as run() does.
  struct TimedTensor {
    Tensor tensor;
    double seconds = 0;
  };
  virtual TimedTensor read(const Tensor& tensor) { return {tensor}; }

  // Returns when everything that was asked for is done.
  virtual void finish() {}

  // No operation will read this tensor again: its copy on the device may go.
  virtual void forget(const Tensor&) {}

  // The graph, ready to be run many times; `kept`: stages whose results will be read. Throws as run() does.
  virtual std::unique_ptr<Program> compile(const Graph& graph, std::span<const StageIndex> kept) {
    return run_by_stage(*this, graph, kept);
  }

  // To measure it by. Throws as run() does.
  virtual Drill drill(DrillKind) { return {}; }
  virtual DeviceFacts facts() const { return {}; }

  // Copies that it makes of tensors lie in the memory that tensors lie in.
  virtual bool copies_here() const { return false; }

  // Why something else computes in its place; empty while it does so itself.
  virtual std::string failure() const { return {}; }

  // Device buffers kept for tensors that may be used again; they share the program's byte budget.
  virtual std::size_t held_bytes() const { return 0; }
  // When the least recently used buffer was last used, on the budget's clock: 0 of memory that nobody holds,
  // which is released first; none when there is neither.
  virtual std::optional<std::uint64_t> oldest_use() const { return std::nullopt; }
  virtual void release_oldest() {}
  // Gives back memory that nobody holds.
  void release_unheld() {
    if (oldest_use() == 0) release_oldest();
  }
};

}  // namespace attn
