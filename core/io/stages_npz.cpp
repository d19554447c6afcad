#include <algorithm>
#include <array>
#include <cassert>

#include "core/io/layer_npz.h"
#include "core/io/npz.h"

namespace attn {
namespace {

// Stages that are one matrix however many heads there are.
bool joins_heads(std::string_view id) {
  static constexpr std::array<std::string_view, 5> kIds{"x", "memory", "position", "concat", "output"};
  return std::ranges::find(kIds, id) != kIds.end();
}

std::vector<std::byte> stage_npy(const std::string& id, const Tensor& output, std::size_t heads) {
  const Shape shape = output.shape();
  if (joins_heads(id)) {
    assert(shape.stack == 1);
    return write_npy(std::array{shape.rows, shape.columns}, output.values());
  }
  const bool shared = id == "mask" && shape.stack < heads;
  const std::array sizes{shared ? heads : shape.stack, shape.rows, shape.columns};
  if (!shared) return write_npy(sizes, output.values());
  // Consecutive heads share a matrix, as in MaskFill.
  std::vector<float> repeated;
  repeated.reserve(heads * shape.rows * shape.columns);
  for (std::size_t head = 0; head < heads; ++head) {
    const std::size_t matrix = head / (heads / shape.stack);
    const auto values =
        output.values().subspan(matrix * shape.rows * shape.columns, shape.rows * shape.columns);
    repeated.insert(repeated.end(), values.begin(), values.end());
  }
  return write_npy(sizes, repeated);
}

}  // namespace

std::vector<std::byte> stages_npz(const Results& results) {
  const std::size_t heads = head_count(results.document.layer);
  std::vector<std::pair<std::string, std::vector<std::byte>>> members;
  for (std::size_t i = 0; i < results.graph.stages.size(); ++i) {
    const Stage& stage = results.graph.stages[i];
    if (stage.traced && !results.outputs[i].empty())
      members.emplace_back(stage.id, stage_npy(stage.id, results.outputs[i], heads));
  }
  return write_npz(members);
}

}  // namespace attn
