// What is measured: which mechanisms there are, the graphs of those that have kernels, and what a run of one
// takes.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"
#include "core/graph/graph.h"
#include "core/measure/measured.h"

namespace attn {

using GiveUp = std::function<bool()>;
using SecondsClock = std::function<double()>;  // since some moment

// Of what is given to a graph, only the shapes, to be weighed; or random numbers, to be run.
enum class LayerInputs { shapes, numbers };

enum class MeasuredPart {
  attention,   // of n tokens
  layer_rest,  // of n tokens: what attention is compared with
  next_token,  // after n − 1 others
};

// A row of the table of what can be measured. A mechanism with a kernel of its own joins by its graph.
struct MeasureSubject {
  std::string_view name;  // "full": as --mechanism has it
  std::string_view title;
  Graph (*build)(const MeasureShape& shape, std::size_t n, LayerInputs inputs);  // null: not measured
  std::string_view why = {};                                                     // … for this reason
  MeasuredPart part = MeasuredPart::attention;
  std::string (*misfit)(const MeasureShape& shape) = nullptr;  // why it does not take this shape; null: any
  std::size_t longest = std::numeric_limits<std::size_t>::max();  // n that it is measured at

  // Why it is not measured in this shape; empty: it is.
  std::string why_not(const MeasureShape& shape) const;
};
// Those with operations of their own, or with masks whose keys flash attention does not touch, have a graph.
std::span<const MeasureSubject> measure_subjects();
// Of the subjects "flash" and "window", where no query sees a later key; and flash with the weights written.
Graph build_causal_flash(const MeasureShape& shape, std::size_t n, LayerInputs inputs);
Graph build_causal_window(const MeasureShape& shape, std::size_t n, LayerInputs inputs);
Graph build_flash_weights(const MeasureShape& shape, std::size_t n, LayerInputs inputs);
// The way back through it alone, to queries, keys and values: what comes out on the way there is given.
Graph build_flash_backward(const MeasureShape& shape, std::size_t n, LayerInputs inputs);
// A step of decoding with n keys: the new key and value into their caches, and attention of one query a head.
Graph build_decode(const MeasureShape& shape, std::size_t n, LayerInputs inputs);
// Two n×n matrices multiplied, whatever the shape.
Graph build_product(const MeasureShape& shape, std::size_t n, LayerInputs inputs);
// n rows of the layer's width normalised, with gain and bias.
Graph build_layer_norm(const MeasureShape& shape, std::size_t n, LayerInputs inputs);

// Every stage of a layer, in the groups that are timed: names and titles, and the stages of each.
struct MeasureGroup {
  std::string name, title;
  std::vector<StageIndex> stages;
};
struct MeasureLayer {
  Graph graph;
  std::vector<MeasureGroup> groups;
};
MeasureLayer build_measured_layer(const MeasureShape& shape, std::size_t n, LayerInputs inputs);

// Operations as the costs count them: a multiply-add is two, a softmax five a number (maximum, subtraction,
// exponential, sum, division), a scaling one. Bytes: what the stage reads and writes, each once, as float32.
struct Work {
  double operations = 0, bytes = 0;
};
Work work_of(const Graph& graph, StageIndex stage);
Work work_of(const Graph& graph);

// What a run holds in memory, in bytes.
struct Needs {
  std::uint64_t given = 0;    // in this machine's memory: what the device gets a copy of
  std::uint64_t held = 0;     // on the device at most at once
  std::uint64_t largest = 0;  // of one matrix
  std::uint64_t working = 0;  // of the reference, which computes in double
};
Needs needs_of(const Graph& graph);
// Why it does not fit the backend; empty when it does. `free`: of this machine.
std::string too_large(const Needs& needs, const Backend& backend, std::uint64_t free);

// Runs the stages, nothing read back, and waits for them. With `give_up` it waits after each stage and asks
// before the next; false when it gave up. `seconds` gets the time of each stage.
struct StageClock {
  const SecondsClock& clock;
  std::vector<double>& seconds;
};
bool run_on(Backend& backend, Program& program, const GiveUp& give_up,
            const std::optional<StageClock>& each = std::nullopt);

}  // namespace attn
