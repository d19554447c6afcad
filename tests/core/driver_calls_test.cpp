// What a process tells of the calls that it makes of a driver.
#include "core/engine/driver_calls.h"

#include <doctest/doctest.h>

#include <functional>

#include "core/reference/backend.h"

using namespace attn;

namespace {

// Asks something whenever it is called, and when a tensor that it kept goes, and at its own end.
class Asking : public Backend {
 public:
  explicit Asking(std::function<void()> ask) : ask_(std::move(ask)) {}
  ~Asking() override { ask_(); }
  std::string name() const override { return "asking"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    ask_();
    if (wanted == Numbers::here) return reference_->run(operation, inputs);
    return Tensor::on_device(inputs[0].shape(), std::shared_ptr<int>(new int, [ask = ask_](const int* kept) {
                               ask();
                               delete kept;
                             }));
  }
  TimedTensor read(const Tensor& tensor) override { return ask_(), TimedTensor{tensor}; }
  void finish() override { ask_(); }
  void forget(const Tensor&) override { ask_(); }
  void release_oldest() override { ask_(); }

 private:
  std::function<void()> ask_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

const Operation kTwice = Scale{.factor = 2, .text = {}};

}  // namespace

TEST_CASE("Whatever a backend is asked for is a call, its end and that of what it keeps too") {
  DriverCalls calls;
  int asked = 0;
  const auto ask = [&] {
    ++asked;
    CHECK(calls.under_way > 0);
  };
  const std::vector<Tensor> inputs{Tensor({1, 1, 1}, {1})};
  auto backend = with_monitored_calls(std::make_unique<Asking>(ask), &calls);
  const auto expect = [&](int count, const auto& work) {
    const std::uint64_t before = calls.begun;
    asked = 0;
    work();
    CHECK(asked == count);
    CHECK(calls.begun > before);
    CHECK(calls.under_way == 0);
  };
  Tensor kept;
  expect(1, [&] { CHECK(backend->run(kTwice, inputs)[{0, 0, 0}] == 2); });
  expect(1, [&] { kept = backend->run(kTwice, inputs, Numbers::later); });
  CHECK(kept.held());
  CHECK(kept.shape() == inputs[0].shape());
  expect(1, [&] { backend->read(kept); });
  expect(1, [&] { kept = {}; });
  expect(1, [&] { backend->finish(); });
  expect(1, [&] { backend->forget(inputs[0]); });
  expect(1, [&] { backend->release_oldest(); });
  expect(1, [&] { backend.reset(); });
}

TEST_CASE("Much work is allowed more time until its results are here") {
  DriverCalls calls;
  const Tensor large({1, 1000, 1000}, std::vector<float>(1000000));
  const std::vector<Tensor> inputs{large, large};
  const auto backend = with_monitored_calls(std::make_unique<Asking>([] {}), &calls);
  backend->run(MatMul{}, inputs, Numbers::later);
  CHECK(calls.allowance == doctest::Approx(10));  // 1e9 multiply-adds
  backend->run(MatMul{}, inputs, Numbers::later);
  CHECK(calls.allowance == doctest::Approx(20));
  backend->finish();
  CHECK(calls.allowance == 0);
}

TEST_CASE("A device's name is told as far as there is room") {
  DriverCalls calls;
  name_device(&calls, "first and long");
  name_device(&calls, "device");
  CHECK(std::string(calls.device.data()) == "device");
  name_device(&calls, std::string(1000, 'x'));
  CHECK(std::string(calls.device.data()) == std::string(calls.device.size() - 1, 'x'));
  name_device(nullptr, "nobody asks");
}
