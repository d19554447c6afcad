// A device whose clock stands still but for its own work: times follow from counted operations, and no test
// waits.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "core/measure/measure.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/contains.h"

namespace attn::tests {

struct Clock {
  double now = 0;
  std::size_t asked = 0;
  std::function<void(std::size_t asked)> look = {};  // at each question; may be empty

  MeasureSurroundings surroundings(std::uint64_t free = std::uint64_t{1} << 40) {
    return {.clock =
                [this] {
                  if (look) look(++asked);
                  return now;
                },
            .free_memory = [free] { return free; },
            .checks = false};
  }
};

class Clocked : public Backend {
 public:
  static constexpr double kLaunch = 20e-6, kRate = 1e11, kPeak = 4e11, kBandwidth = 2e10;

  explicit Clocked(Clock& clock, std::string called = "clocked") : clock_(clock), name_(std::move(called)) {}

  std::string name() const override { return name_; }
  DeviceFacts facts() const override { return said; }

  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    const bool held =
        std::ranges::any_of(inputs, [](const Tensor& input) { return input.held() != nullptr; });
    if (wanted != Numbers::there && !held) return reference_->run(operation, inputs);
    if (std::holds_alternative<MatMul>(operation) && std::get<MatMul>(operation).transpose_right &&
        products_left-- == 0)
      throw Error(name_ + " failed in matmul: the device is not available", Fault::device);
    if (std::holds_alternative<RowSum>(operation) && sums_left-- == 0)
      throw Error(name_ + " failed in row_sum: the device is not available", Fault::device);
    std::vector<Shape> shapes;
    for (const Tensor& input : inputs) shapes.push_back(input.shape());
    const Shape shape = result_shape(operation, shapes);
    double terms = 1;
    if (std::holds_alternative<MatMul>(operation) || std::holds_alternative<Project>(operation))
      terms = 2 * static_cast<double>(shapes[0].columns);
    clock_.now += kLaunch + terms * static_cast<double>(shape.size()) / kRate;
    if (wanted != Numbers::there) return {shape, std::vector<float>(shape.size())};  // of what it never had
    return Tensor::on_device(shape, std::make_shared<int>());
  }

  // What it measures is never read.
  std::unique_ptr<Program> compile(const Graph& graph, std::span<const StageIndex>) override {
    return run_by_stage(*this, graph, {});
  }

  Drill drill(DrillKind kind) override {
    const double rate = kind == DrillKind::copy ? kBandwidth : kPeak;
    return {
        .unit = 1e6,
        .most_passes = 1 << 20,
        .run = [this, rate](std::size_t passes) { clock_.now += 1e6 * static_cast<double>(passes) / rate; },
        .check =
            [this] {
              if (drills_wrong) throw Error("clocked computes wrong numbers", Fault::device);
            }};
  }

  DeviceFacts said{.version = "clocked 1"};
  int products_left = -1, sums_left = -1;  // before one fails; negative: none does
  bool drills_wrong = false;

 private:
  Clock& clock_;
  std::string name_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

// Small enough to be quick, large enough for its last lengths to be more than launches.
inline MeasureSpec small_spec() {
  return {.shape = {.d = 64, .heads = 4, .kv_heads = 2, .feed_forward = 256},
          .lengths = {},
          .longest = 2048,
          .stages_at = 128,
          .rounds = 4,
          .seconds_of_run = 1e3,
          .seconds_of_all = 1e6,
          .program = "0.1"};
}

inline const NotMeasured* left_out(const Measured& measured, const std::string& subject) {
  const auto found = std::ranges::find(measured.not_measured, subject, &NotMeasured::subject);
  return found == measured.not_measured.end() ? nullptr : &*found;
}

inline Measured measure_all(Measurement& measurement, Backend& backend) {
  while (measurement.step(backend)) {
  }
  return measurement.measured();
}

}  // namespace attn::tests
