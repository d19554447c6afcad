// The parameters of a layer's scoring function and of its local attention: their shapes, and numbers for
// those that are not given.
#pragma once

#include <optional>
#include <vector>

#include "core/attention/layer.h"
#include "core/graph/fields.h"
#include "core/operations/position.h"

namespace attn {

// One parameter of a scoring function or of predicted centres, the same for all heads.
struct ScoreParameter {
  const TensorField* field;
  Tensor LayerSpec::*member;
  std::size_t rows, columns;
  std::uint64_t seed;  // of its numbers where it is not given
};

// Those that the layer's scoring function has, for queries and keys of these widths.
std::vector<ScoreParameter> score_parameters(Scoring scoring, const ScoreWidths& widths);
// Those of the centres that local attention predicts for queries of this width; none where it predicts none.
std::vector<ScoreParameter> local_parameters(const LayerSpec& layer, std::size_t query_width);
// Of either.
bool is_score_parameter(const LayerSpec& layer, const Tensor& tensor);
bool uses_score_parameter(const LayerSpec& layer, const Tensor& tensor);

// Of the layer's heads; none where its projections or matrices do not tell. d_a is what the parameters say
// that are given, else d_k.
std::optional<ScoreWidths> score_widths(const LayerSpec& layer);
std::size_t hidden_width(const LayerSpec& layer, std::size_t key_width);
// d_p likewise, else d_q.
std::size_t local_width(const LayerSpec& layer, std::size_t query_width);

// N(0, 1 ÷ columns): each row of it makes numbers of the size of its input's.
LearnedTable made_parameter(const ScoreParameter& parameter);

// Makes the parameters of the layer's scoring function and centres that are missing, or have another shape.
void make_score_parameters(LayerSpec& layer);
// Brings those that are given to the shapes that fit; numbers that still have a place stay.
void resize_score_parameters(LayerSpec& layer);

// Throws Error, naming the array and the shape that fits, unless each parameter that is given fits.
void check_score_parameters(const LayerSpec& layer, const ScoreWidths& widths);
void check_local_parameters(const LayerSpec& layer, std::size_t query_width);

}  // namespace attn
