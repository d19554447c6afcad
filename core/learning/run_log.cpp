// A run's log: what is kept of it, and what goes when it is too much.
#include "core/learning/run_log.h"

namespace attn {
namespace {

std::size_t bytes_of_all(const std::vector<Tensor>& tensors) {
  std::size_t sum = 0;
  for (const Tensor& tensor : tensors) sum += tensor.shape().size() * sizeof(float);
  return sum;
}

}  // namespace

std::size_t TrainingSnapshot::bytes() const {
  return sizeof(*this) + bytes_of_all(state.parameters) + bytes_of_all(state.moments);
}

std::size_t TrainingLog::bytes() const {
  std::size_t sum = losses.size() * sizeof(float);
  for (const auto& snapshot : snapshots) sum += snapshot->bytes();
  return sum;
}

const TrainingSnapshot& TrainingLog::nearest(std::size_t step) const {
  std::size_t found = 0;
  while (found + 1 < snapshots.size() && snapshots[found + 1]->state.step <= step) ++found;
  return *snapshots.at(found);
}

bool TrainingLog::add(std::shared_ptr<const TrainingSnapshot> snapshot, std::size_t most_bytes) {
  snapshots.push_back(std::move(snapshot));
  bool thinned = false;
  while (snapshots.size() > 2 && bytes() > most_bytes) {
    std::size_t left = 0;
    for (std::size_t i = 0; i < snapshots.size(); ++i)
      if (i % 2 == 0 || i + 1 == snapshots.size()) snapshots[left++] = snapshots[i];
    snapshots.resize(left), thinned = true;
  }
  return thinned;
}

}  // namespace attn
