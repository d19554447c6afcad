// Programs that a device prepared are of no use once it has gone: nobody else has what they left there.
#include "core/evaluate/stand_in.h"

namespace attn {

class WithStandIn::DeviceProgram final : public Program {
  template <class Call>
  auto on_device(const Call& call) {
    if (!backend_.stands()) throw Error(backend_.failure(), Fault::device);
    try {
      return call();
    } catch (const Error& error) {
      if (error.fault() != Fault::device) throw;
      backend_.program_failed(error);
      if (backend_.stands()) throw;
      throw Error(backend_.failure(), Fault::device);
    }
  }

 public:
  DeviceProgram(WithStandIn& backend, const Graph& graph, std::unique_ptr<Program> program)
      : Program(graph), backend_(backend), program_(std::move(program)) {}

  void run(StageIndex stage) override {
    on_device([&] { program_->run(stage); });
  }
  void set(StageIndex stage, const Operation& operation) override {
    on_device([&] { program_->set(stage, operation); });
  }
  Tensor read(StageIndex stage, const Region& block) override {
    return on_device([&] { return program_->read(stage, block); });
  }

 private:
  WithStandIn& backend_;
  std::unique_ptr<Program> program_;
};

std::unique_ptr<Program> WithStandIn::compile(const Graph& graph, std::span<const StageIndex> kept) {
  if (!stands()) return now().compile(graph, kept);
  try {
    return std::make_unique<DeviceProgram>(*this, graph, now().compile(graph, kept));
  } catch (const Error& error) {
    if (error.fault() == Fault::device) program_failed(error);
    if (stands()) throw;
  }
  return now().compile(graph, kept);
}

}  // namespace attn
