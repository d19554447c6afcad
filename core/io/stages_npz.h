// A computed graph's stages as the arrays of an .npz: what `trace` writes.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "core/evaluate/results.h"
#include "core/io/npz.h"

namespace attn {

// A stage as an array: its shape, and its numbers as those of the pieces one after the other.
struct StageArray {
  std::vector<std::size_t> shape = {};
  std::vector<std::span<const float>> pieces = {};  // of the output
};
// As StagesWriter writes it.
StageArray stage_array(const Graph& graph, StageIndex stage, const Tensor& output);
std::vector<std::size_t> stage_array_shape(const Graph& graph, StageIndex stage);
// Leading axes of 1 say nothing: without them, down to two.
std::vector<std::size_t> essential_shape(std::vector<std::size_t> shape);

// One float32 array for each traced stage, and for each parameter that the layer cannot be made again
// without: those that the program made (score_w, encoding of a learned table), and those that are read with
// q, k and v (core/io/layer_npz.h), the given bias as user_bias. In the graph's order, named by the stage's
// id. Stages before the heads part and after they join (x, position, concat, output) are rows×columns, all
// others h×rows×columns, also for one head. A mask that heads share is repeated for each; keys and values
// keep their own heads.
class StagesWriter {
 public:
  StagesWriter(const Graph& graph, Sink sink, RoomSink later = {})
      : graph_(graph), npz_(std::move(sink), std::move(later)) {}

  // Writes the stage if it is one of these and was computed.
  void add(StageIndex stage, const Tensor& output);
  // An array that is no stage.
  void add(const std::string& name, const std::vector<std::size_t>& shape, std::span<const float> numbers);
  // Room for these of them, whose rows come some at a time, the first first. Needs a RoomSink.
  void leave_room(const std::vector<bool>& wanted);
  void add_rows(StageIndex stage, const Tensor& rows);
  void finish();

 private:
  const Graph& graph_;
  NpzWriter npz_;
  std::map<StageIndex, NpzWriter::Room> rooms_ = {};
};

// Bytes of the file with all that is written of the graph, or of these stages of it.
std::uint64_t stages_size(const Graph& graph, const std::vector<bool>& wanted = {});

// The whole file of finished results.
std::vector<std::byte> stages_npz(const Results& results);

}  // namespace attn
