// A model at a moment of its training, for some rows: where its heads look, and what it says.
#pragma once

#include <memory>

#include "core/learning/training.h"

namespace attn {

// One attention over all rows. Its maps are made on the spot, in double, of its projections.
struct MomentAttention {
  std::string name;  // "encoder.layers.0.self_attn"
  std::size_t layer = 0;
  bool decoder = false, cross = false;
  SequenceAttention operation;
  std::vector<Tensor> projections;  // its inputs
  Tensor x, memory;                 // the normed rows that are projected; of cross the other side's too

  // Of one of the rows: 1 behind a row's softmax, 0 where a causal mask hides; heads×queries×keys.
  Tensor map(std::size_t row) const;
};

struct MomentRow {
  std::vector<std::int32_t> input, target, says;  // symbols; −1 in targets that are not asked
  // What the decoder was given, if it reads what has been written: the right answers before each place, of
  // what is not asked what it says itself.
  std::vector<std::int32_t> written;
  std::vector<double> probability;  // of the right answer; of what is not asked 0
  std::size_t asked = 0, right = 0;
};

struct TrainingMoment {
  std::vector<MomentAttention> attentions;  // in the order of the computation
  std::vector<MomentRow> rows;
  Tensor logits;  // 1×(rows·answers)×vocabulary
  std::size_t asked = 0, right = 0;
  double mean_probability = 0;  // of right answers
};

// Compiled once for so many rows: a state is some milliseconds. Refers to the backend.
class MomentMaker {
 public:
  MomentMaker(Backend& backend, const TrainingSpec& spec, std::size_t rows);

  // `parameters` of a state; as many rows as it was made for. Throws Error(Fault::device).
  TrainingMoment at(const std::vector<Tensor>& parameters, const std::vector<TaskRow>& rows);

 private:
  void run(const std::vector<TaskRow>& rows);
  std::vector<TaskRow> run_written(std::vector<TaskRow> rows);

  TrainingSpec spec_;
  std::size_t rows_;
  Graph graph_;
  ModelStages model_;
  StageIndex input_ = 0, target_ = 0;
  std::unique_ptr<Program> program_;
};

// Rows of the task that are not trained on, from the first on.
std::vector<TaskRow> held_out_rows(const TrainingSpec& spec, std::size_t count);
// A row that somebody typed, with its answers by the task's rule: none (all −1) where the task knows none.
// Throws Error where it is no row of the task: its length, or a symbol that there is not.
TaskRow typed_row(const TrainingTask& task, std::vector<std::int32_t> input);
// The symbols of a text: letters of dates and of own pairs, numbers apart by spaces or commas, or digits.
// Throws Error naming the first that is none.
std::vector<std::int32_t> symbols_of_row(const TrainingTask& task, std::string_view text);

// The places that answer `query` by the task's rule: of reverse the place opposite, of copy (in the
// cross-attention) the same, of induction the one behind each earlier occurrence, of recall the value behind
// the key's first; of others none.
std::vector<std::size_t> right_places(const TrainingTask& task, const TaskRow& row,
                                      const MomentAttention& attention, std::size_t query);
// What such places are called: "on the anti-diagonal"; empty: the task has none there.
std::string_view right_place_words(const TrainingTask& task, const MomentAttention& attention);
// A head's weight there, mean over the queries that have one; none: none has.
std::optional<double> share_on_right_place(const TrainingTask& task, const TaskRow& row,
                                           const MomentAttention& attention, const Tensor& map,
                                           std::size_t head);

}  // namespace attn
