// Edits of a layer's sizes and tokens as pure steps: what the widgets and commands do to the draft. Shapes
// follow each other: an edit that cannot be made throws Error and leaves the document as it was. Numbers are
// set by core/document/edit.h.
#pragma once

#include <string>
#include <vector>

#include "core/document/edit.h"

namespace attn {

// Tokens are rows of x (queries; of q, k, v too when direct and square). Masks, biases, padding and labels
// follow; overrides of cells that no longer exist are dropped. Where keys are tokens of their own (memory, or
// direct with labels of their own or another number of keys) `side` says which are meant; else it makes no
// difference.
enum class TokenSide { query, key };
bool has_own_keys(const LayerSpec& layer);
// The number of tokens on a side, and their labels (may be empty).
std::size_t token_count(const LayerSpec& layer, TokenSide side = TokenSide::query);
const Labels& token_labels(const LayerSpec& layer, TokenSide side = TokenSide::query);

// Zeros, weights unchanged; nothing masks the new token, except padding when it is put behind the valid keys.
// An empty label in a layer without labels leaves it without.
void insert_token(LayerAt in, std::size_t at, const std::string& label, TokenSide side = TokenSide::query);
// The last one stays.
void remove_token(LayerAt in, std::size_t at, TokenSide side = TokenSide::query);
// From the end: the last ones go, or new ones come, all with this label; with an empty one, where the layer
// has labels, with their indices.
void set_token_count(LayerAt in, std::size_t count, const std::string& label = {},
                     TokenSide side = TokenSide::query);
// Carried to row `to`. Padding counts positions, not tokens: its lengths stay.
void move_token(LayerAt in, std::size_t from, std::size_t to, TokenSide side = TokenSide::query);
// A layer without labels gets its indices as labels first.
void rename_token(LayerAt in, std::size_t at, const std::string& label, TokenSide side = TokenSide::query);

// The model width d: x's columns and the projections' rows, and with them memory's and W_O's columns where
// these are d as well. New numbers are zeros in x and biases, small seeded normals in W.
void set_width(LayerAt in, std::size_t width);
// The widths of each head: d_q of queries, d_k of keys and d_v of values.
std::size_t query_width(const LayerSpec& layer);
std::size_t key_width(const LayerSpec& layer);
std::size_t value_width(const LayerSpec& layer);
// Others: heads keep their first columns. What comes is random, of a variance that the widths do not change:
// 1/d in W_Q, W_K and W_V, 1/(h·d_v) in W_O's rows, 1 in Q, K and V that are given. Throws Error from 0 or
// beyond 16384 and where the layer's position encoding needs another width. Queries and keys change together
// where the score compares them feature by feature, else each alone.
void set_width_of_queries(LayerAt in, std::size_t width);
void set_width_of_keys(LayerAt in, std::size_t width);
void set_width_of_values(LayerAt in, std::size_t width);
// The columns of the memory and of W_O alone, likewise. Throw Error where the layer has none.
void set_memory_width(LayerAt in, std::size_t width);
void set_output_width(LayerAt in, std::size_t width);
// Heads: the projections keep their columns when the heads divide them; w_k and w_v grow or shrink when the
// queries of one key/value head change in number. Throws Error offering the nearest otherwise.
void set_heads(LayerAt in, std::size_t heads, std::size_t kv_heads);
// What set_heads takes, ascending: numbers of heads, with as many key/value heads as there are now or, where
// all heads have their own, as many as heads; and numbers of key/value heads.
std::vector<std::size_t> possible_heads(const LayerSpec& layer);
std::vector<std::size_t> possible_kv_heads(const LayerSpec& layer);
// Key/value heads for another number of heads: as many as heads where that was so.
std::size_t kv_heads_for(const LayerSpec& layer, std::size_t heads);

// How queries and keys become scores; parameters that are missing, or fit no longer, are made.
void set_scoring(LayerAt in, Scoring scoring);
// d_a of a score that has hidden features: its parameters grow or shrink. Throws Error where it has none.
void set_hidden_width(LayerAt in, std::size_t width);
inline constexpr std::size_t kMostHidden = 4096;
// Which keys each query sees; parameters of predicted centres likewise, and d_p of them. Throws Error where
// they are not predicted.
void set_local(LayerAt in, Local local);
void set_local_width(LayerAt in, std::size_t width);

// Q, K and V as they are given become the layer's own numbers; x and the projections wait for the way back.
void use_direct(LayerAt in, const Tensor& q, const Tensor& k, const Tensor& v);
// Back to the projections; throws Error when they fit no longer.
void use_projected(LayerAt in);

}  // namespace attn
