// What the stages of one layer share while they are appended to a graph, and the four runs that they come in.
// Private to core/attention: others use append_layer.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/layer.h"
#include "core/graph/fields.h"

namespace attn {

struct ScoreParameter;

struct LayerBuilder {
  LayerBuilder(Graph& graph, const LayerSpec& layer, const LayerPlace& place);

  Graph& graph;
  const LayerSpec& layer;
  const LayerPlace& place;
  Axis queries, keys, feature{"feature"};
  Mask sizes;                                        // without rules
  std::size_t query_position = 0, key_position = 0;  // of the first of either
  LayerStages places;
  std::optional<StageIndex> centre;  // where each query looks, of local attention that predicts it
  std::vector<FormulaSpan> formula;  // of the layer so far; what wraps it is put around it
  std::size_t step = Stage::kNoStep;

  // The stages that are added from here on belong to a step of their own.
  void begin_step(std::string title, std::string says, std::string opened = {});
  StageIndex add(Stage stage);
  // A stage of another layer as this one takes it: rounded to its precision.
  StageIndex taken(StageIndex from);
  // A matrix of the document. Without a title it is called by its symbol.
  StageIndex given(const TensorField& about, const Tensor& tensor, Axis rows, Axis columns,
                   std::string words = "given", std::string title = {});
  // What a position adds: twice what the stage says, where the layer adds it twice.
  StageIndex add_position(Stage stage);
  // A parameter as it is given, or made.
  StageIndex parameter(const ScoreParameter& parameter);
  // "the → cat": a row for each query with each key; without words where they are many.
  Axis pairs() const;
  // A number for each query and key of each head, to be completed.
  Stage pair(std::string id, std::string words, Operation operation, std::vector<StageIndex> inputs,
             std::string sentence) const;
  // A matrix of each head with a row for each query.
  Stage of_heads(std::string id, std::string words, Operation operation, std::vector<StageIndex> inputs,
                 std::string sentence) const;
  // Queries or keys made into something else, to be completed.
  Stage made_from(StageIndex from, std::string id, std::string title, std::string words, Operation operation,
                  std::vector<StageIndex> inputs, std::string sentence) const;
  // The length of each row of queries or keys: a step that has to be opened.
  StageIndex add_lengths(StageIndex from, std::string id, std::string title, RowLength operation,
                         std::string sentence);
};

// x, memory, position and projections, or Q, K and V as they are given.
void append_inputs(LayerBuilder& b);
// Tokens with their positions, `first` that of row 0, where an encoding is added; Q and K turned; the scores
// with their bias; and the heads' outputs with what offsets add. Each returns what it was given where the
// position does nothing there.
StageIndex append_encoding(LayerBuilder& b, StageIndex tokens, std::size_t first, const std::string& of = {});
void append_rotation(LayerBuilder& b);
StageIndex append_bias(LayerBuilder& b, StageIndex scores);
// A table of numbers drawn by a seed, shown with the other parameters.
Stage drawn_table(std::string id, std::string title, const LearnedTable& numbers, Axis rows, Axis columns,
                  std::string sentence);
// T5's numbers for each head and bucket.
StageIndex append_bucket_table(LayerBuilder& b, const T5Bias& t5);
StageIndex append_relative_output(LayerBuilder& b, StageIndex weights, Stage content);
// What code does wrong with heads: Q, K or V projected as one matrix and viewed as heads; the operation that
// brings heads side by side, and what it reads of them; keys and values that heads read modulo their number;
// keys as scores read them. The last three return what they were given, or do nothing, where nothing is
// wrong.
StageIndex append_split_by_memory(LayerBuilder& b, Stage projection, std::size_t heads);
Operation merging(const LayerBuilder& b, StageIndex head_output);
StageIndex append_muted(LayerBuilder& b, StageIndex head_output);
void append_tiled(LayerBuilder& b);
StageIndex append_turned_keys(LayerBuilder& b, StageIndex keys);
// From Q and K to the scores, by the layer's function.
StageIndex append_scoring(LayerBuilder& b);
// From Q and K to what the softmax reads: scores, scaled, capped, biased, masked. Returns the last of them.
StageIndex append_scores(LayerBuilder& b);
// The user's own mask; none where there is none. What the rules and it hide, as a matrix.
std::vector<StageIndex> append_painted_mask(LayerBuilder& b);
StageIndex append_mask(LayerBuilder& b, const std::vector<StageIndex>& painted);
// The weights as a mask after the softmax leaves them; what it was given where there is none there.
StageIndex append_late_mask(LayerBuilder& b, StageIndex weights);
// Of local attention: the centres, where they are predicted; what hides keys that are too far from them, and
// what `rules` hides as well; and the weights as they fall off around a predicted centre. The last returns
// what it was given where there is none.
void append_centres(LayerBuilder& b);
StageIndex append_local_mask(LayerBuilder& b, std::optional<StageIndex> rules, const std::string& words);
StageIndex append_decay(LayerBuilder& b, StageIndex weights);
// The steps of its weighting, weights, a late mask, local attention, chance. Returns the weights that mix the
// values.
StageIndex append_weights(LayerBuilder& b, StageIndex scores);
// The heads' outputs, side by side, and times W_O.
void append_output(LayerBuilder& b, StageIndex weights);
void append_merged(LayerBuilder& b, StageIndex head_output);

// Puts what is done to all of the formula so far around it.
void wrap(std::vector<FormulaSpan>& formula, const std::string& before, const std::string& behind,
          const std::vector<StageIndex>& stages);
// A number in the words of a stage.
std::string number_words(double value);
// "score additive".
std::string titled(std::string_view title, std::string_view word);
// Why this layer needs its scores or weights one by one, whatever else adds them up. Empty: it does not.
std::string pairwise_obstacle(const LayerSpec& layer);
// What scores of queries of this width are multiplied by.
Scale score_scale(const LayerSpec& layer, std::size_t columns);
// The layer's numbers that such a factor is made of.
std::vector<StageNumber> scale_numbers(const LayerSpec& layer, const Scale& scale);

}  // namespace attn
