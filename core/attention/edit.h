// Edits of a document as pure steps: what the widgets and commands do to the draft. Shapes follow each other:
// an edit that cannot be made throws Error and leaves the document as it was.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/document.h"

namespace attn {

// The document's own tensor behind a stage id ("x", "w_q", "q" when direct, …); null when the stage is
// computed.
const Tensor* input_tensor(const Document& document, std::string_view stage);
Tensor* input_tensor(Document& document, std::string_view stage);

// Sets one number: of the document when the stage is an input, else as an override of the computed cell.
void set_number(Document& document, const std::string& stage, Cell cell, float value);
// Sets many at once, with one new tensor.
void set_numbers(Document& document, const std::string& stage, std::span<const CellValue> cells);
bool is_overridden(const Document& document, std::string_view stage, Cell cell);
void remove_override(Document& document, std::string_view stage, Cell cell);

// Tokens are rows of x (queries; of q, k, v too when direct and square). Masks, biases, padding and labels
// follow; overrides of cells that no longer exist are dropped. Where keys are tokens of their own (memory, or
// direct with another number of keys) `side` says which are meant; else it makes no difference.
enum class TokenSide { query, key };
bool has_own_keys(const LayerSpec& layer);
// The number of tokens on a side, and their labels (may be empty).
std::size_t token_count(const LayerSpec& layer, TokenSide side = TokenSide::query);
const Labels& token_labels(const LayerSpec& layer, TokenSide side = TokenSide::query);

// Zeros, weights unchanged; nothing masks the new token, except padding when it is put behind the valid keys.
// An empty label in a layer without labels leaves it without.
void insert_token(Document& document, std::size_t at, const std::string& label,
                  TokenSide side = TokenSide::query);
// The last one stays.
void remove_token(Document& document, std::size_t at, TokenSide side = TokenSide::query);
// Carried to row `to`. Padding counts positions, not tokens: its lengths stay.
void move_token(Document& document, std::size_t from, std::size_t to, TokenSide side = TokenSide::query);
// A layer without labels gets its indices as labels first.
void rename_token(Document& document, std::size_t at, const std::string& label,
                  TokenSide side = TokenSide::query);

// The model width d: x's columns and the projections' rows, and with them memory's and W_O's columns where
// these are d as well. New numbers are zeros in x and biases, small seeded normals in W.
void set_width(Document& document, std::size_t width);
// Heads: the projections keep their columns when the heads divide them; w_k and w_v grow or shrink when the
// queries of one key/value head change in number. Throws Error offering the nearest otherwise.
void set_heads(Document& document, std::size_t heads, std::size_t kv_heads);

}  // namespace attn
