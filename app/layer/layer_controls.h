// The controls of a layer: its sizes, scores, mask, position, chance and heads, each from what is said about
// its field (core/attention/layer_fields.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/fields/field_rows.h"
#include "core/attention/layer.h"
#include "core/document/stack_edit.h"

namespace attn {

// All sections, top to bottom. Each draws at the cursor and changes the draft.
void draw_layer_controls(Frame& frame, Column column);
// Those of how it attends: without its sizes, and without what of it is shown.
void draw_attention_controls(Frame& frame, Column column);

// The head of one of them, with what it says of a layer: set off where that is not what it says of A.
bool layer_section(Frame& frame, Column column, std::string_view title,
                   const std::function<std::string(const LayerSpec&)>& state, bool open = false);

void draw_size_controls(Frame& frame, Column column);
void draw_head_counts(Frame& frame, Column column);  // inside the section of sizes
void draw_score_controls(Frame& frame, Column column);
void draw_scale_rows(Frame& frame, Column column);  // inside it
void draw_mask_controls(Frame& frame, Column column);
void draw_weighting_controls(Frame& frame, Column column);  // with local attention
void draw_precision_controls(Frame& frame, Column column);
void draw_position_controls(Frame& frame, Column column);
void draw_position_kind(Frame& frame, Column column);  // inside it
void draw_chance_controls(Frame& frame, Column column);
void draw_mistake_controls(Frame& frame, Column column);  // of heads, axes and positions
// `whole`: with how many there are, and open until the person folds them.
void draw_head_controls(Frame& frame, Column column, bool whole);
void draw_show_controls(Frame& frame, Column column);
void draw_weight_range(Frame& frame, Column column);  // inside it; of all maps of weights

// What is said of a scoring function, with what it costs in this layer, of a weighting and of local
// attention.
std::string words_of(Scoring scoring, const LayerSpec& layer);
std::string words_of(Weighting weighting, const LayerSpec& layer);
std::string words_of(Local local, const LayerSpec& layer);
std::string words_of(NumberFormat format, const LayerSpec& layer);

// Takes the mask's rules of a kind (the place of a MaskRule's alternative) out, or puts a new one in, of
// numbers that fit the layer, or so many queries and keys.
void toggle_rule(LayerSpec& layer, std::size_t kind);
void toggle_rule(LayerSpec& layer, std::size_t kind, PairCounts pairs);

// Switches a head off, or on again.
void toggle_head(LayerSpec& layer, std::size_t head);
// All heads off but this one; all on when it was alone already.
void solo_head(LayerSpec& layer, std::size_t head);

// The layer by name; and the part of it that switches heads.
void layer_commands(std::vector<Command>& table, const Desk& desk);
void head_commands(std::vector<Command>& table, const LayerSpec& layer);

// ALiBi's slopes of so many heads, as many as a hint has room for: "slopes 0.5 0.25".
std::string slopes_of(std::size_t heads);

}  // namespace attn
