// The backend around its kernels: buffers, their budget, and errors that can be read.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

#include "core/measure/measure.h"
#include "core/opencl/backend.h"
#include "core/opencl/cases/numbers.h"
#include "core/system/error.h"
#include "tests/opencl/opened.h"
#include "tests/opencl/surroundings.h"

using namespace attn;
using namespace attn::opencl;

namespace {

struct Opened {
  explicit Opened(std::size_t limit = std::size_t{1} << 20) : budget(limit) {
    const cl::Device device = test_devices().at(0);
    backend = make_backend(device, best_variant(device), budget);
  }
  Tensor scale(const Tensor& x) { return backend->run(Scale{.factor = 2, .text = {}}, std::vector{x}); }

  Budget budget;
  std::unique_ptr<Backend> backend;
};

MeasureSpec short_measurement() {
  return {.lengths = {16, 32, 64, 128}, .stages_at = 64, .rounds = 2};
}

std::size_t mebibytes_in_use() {
  std::size_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident / 256;
}

Tensor kilobyte(std::uint64_t seed) {
  return numbers({1, 16, 16}, Kind::ordinary, seed);
}

}  // namespace

TEST_CASE("A source is its own result and takes no device memory") {
  Opened opened;
  const Tensor x = kilobyte(1);
  CHECK(opened.backend->run(Source{x}, {}).id() == x.id());
  CHECK(opened.backend->held_bytes() == 0);
}

TEST_CASE("Inputs and results stay on the device and are counted once") {
  Opened opened;
  const Tensor x = kilobyte(1), y = opened.scale(x);
  CHECK(opened.backend->held_bytes() == 2048);
  CHECK(opened.budget.held(Budget::device) == 2048);
  opened.scale(x);
  CHECK(opened.backend->held_bytes() == 3072);
  opened.scale(y);
  CHECK(opened.backend->held_bytes() == 4096);
  opened.backend.reset();
  CHECK(opened.budget.held(Budget::device) == 0);
}

TEST_CASE("A result that is wanted later is read back as the same tensor with the time that it took") {
  Opened opened;
  const Operation twice = Scale{.factor = 2, .text = {}};
  const Tensor x = kilobyte(1);
  const Tensor y = opened.backend->run(twice, std::vector{x}, Numbers::later);
  const Tensor z = opened.backend->run(twice, std::vector{y}, Numbers::later);
  CHECK(y.values().empty());
  opened.backend->finish();
  const Backend::TimedTensor first = opened.backend->read(y), second = opened.backend->read(z);
  CHECK(first.tensor.id() == y.id());
  CHECK(first.seconds > 0);
  CHECK(opened.backend->held_bytes() == 3072);
  CHECK(opened.backend->read(x).tensor.id() == x.id());
  for (std::size_t i = 0; i < x.values().size(); ++i) {
    CHECK(first.tensor.values()[i] == 2 * x.values()[i]);
    CHECK(second.tensor.values()[i] == 4 * x.values()[i]);
  }
  CHECK(opened.scale(first.tensor) == second.tensor);  // from the buffer that was kept
  CHECK(opened.backend->held_bytes() == 4096);
}

TEST_CASE("What is large is neither copied to a processor nor back") {
  Opened opened;
  const Shape large{1, 256, 256};
  Tensor x = numbers(large, Kind::ordinary, 1);
  const std::vector<float> given(x.values().begin(), x.values().end());
  Tensor y = opened.scale(x);
  CHECK(opened.backend->held_bytes() == 0);
  const Operation twice = Scale{.factor = 2, .text = {}};
  const Tensor z = opened.backend->run(twice, std::vector{y}, Numbers::later);
  x = y = {};  // nobody but the launch holds them any more
  std::vector<Tensor> others;
  for (std::uint64_t i = 0; i < 8; ++i) others.push_back(opened.scale(numbers(large, Kind::ordinary, i + 2)));
  const Tensor read = opened.backend->read(z).tensor;
  opened.backend->finish();
  opened.backend.reset();  // its numbers outlive it
  REQUIRE(read.id() == z.id());
  for (std::size_t i = 0; i < given.size(); ++i) REQUIRE(read.values()[i] == 4 * given[i]);
  for (std::size_t i = 0; i < 5; ++i)
    CHECK(others[7].values()[i] == 2 * numbers(large, Kind::ordinary, 9).values()[i]);
}

TEST_CASE("What the pool has no room for is let go by whoever computes next, or frees memory") {
  Opened opened;
  const auto drop_large = [&] { opened.scale(numbers({1, 512, 1024}, Kind::ordinary, 7)); };
  drop_large();
  CHECK(opened.budget.held(Budget::pool) == 0);
  REQUIRE(opened.backend->oldest_use() == 0);
  opened.backend->release_oldest();
  CHECK_FALSE(opened.backend->oldest_use().has_value());
  drop_large();
  const Tensor y = opened.scale(kilobyte(1));
  CHECK(opened.backend->oldest_use() > 0);  // of the small ones, which are kept
}

