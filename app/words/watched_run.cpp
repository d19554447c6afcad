// Runs a graph while its results are compared: a device that passed its self-test may still be wrong, by the
// size of the layer, or by heat.
#include "app/words/watched_run.h"

#include <string>

#include "app/words/table.h"
#include "core/checks/overflow.h"
#include "core/evaluate/run.h"
#include "core/opencl/watch.h"

namespace attn {

void run_watched(Backend& backend, const Graph& graph, const std::vector<bool>& needed,
                 const std::function<void(StageIndex, const Tensor&)>& done, std::ostream& err) {
  const std::string device = backend.name();
  opencl::Watch watch(graph);
  bool watched = false;
  std::optional<Overflow> overflow;
  const auto check = [&](StageIndex stage, Inputs inputs, const Tensor& result) {
    if (!overflow) overflow = first_overflow(graph, stage, inputs, result);
    if (backend.name() == kReference) return;  // the reference itself, or in a device's place
    watch.look(device, stage, inputs, result);
    watched = true;
  };
  run_stages(backend, graph, {.needed = needed, .check = check, .done = done});
  std::vector<std::string> notes;
  if (overflow) notes.push_back(words_of(graph, *overflow) + ", the first: it becomes ∞");
  if (watched) notes.push_back(watch.summary());
  if (!backend.failure().empty()) notes.push_back(backend.failure());
  print_lines(err, notes);
}

}  // namespace attn
