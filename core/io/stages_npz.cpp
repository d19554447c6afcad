// Stages as arrays: their shapes, and matrices that heads share.
#include "core/io/stages_npz.h"

#include <cassert>

#include "core/graph/rounding.h"
#include "core/io/layer_npz.h"

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

bool is_written(const Graph& graph, StageIndex index) {
  const Stage& stage = graph.stages[index];
  if (stage.traced || is_read_with_qkv(stage.id)) return true;
  return stage.drawn != Drawn::never && graph.stages[computing(graph, index)].traits.made_from_seed;
}

// Of its array: those that heads share count for each.
std::size_t matrix_count(const Graph& graph, StageIndex index) {
  const Stage& stage = graph.stages[index];
  const bool shared = stage.stack == Stack::shared;
  return shared ? std::max(stage.shape.stack, heads_of(graph, stage.part)) : stage.shape.stack;
}

}  // namespace

std::vector<std::size_t> stage_array_shape(const Graph& graph, StageIndex index) {
  const Stage& stage = graph.stages[index];
  return array_shape(stage, heads_of(graph, stage.part));
}

std::vector<std::size_t> essential_shape(std::vector<std::size_t> shape) {
  while (shape.size() > 2 && shape.front() == 1) shape.erase(shape.begin());
  return shape;
}

StageArray stage_array(const Graph& graph, StageIndex index, const Tensor& output) {
  const Stage& stage = graph.stages[index];
  const std::size_t heads = heads_of(graph, stage.part), matrix = stage.shape.rows * stage.shape.columns;
  StageArray array{.shape = array_shape(stage, heads)};
  if (stage.stack == Stack::shared && stage.shape.stack < heads)
    for (std::size_t head = 0; head < heads; ++head)  // consecutive heads share a matrix, as in MaskFill
      array.pieces.push_back(
          output.values().subspan(shared_matrix(head, stage.shape.stack, heads) * matrix, matrix));
  else
    array.pieces.push_back(output.values());
  return array;
}

void StagesWriter::add(StageIndex index, const Tensor& output) {
  const Stage& stage = graph_.stages[index];
  if (!is_written(graph_, index) || output.empty()) return;
  const StageArray array = stage_array(graph_, index, output);
  npz_.add(stage.id, array.shape, array.pieces);
}

void StagesWriter::add(const std::string& name, const std::vector<std::size_t>& shape,
                       std::span<const float> numbers) {
  npz_.add(name, shape, std::vector{numbers});
}

void StagesWriter::leave_room(const std::vector<bool>& wanted) {
  for (StageIndex i = 0; i < graph_.stages.size(); ++i)
    if (wanted[i] && is_written(graph_, i))
      rooms_.emplace(i, npz_.leave_room(graph_.stages[i].id, stage_array_shape(graph_, i)));
}

void StagesWriter::add_rows(StageIndex index, const Tensor& rows) {
  const auto room = rooms_.find(index);
  if (room == rooms_.end()) return;
  const std::size_t matrices = matrix_count(graph_, index), size = rows.rows() * rows.columns();
  for (std::size_t m = 0; m < matrices; ++m)
    npz_.fill(room->second, m, rows.values().subspan(shared_matrix(m, rows.stack(), matrices) * size, size));
}

void StagesWriter::finish() {
  for (const auto& [stage, room] : rooms_) npz_.close_room(room);
  npz_.finish();
}

std::uint64_t stages_size(const Graph& graph, const std::vector<bool>& wanted) {
  std::uint64_t size = 0;
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (const Stage& stage = graph.stages[i]; is_written(graph, i) && (wanted.empty() || wanted[i]))
      size += NpzWriter::array_size(stage.id, array_shape(stage, heads_of(graph, stage.part)));
  return size;
}

std::vector<std::byte> stages_npz(const Results& results) {
  std::vector<std::byte> file;
  StagesWriter writer(results.graph, [&](Bytes bytes) { append(file, bytes); });
  for (StageIndex i = 0; i < results.outputs.size(); ++i)
    if (results.outputs[i].here()) writer.add(i, results.outputs[i].whole());
  writer.finish();
  return file;
}

}  // namespace attn
