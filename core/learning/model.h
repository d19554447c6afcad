// The model that learns a task: its sizes, its parameters with PyTorch's names, and its graph over a batch.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/learning/task.h"
#include "core/operations/sequence_attention.h"

namespace attn {

// What tells a model where a symbol stands: a learned row for each place, sines, nothing, or how far it is
// from the one that asks: ALiBi's distances, RoPE's turns, learned vectors for clipped offsets that queries
// meet beside the keys (Shaw), or T5's learned numbers for buckets of offsets, the same in all layers of a
// side.
enum class TrainingPosition { learned, sinusoidal, none, alibi, rope, relative, t5 };
const char* name(TrainingPosition position);  // the word of the command line
const char* name(TrainingDecoder decoder);

// Blocks in pre-norm: attention without biases, and behind it, where there is an inner width, a feed-forward
// network with GELU by the error function. LayerNorm behind the last block; logits by a head, or by the
// embedding it is tied to. A decoder that reads what has been written is causal, and its start symbol is the
// one behind the task's own.
struct TrainingModel {
  TrainingSides sides = TrainingSides::encoder;
  std::size_t layers = 2, heads = 4, width = 64, inner = 0;  // of each side; inner 0: attention alone
  TrainingPosition position = TrainingPosition::learned;
  TrainingDecoder decoder = TrainingDecoder::slots;  // of both sides
  bool tied = false;                                 // logits by the embedding
  bool scale = true;                                 // scores by 1/√d_k; off: as they are
  bool residual = true;  // a box adds to the stream; off: it takes the stream's place
  bool operator==(const TrainingModel&) const = default;
};

inline constexpr std::size_t kTrainedClip = 16;  // of relative: offsets from −16 to 16

bool reads_written(const TrainingModel& model);
// Whether attention to the own side sees no later places.
bool is_causal(const TrainingModel& model, bool decoder);
// What goes in and what comes out: the task's symbols, and the start symbol where there is one.
std::size_t vocabulary_of(const TrainingModel& model, const TrainingTask& task);
std::vector<std::string> vocabulary_labels(const TrainingModel& model, const TrainingTask& task);
// Of learned positions: those of the source, and behind them the decoder's own. Blank slots that are as many
// as the source's places share theirs.
bool has_own_places(const TrainingModel& model, const TrainingTask& task);
// What a decoder that reads what has been written is given: the start symbol, and the answers but the last.
std::vector<std::int32_t> written_before(const TrainingTask& task, const std::vector<std::int32_t>& answers);

inline constexpr double kTrainedNormEpsilon = 1e-5;  // of its LayerNorms, as PyTorch's

// What a model cannot be, in words that say what to change; empty: it can.
std::string model_refusal(const TrainingModel& model, const TrainingTask& task);

// A parameter: 1×rows×columns, vectors one row. in_proj_weight of attention to the other side is two: the
// rows of its queries, and those of its keys and values; so it is where queries meet relative vectors, and so
// is position.weight where the decoder has places of its own.
struct TrainedParameter {
  std::string name;           // "encoder.layers.0.norm1.weight"
  std::size_t first_row = 0;  // of the array of that name
  Shape shape = {};
  double sd = 0;        // of its initial numbers
  double start = 0;     // or all of them
  bool vector = false;  // in files: of one axis
};
std::vector<TrainedParameter> parameters_of(const TrainingModel& model, const TrainingTask& task);

// Initial numbers: normals by the seed, number 4k + i of parameter p is normal i of the Philox block {k, p,
// 0, 1}.
std::vector<Tensor> initial_parameters(const std::vector<TrainedParameter>& parameters, std::uint64_t seed);
std::size_t count_numbers(const std::vector<TrainedParameter>& parameters);

// Arrays by PyTorch's names: parts of one array one below the other.
struct ParameterArray {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<float> numbers;
};
std::vector<ParameterArray> parameter_arrays(const std::vector<TrainedParameter>& parameters,
                                             const std::vector<Tensor>& numbers);

// An attention of a model, in the order of the computation.
struct ModelAttention {
  std::string name;  // "encoder.layers.0.self_attn"
  std::size_t layer = 0;
  bool decoder = false, cross = false;
  SequenceAttention operation;
  StageIndex from = 0, mixed = 0;         // the normed rows that it reads; what its SequenceAttention makes
  std::optional<StageIndex> memory = {};  // of cross: the other side's rows
};

// The graph of a batch, of so many rows of `input` and `target` (core/operations/task_rows.h). What a decoder
// reads that has been written is made of the target.
struct ModelStages {
  std::vector<StageIndex> parameters;  // given, as parameters_of has them
  std::vector<ModelAttention> attentions;
  StageIndex logits = 0, loss = 0;
};
ModelStages append_model(Graph& graph, const TrainingModel& model, const TrainingTask& task, std::size_t rows,
                         StageIndex input, StageIndex target, const std::vector<Tensor>& numbers);

}  // namespace attn
