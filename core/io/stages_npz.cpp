// Stages as arrays: their shapes, and matrices that heads share.
#include "core/io/stages_npz.h"

#include <cassert>

namespace attn {
namespace {

// Of the array; `heads` of the stage's part.
std::vector<std::size_t> array_shape(const Stage& stage, std::size_t heads) {
  const auto [stack, rows, columns] = stage.shape;
  switch (stage.stack) {
    case Stack::joined:
      assert(stack == 1);
      return {rows, columns};
    case Stack::heads:
      return {stack, rows, columns};
    case Stack::shared:
      return {std::max(stack, heads), rows, columns};
  }
  return {};
}

}  // namespace

void StagesWriter::add(StageIndex index, const Tensor& output) {
  const Stage& stage = graph_.stages[index];
  if (!stage.traced || output.empty()) return;
  const std::size_t heads = heads_of(graph_, stage.part), matrix = stage.shape.rows * stage.shape.columns;
  std::vector<std::span<const float>> pieces;
  if (stage.stack == Stack::shared && stage.shape.stack < heads)
    for (std::size_t head = 0; head < heads; ++head)  // consecutive heads share a matrix, as in MaskFill
      pieces.push_back(
          output.values().subspan(shared_matrix(head, stage.shape.stack, heads) * matrix, matrix));
  else
    pieces.push_back(output.values());
  npz_.add(stage.id, array_shape(stage, heads), pieces);
}

std::uint64_t stages_size(const Graph& graph) {
  std::uint64_t size = 0;
  for (const Stage& stage : graph.stages)
    if (stage.traced)
      size += NpzWriter::array_size(stage.id, array_shape(stage, heads_of(graph, stage.part)));
  return size;
}

std::vector<std::byte> stages_npz(const Results& results) {
  std::vector<std::byte> file;
  StagesWriter writer(results.graph, [&](Bytes bytes) { append(file, bytes); });
  for (StageIndex i = 0; i < results.outputs.size(); ++i) writer.add(i, results.outputs[i]);
  writer.finish();
  return file;
}

}  // namespace attn
