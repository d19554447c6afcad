// The layers with each known mistake made, one function for each: Mistake::forms. Those that are told from
// numbers read these; of the others only mask_inverted, causal_hides_itself and padding_of_queries look at
// them, for whether rows without a key are NaN.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/mistake.h"

namespace attn::mistake_forms {

using Forms = std::vector<MistakenLayer>;

// Scores and weights.
Forms no_scale(const LayerSpec& layer, const GivenNumbers& numbers);
Forms scale_by_d_k(const LayerSpec& layer, const GivenNumbers& numbers);
Forms scale_twice(const LayerSpec& layer, const GivenNumbers& numbers);
Forms scale_by_model_width(const LayerSpec& layer, const GivenNumbers& numbers);
Forms soft_cap_forgotten(const LayerSpec& layer, const GivenNumbers& numbers);
Forms softmax_over_queries(const LayerSpec& layer, const GivenNumbers& numbers);
Forms softmax_over_heads(const LayerSpec& layer, const GivenNumbers& numbers);
Forms float16(const LayerSpec& layer, const GivenNumbers& numbers);
Forms bfloat16(const LayerSpec& layer, const GivenNumbers& numbers);
Forms temperature(const LayerSpec& layer, const GivenNumbers& numbers);
Forms dropout_on(const LayerSpec& layer, const GivenNumbers& numbers);

// Masks.
Forms mask_inverted(const LayerSpec& layer, const GivenNumbers& numbers);
Forms mask_after_softmax(const LayerSpec& layer, const GivenNumbers& numbers);
Forms mask_adds_1(const LayerSpec& layer, const GivenNumbers& numbers);
Forms causal_sees_ahead(const LayerSpec& layer, const GivenNumbers& numbers);
Forms causal_hides_itself(const LayerSpec& layer, const GivenNumbers& numbers);
Forms causal_alignment(const LayerSpec& layer, const GivenNumbers& numbers);
Forms padding_forgotten(const LayerSpec& layer, const GivenNumbers& numbers);
Forms padding_of_queries(const LayerSpec& layer, const GivenNumbers& numbers);
Forms window_off_by_one(const LayerSpec& layer, const GivenNumbers& numbers);

// Heads and projections.
Forms heads_split_by_reshape(const LayerSpec& layer, const GivenNumbers& numbers);
Forms heads_merged_by_reshape(const LayerSpec& layer, const GivenNumbers& numbers);
Forms groups_tiled(const LayerSpec& layer, const GivenNumbers& numbers);
Forms k_reshaped(const LayerSpec& layer, const GivenNumbers& numbers);
Forms w_not_transposed(const LayerSpec& layer, const GivenNumbers& numbers);
Forms packed_order(const LayerSpec& layer, const GivenNumbers& numbers);
Forms biases_forgotten(const LayerSpec& layer, const GivenNumbers& numbers);
Forms w_o_forgotten(const LayerSpec& layer, const GivenNumbers& numbers);

// Positions.
Forms rope_forgotten(const LayerSpec& layer, const GivenNumbers& numbers);
Forms rope_pairing(const LayerSpec& layer, const GivenNumbers& numbers);
Forms rope_base(const LayerSpec& layer, const GivenNumbers& numbers);
Forms rope_on_values(const LayerSpec& layer, const GivenNumbers& numbers);
Forms positions_from_1(const LayerSpec& layer, const GivenNumbers& numbers);
Forms positions_forgotten(const LayerSpec& layer, const GivenNumbers& numbers);
Forms positions_twice(const LayerSpec& layer, const GivenNumbers& numbers);
Forms alibi_sign(const LayerSpec& layer, const GivenNumbers& numbers);
Forms alibi_no_slope(const LayerSpec& layer, const GivenNumbers& numbers);
Forms qk_norm_forgotten(const LayerSpec& layer, const GivenNumbers& numbers);
Forms qk_norm_after_rope(const LayerSpec& layer, const GivenNumbers& numbers);

// The layer with one change.
template <class Change>
MistakenLayer changed(const LayerSpec& layer, Change change, std::string detail = {}) {
  MistakenLayer made{layer, std::move(detail)};
  change(made.layer);
  return made;
}

// Features of a query's head; 0 where heads do not divide the projection.
std::size_t head_width(const LayerSpec& layer);

}  // namespace attn::mistake_forms
