#include "core/evaluator.h"

#include <algorithm>
#include <chrono>

#include "core/error.h"

namespace attn {
namespace {

std::size_t hash_of(const Operation& operation, std::span<const TensorId> inputs) {
  std::size_t hash = operation.index();
  for (const TensorId id : inputs) hash = (hash ^ id) * 0x100000001B3ull;
  return hash;
}

// The stages that `wanted` needs, itself included; all when `wanted` is empty.
std::vector<bool> needed_stages(const Graph& graph, std::span<const std::string> wanted) {
  std::vector<bool> needed(graph.stages.size(), wanted.empty());
  for (const std::string& id : wanted)
    if (const auto stage = graph.find(id)) needed[*stage] = true;
  for (StageIndex i = graph.stages.size(); i-- > 0;)
    if (needed[i])
      for (const StageIndex input : graph.stages[i].inputs) needed[input] = true;
  return needed;
}

}  // namespace

Tensor Evaluator::find(std::size_t hash, const Operation& operation, std::span<const TensorId> inputs) {
  const auto [first, last] = index_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    Entry& entry = *it->second;
    if (!std::ranges::equal(entry.inputs, inputs) || entry.operation != operation) continue;
    entry.used = budget_.tick();
    entries_.splice(entries_.begin(), entries_, it->second);
    return entry.output;
  }
  return {};
}

Tensor Evaluator::run(const Stage& stage, const std::vector<Tensor>& outputs, std::size_t& recomputed) {
  if (const auto* source = std::get_if<Source>(&stage.operation)) return source->tensor;
  std::vector<Tensor> inputs;
  std::vector<TensorId> ids;
  for (const StageIndex input : stage.inputs) {
    inputs.push_back(outputs[input]);
    ids.push_back(outputs[input].id());
  }
  const std::size_t hash = hash_of(stage.operation, ids);
  if (Tensor found = find(hash, stage.operation, ids); !found.empty()) return found;
  Tensor output = backend_.run(stage.operation, inputs);
  ++recomputed;
  entries_.push_front({hash, stage.operation, std::move(ids), output, budget_.tick()});
  index_.emplace(hash, entries_.begin());
  bytes_ += output.bytes();
  budget_.set(Budget::memo, bytes_);
  return output;
}

Results Evaluator::evaluate(const Document& document, Graph graph, std::span<const std::string> wanted,
                            const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  Results results{.document = document,
                  .graph = std::move(graph),
                  .outputs = {},
                  .device = backend_.name(),
                  .seconds = 0,
                  .recomputed = 0};
  const std::vector<bool> needed = needed_stages(results.graph, wanted);
  results.outputs.resize(results.graph.stages.size());
  const auto computed = [&](StageIndex i) {
    return needed[i] && !std::holds_alternative<Source>(results.graph.stages[i].operation);
  };
  double total = 0, done = 0;
  for (StageIndex i = 0; i < needed.size(); ++i) total += computed(i);
  for (StageIndex i = 0; i < results.graph.stages.size(); ++i) {
    if (!needed[i]) continue;
    const Stage& stage = results.graph.stages[i];
    if (computed(i) && progress && !progress(stage, done++ / total))
      throw Error("stopped before " + stage.title + ": what is shown was computed before the last change");
    results.outputs[i] = run(stage, results.outputs, results.recomputed);
  }
  results.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  trim(results);
  return results;
}

void Evaluator::drop(Entries::iterator entry) {
  const auto [first, last] = index_.equal_range(entry->hash);
  for (auto it = first; it != last; ++it)
    if (it->second == entry) {
      index_.erase(it);
      break;
    }
  bytes_ -= entry->output.bytes();
  entries_.erase(entry);
  budget_.set(Budget::memo, bytes_);
}

void Evaluator::trim(const Results& current) {
  const auto held = [&](const Entry& entry) {
    return std::ranges::any_of(current.outputs, [&](const Tensor& t) { return t.id() == entry.output.id(); });
  };
  auto candidate = entries_.end();  // everything from here on is held by the current results
  while (budget_.over()) {
    while (candidate != entries_.begin() && held(*std::prev(candidate))) --candidate;
    const auto buffer = backend_.oldest_use();
    const bool memo_left = candidate != entries_.begin();
    if (!memo_left && !buffer) return;
    if (buffer && (!memo_left || *buffer < std::prev(candidate)->used))
      backend_.release_oldest();
    else
      drop(std::prev(candidate));
  }
}

}  // namespace attn
