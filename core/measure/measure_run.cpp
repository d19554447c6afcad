// Running a graph for the clock, and what it takes in memory to do so.
#include <algorithm>

#include "core/evaluate/weigh.h"
#include "core/measure/measure_graph.h"
#include "core/system/budget.h"
#include "core/text/text.h"

namespace attn {
namespace {

// Left to the rest of the program, its window, and other programs.
constexpr std::uint64_t kLeftFree = std::uint64_t{256} << 20;

// Only its shapes are asked for.
class NullBackend final : public Backend {
 public:
  std::string name() const override { return {}; }
  Tensor run(const Operation&, Inputs, Numbers) override { return {}; }
};

}  // namespace

Needs needs_of(const Graph& graph) {
  const Load load = weigh(graph, {}, Retention::until_read, NullBackend(), Budget());
  Needs needs{.held = load.results, .working = load.working};
  for (const Stage& stage : graph.stages) {
    const std::uint64_t bytes = std::uint64_t{stage.shape.size()} * sizeof(float);
    needs.largest = std::max(needs.largest, bytes);
    if (stage.given()) needs.given += bytes, needs.held += bytes;
  }
  return needs;
}

std::string too_large(const Needs& needs, const Backend& backend, std::uint64_t free) {
  const DeviceFacts facts = backend.facts();
  if (facts.largest > 0 && needs.largest > facts.largest)
    return "a matrix of " + bytes_text(needs.largest) + " is larger than the " + bytes_text(facts.largest) +
           " that the device takes";
  const auto beyond = [](std::uint64_t bytes, std::uint64_t room, const char* where) -> std::string {
    const std::uint64_t left = room > kLeftFree ? room - kLeftFree : 0;
    if (bytes <= kUnweighed || bytes <= left) return {};
    return "it takes " + bytes_text(bytes) + " of memory, and " + bytes_text(left) + " are free for it " +
           where;
  };
  // What is given for the shorter lengths stays too: together as much again.
  const std::uint64_t given = 2 * needs.given;
  if (facts.memory == 0)
    return beyond(given + needs.held + (backend.name() == kReference ? needs.working : 0), free,
                  "in this machine");
  // There the results of the open document lie too.
  if (std::string why = beyond(given + needs.held, facts.memory - facts.memory / 8, "on the device");
      !why.empty())
    return why;
  return beyond(given, free, "in this machine");
}

bool run_on(Backend& backend, Program& program, const GiveUp& give_up,
            const std::optional<StageClock>& each) {
  if (each) each->seconds.assign(program.size(), 0);
  for (StageIndex i = 0; i < program.size(); ++i) {
    if (give_up && give_up()) return false;
    const double start = each ? each->clock() : 0;
    program.run(i);
    if (give_up || each) backend.finish();
    if (each) each->seconds[i] = each->clock() - start;
  }
  backend.finish();
  return true;
}

}  // namespace attn
