// What was computed, by operation and inputs, the least recently used the first to go.
#include "core/diagnosis/layer_runner.h"

#include <algorithm>
#include <string_view>

#include "core/system/error.h"

namespace attn {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;

std::size_t hash_of_run(const Operation& operation, const std::vector<TensorId>& inputs) {
  std::size_t hash = operation.index();
  for (const TensorId id : inputs) hash = (hash ^ id) * 0x100000001B3ull;
  return hash;
}

std::size_t hash_of_numbers(const Tensor& tensor) {
  const std::string_view bytes(reinterpret_cast<const char*>(tensor.data()), tensor.bytes());
  return std::hash<std::string_view>()(bytes);
}

// Whether it is on the device or here.
std::size_t bytes_of(const Tensor& tensor) {
  return tensor.shape().size() * sizeof(float);
}

}  // namespace

LayerRunner::Running LayerRunner::begin(Graph graph) {
  Running layer{std::move(graph)};
  layer.outputs.resize(layer.graph.stages.size());
  return layer;
}

Tensor LayerRunner::known(const Tensor& given) {
  if (const auto found = given_.find(given.id()); found != given_.end()) return found->second;
  const std::size_t hash = hash_of_numbers(given);
  const auto [first, last] = given_numbers_.equal_range(hash);
  const auto same = std::find_if(first, last, [&](const auto& other) { return other.second == given; });
  const Tensor result = same == last ? given : same->second;
  if (same == last) given_numbers_.emplace(hash, given);
  given_.emplace(given.id(), result);
  return result;
}

LayerRunner::Entry* LayerRunner::find(std::size_t hash, const Operation& operation,
                                      const std::vector<TensorId>& inputs) {
  const auto [first, last] = index_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (it->second->inputs != inputs || it->second->operation != operation) continue;
    entries_.splice(entries_.begin(), entries_, it->second);
    return &entries_.front();
  }
  return nullptr;
}

void LayerRunner::remember(Entry entry) {
  bytes_ += bytes_of(entry.output);
  entries_.push_front(std::move(entry));
  index_.emplace(entries_.front().hash, entries_.begin());
  while (bytes_ > kMostBytes && entries_.size() > 1) {
    const auto oldest = std::prev(entries_.end());
    const auto [first, last] = index_.equal_range(oldest->hash);
    index_.erase(std::find_if(first, last, [&](const auto& i) { return i.second == oldest; }));
    bytes_ -= bytes_of(oldest->output);
    entries_.erase(oldest);
  }
}

void LayerRunner::clear() {
  entries_.clear(), index_.clear();
  bytes_ = 0;
}

Tensor LayerRunner::run(Backend& backend, const Stage& stage, std::vector<Tensor> inputs) {
  std::vector<TensorId> ids;
  for (const Tensor& input : inputs) ids.push_back(input.id());
  const std::size_t hash = hash_of_run(stage.operation, ids);
  if (const Entry* entry = find(hash, stage.operation, ids)) return entry->output;
  Tensor output = backend.run(stage.operation, inputs, one_by_one_ ? Numbers::here : Numbers::later);
  remember({stage.operation, std::move(ids), output, hash});
  return output;
}

void LayerRunner::compute(Backend& backend, Running& layer, StageIndex wanted) {
  std::vector<bool> needed(wanted + 1, false);
  needed[wanted] = true;
  for (StageIndex i = wanted + 1; i-- > 0;) {
    if (!needed[i]) continue;
    if (!layer.outputs[i].empty())
      needed[i] = false;
    else
      for (const StageIndex input : layer.graph.stages[i].inputs) needed[input] = true;
  }
  for (StageIndex i = 0; i <= wanted; ++i) {
    if (!needed[i]) continue;
    const Stage& stage = layer.graph.stages[i];
    if (const Tensor* given = given_tensor(stage.operation)) {
      layer.outputs[i] = known(*given);
      continue;
    }
    std::vector<Tensor> inputs;
    for (const StageIndex input : stage.inputs) inputs.push_back(layer.outputs[input]);
    layer.outputs[i] = run(backend, stage, std::move(inputs));
  }
}

Tensor LayerRunner::numbers(Backend& backend, Running& layer, StageIndex stage) {
  const auto read = [&] {
    compute(backend, layer, stage);
    Tensor& output = layer.outputs[stage];
    if (!output.held()) return output;
    output = backend.read(output).tensor;
    for (Entry& entry : entries_)  // it is among the last that were used
      if (entry.output.id() == output.id()) {
        entry.output = output;
        break;
      }
    return output;
  };
  try {
    return read();
  } catch (const Error& error) {
    if (error.fault() != Fault::device || one_by_one_) throw;
    clear();
    one_by_one_ = true;
    layer.outputs.assign(layer.outputs.size(), {});
    return read();
  }
}

}  // namespace attn
