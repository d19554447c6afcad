// A result that is read later is compared then, with its inputs as they were read before it.
#include "core/opencl/watched.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/checks/comparison.h"
#include "core/evaluate/stand_in.h"
#include "core/opencl/devices.h"
#include "core/opencl/watch.h"
#include "core/system/error.h"
#include "core/tensor/random.h"

namespace attn::opencl {
namespace {

// Of one result, in multiply-adds of the reference; rows of it. Where one of them alone takes longer than a
// person should wait for, as many of its numbers as do not, side by side (others each time: what is wrong in
// some of them does not stay unseen for long).
constexpr double kAffordable = 2e4, kDear = 2e5;
constexpr std::size_t kFewest = 3, kFewestOfRow = 8;

class Watched final : public WithStandIn {
 public:
  Watched(std::unique_ptr<Backend> device, WhenWrong when) : WithStandIn(std::move(device)), when_(when) {}

  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    check_trusted();
    const Tensor result = now().run(operation, inputs, wanted);
    if (!result.held()) return is_right({operation, inputs}, result) ? result : now().run(operation, inputs);
    if (wanted == Numbers::later)
      unread_.insert_or_assign(result.id(), PendingRun{operation, {inputs.begin(), inputs.end()}});
    return result;
  }

  TimedTensor read(const Tensor& tensor) override {
    check_trusted();
    TimedTensor computed = now().read(tensor);
    const auto found = unread_.find(tensor.id());
    if (found == unread_.end()) return computed;
    PendingRun asked = std::move(found->second);
    unread_.erase(found);
    read_.insert_or_assign(tensor.id(), computed.tensor);
    for (Tensor& input : asked.inputs)
      if (const auto known = read_.find(input.id()); known != read_.end()) input = known->second;
    if (!is_right({asked.operation, asked.inputs}, computed.tensor)) throw Error(failure(), Fault::device);
    return computed;
  }

  // Whoever reads later waits for the end of it all behind the last result; what is left then nobody reads.
  void finish() override {
    now().finish();
    unread_.clear(), read_.clear();
  }
  void forget(const Tensor& tensor) override {
    unread_.erase(tensor.id());
    now().forget(tensor);
  }

 private:
  struct PendingRun {
    Operation operation;
    std::vector<Tensor> inputs;
  };
  struct Work {
    const Operation& operation;
    Inputs inputs;
  };

  // A device that was wrong once may be right the next time: that is no reason to believe it.
  void check_trusted() const {
    if (!wrong_.empty()) throw Error(wrong_, Fault::device);
  }

  Looked choose(const Work& work, const Shape& shape) {
    std::vector<Shape> shapes;
    for (const Tensor& input : work.inputs) shapes.push_back(input.shape());
    const std::size_t rows = shape.stack * shape.rows;
    const double each =
        (operation_count(work.operation, shapes, shape) + kNumber * static_cast<double>(shape.size())) /
        static_cast<double>(rows);
    ++looked_;
    if (each <= kDear)
      return {spread_rows(rows, std::max(kFewest, static_cast<std::size_t>(kAffordable / each)), looked_)};
    const auto affordable = static_cast<std::size_t>(kDear / each * static_cast<double>(shape.columns));
    const std::size_t columns = std::min(shape.columns, std::max(kFewestOfRow, affordable));
    constexpr std::uint64_t kOfColumns = 1;  // what rows are drawn by is 0
    return {spread_rows(rows, 1, looked_),
            {random_bits(looked_, kOfColumns) % (shape.columns - columns + 1), columns}};
  }

  // False: it was not, and the reference computes from now on.
  bool is_right(const Work& work, const Tensor& result) {
    const auto out_of_reach = [](const Tensor& input) { return input.held() != nullptr; };
    if (now().name() == kReference || std::holds_alternative<Source>(work.operation) ||
        result.values().empty() || std::ranges::any_of(work.inputs, out_of_reach))
      return true;
    try {
      look_at_rows(now().name(), attn::name(work.operation), work.operation, work.inputs, result,
                   choose(work, result.shape()));
      return true;
    } catch (const Error& error) {
      if (when_ == WhenWrong::refuse) {
        wrong_ = error.what();
        throw;
      }
      unread_.clear(), read_.clear();
      step_in(error.what());
      return false;
    }
  }

  WhenWrong when_;
  std::string wrong_;                                // how it was, where that is refused
  std::uint64_t looked_ = 0;                         // how often: other rows each time
  std::unordered_map<TensorId, PendingRun> unread_;  // asked for, to be read later
  std::unordered_map<TensorId, Tensor> read_;        // since the last finish()
};

}  // namespace

std::unique_ptr<Backend> watched(std::unique_ptr<Backend> device, WhenWrong when) {
  return std::make_unique<Watched>(std::move(device), when);
}

BackendFactory watched(std::shared_ptr<Devices> devices, std::string choice, std::shared_ptr<Budget> budget) {
  return [devices = std::move(devices), choice = std::move(choice),
          budget = std::move(budget)](std::vector<std::string>& notes) {
    return watched(devices->choose(choice, *budget, notes), WhenWrong::reference);
  };
}

}  // namespace attn::opencl
