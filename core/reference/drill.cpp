// The same two pieces of work as on a device (shaders/drill.cl), as the reference does its own: one thread,
// doubles, with the vectors that its products have.
#include "core/reference/drill.h"

#include <Eigen/Core>
#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "core/system/error.h"
#include "core/system/memory.h"

namespace attn::reference {
namespace {

using Pair = Eigen::Array<double, 2, 1>;
constexpr std::size_t kChains = 8, kSteps = 4096;
constexpr std::size_t kCopied = std::size_t{128} << 20;  // bytes: with its copy larger than any cache

[[noreturn]] void wrong(const char* what) {
  throw Error(std::string("the processor computes wrong numbers: ") + what, Fault::device);
}

// x ← x·factor + step in eight independent pairs; noinline, so that factor and step are not known to be 1.
template <std::size_t... I>
[[gnu::noinline]] std::array<Pair, kChains> multiply_add(std::size_t steps, double factor, double step,
                                                         std::index_sequence<I...>) {
  std::array<Pair, kChains> x{Pair::Constant(static_cast<double>(I))...};
  for (std::size_t i = 0; i < steps; ++i) ((x[I] = x[I] * factor + step), ...);
  return x;
}

Drill make_multiply_add() {
  struct State {
    std::array<Pair, kChains> x;
    std::size_t steps = 0;
    volatile double one = 1;
  };
  const auto state = std::make_shared<State>();
  return {.unit = 2.0 * 2 * kChains * kSteps,
          .most_passes = std::size_t{1} << 24,
          .run =
              [=](std::size_t passes) {
                state->steps = passes * kSteps;
                state->x =
                    multiply_add(state->steps, state->one, state->one, std::make_index_sequence<kChains>());
              },
          .check =
              [=] {
                for (std::size_t c = 0; c < kChains; ++c)
                  if ((state->x[c] != static_cast<double>(c + state->steps)).any())
                    wrong("multiplying and adding");
              }};
}

Drill make_copy() {
  struct State {
    std::vector<double> from, to;
    double seed = 0;
  };
  const auto state = std::make_shared<State>();
  const std::size_t count = std::min<std::uint64_t>(kCopied, free_memory().bytes / 16) / sizeof(double);
  if (count == 0) return {};
  state->from.resize(count), state->to.resize(count);
  const auto refill = [=] {
    state->seed += 1;
    for (std::size_t i = 0; i < count; ++i) state->from[i] = state->seed + static_cast<double>(i);
  };
  refill();
  return {.unit = 2.0 * static_cast<double>(count * sizeof(double)),
          .most_passes = 1024,
          .run =
              [=](std::size_t passes) {
                for (std::size_t i = 0; i < passes; ++i)
                  std::memcpy(state->to.data(), state->from.data(), count * sizeof(double));
              },
          .check =
              [=] {
                if (state->to != state->from) wrong("copying");
                refill();
              }};
}

}  // namespace

Drill make_drill(DrillKind kind) {
  return kind == DrillKind::copy ? make_copy() : make_multiply_add();
}

std::string version() {
  std::string text = "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." +
                     std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION);
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return text + "," + line.substr(line.find(':') + 1);
  return text;
}

}  // namespace attn::reference