TEST_CASE("The least recently used buffer goes first and comes back when needed") {
  Opened opened;
  CHECK_FALSE(opened.backend->oldest_use().has_value());
  const Tensor x = kilobyte(1), y = opened.scale(x);
  const auto first = opened.backend->oldest_use();
  REQUIRE(first.has_value());
  opened.scale(x);  // now y is the oldest
  CHECK(*opened.backend->oldest_use() > *first);
  opened.backend->release_oldest();
  CHECK(opened.backend->held_bytes() == 2048);
  const Tensor z = opened.scale(y);
  CHECK(opened.backend->held_bytes() == 4096);
  for (std::size_t i = 0; i < z.values().size(); ++i) CHECK(z.values()[i] == 2 * y.values()[i]);
  while (opened.backend->oldest_use()) opened.backend->release_oldest();
  CHECK(opened.backend->held_bytes() == 0);
  opened.backend->release_oldest();  // nothing left: nothing happens
}

TEST_CASE("Buffers alone never exceed the budget") {
  Opened opened(4000);
  Tensor x = kilobyte(1);
  for (int i = 0; i < 10; ++i) {
    x = opened.scale(x);
    CHECK(opened.budget.held(Budget::device) <= 4000);
  }
  CHECK(x.values()[5] == 1024 * kilobyte(1).values()[5]);
}

TEST_CASE("Numbers in a tensor larger than the budget are still computed") {
  Opened opened(100);
  CHECK(opened.scale(kilobyte(1)).values()[7] == 2 * kilobyte(1).values()[7]);
}

TEST_CASE("A kernel that does not compile is an error that names its file") {
  Place place;
  std::filesystem::create_directories(place.folder() / "shaders");
  Place::write(place.folder() / "shaders/scale.cl", "");
  Place::write(place.folder() / "shaders/elementwise.cl", "__kernel void scale(nonsense");
  Opened opened;
  setenv("ATTENTION_LAB_ASSETS", place.folder().c_str(), 1);
  std::string message;
  try {
    opened.scale(kilobyte(1));
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::device);
    message = error.what();
  }
  unsetenv("ATTENTION_LAB_ASSETS");
  CHECK(message.find("cannot compile elementwise.cl") != std::string::npos);
  CHECK(message.find("nonsense") != std::string::npos);
  CHECK(opened.scale(kilobyte(1)).values().size() == 256);  // and is tried again
}

TEST_CASE("A measurement leaves nothing on the device however it ends") {
  Opened opened(std::size_t{1} << 29);
  const auto held = [&] { return opened.backend->held_bytes() + opened.budget.held(Budget::programs); };
  Measurement measurement(short_measurement());
  while (measurement.step(*opened.backend)) {
  }
  CHECK(measurement.measured().state == MeasureState::done);
  CHECK(held() == 0);
  CHECK(opened.budget.held(Budget::device) == 0);

  Measurement stopped(short_measurement());
  while (held() == 0) REQUIRE(stopped.step(*opened.backend));
  stopped.stop(*opened.backend);
  CHECK(held() == 0);

  Measurement yielding(short_measurement());
  std::size_t asked = 0;
  while (yielding.measured().points.size() < 3) REQUIRE(yielding.step(*opened.backend));
  const std::size_t before = held();
  while (yielding.step(*opened.backend, [&] { return ++asked > 20; }) && asked <= 20) {
  }
  yielding.stop(*opened.backend);
  CHECK(before > 0);
  CHECK(held() == 0);
}

TEST_CASE("A measurement that is over has given its memory back" * doctest::test_suite("unsanitized")) {
  Opened opened(std::size_t{1} << 29);
  MeasureSpec warm = short_measurement();
  warm.lengths = {16};  // kernels compile, which takes memory for good
  for (Measurement measurement(warm); measurement.step(*opened.backend);) {
  }
  const std::size_t before = mebibytes_in_use();
  std::size_t most = before;
  for (Measurement measurement(short_measurement()); measurement.step(*opened.backend);)
    most = std::max(most, mebibytes_in_use());
  CHECK(most > before + 100);
  CHECK(mebibytes_in_use() < before + 32);
}

TEST_CASE("Memory that nobody holds is given out again, first of all let go, and counted") {
  Opened opened(std::size_t{1} << 24);
  const Tensor x = numbers({1, 512, 1024}, Kind::ordinary, 7);
  const Scale twice{.factor = 2, .text = {}};
  const std::size_t bytes = x.bytes();
  Tensor y = opened.backend->run(twice, std::vector{x}, Numbers::there);
  CHECK(opened.budget.held(Budget::pool) == 0);
  y = {};
  CHECK(opened.budget.held(Budget::pool) == bytes);
  // Of the same size: the kernel writes over what was there, and nothing more is taken.
  y = opened.backend->run(Scale{.factor = 3, .text = {}}, std::vector{x}, Numbers::here);
  CHECK(opened.budget.held(Budget::pool) == 0);
  for (std::size_t i = 0; i < x.values().size(); i += 4097) CHECK(y.values()[i] == 3 * x.values()[i]);
  y = {};
  CHECK(opened.budget.held(Budget::pool) == bytes);
  CHECK(opened.backend->oldest_use() == 0);
  opened.backend->release_oldest();
  CHECK(opened.budget.held(Budget::pool) == 0);
  CHECK(opened.backend->held_bytes() == 0);  // x is read where it lies
}
