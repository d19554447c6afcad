// Which stages have tokens as rows, told by their roles, and the edits of those tokens, bound to the side
// (queries or keys) that the stage shows.
#include "app/widgets/token_edits.h"

#include <functional>
#include <string>

#include "core/attention/edit.h"
#include "core/error.h"

namespace attn {
namespace {

bool has_token_rows(const Stage& stage) {
  switch (stage.role) {
    case Role::token:
    case Role::query:
    case Role::key:
    case Role::value:
      return stage.drawn == Drawn::always && stage.rows.along != Axis::other;
    default:
      return false;
  }
}

RowEdits row_edits(TokenSide side, bool named) {
  return {.named = named,
          .insert = [side](Document& d, std::size_t at,
                           const std::string& label) { insert_token(d, at, label, side); },
          .remove = [side](Document& d, std::size_t at) { remove_token(d, at, side); },
          .move = [side](Document& d, std::size_t from, std::size_t to) { move_token(d, from, to, side); },
          .rename = [side](Document& d, std::size_t row,
                           const std::string& label) { rename_token(d, row, label, side); }};
}

void set_tokens(Document& document, std::size_t count, TokenSide side) {
  if (token_count(document.layer, side) == count) return;
  set_token_count(document, count, token_labels(document.layer, side).empty() ? "" : "new", side);
}

std::size_t of_each(std::size_t columns, std::size_t heads) {
  if (columns % heads == 0) return columns / heads;
  throw Error(std::to_string(columns) + " columns are not the same number for each of " +
                  std::to_string(heads) + " heads",
              Fault::option);
}

using Resize = std::function<void(Document&, std::size_t, std::size_t)>;

// Tokens, queries, keys and values: rows are tokens.
Resize resize_rows_of(Role role, TokenSide side) {
  return [role, side](Document& d, std::size_t rows, std::size_t columns) {
    set_tokens(d, rows, side);
    if (role == Role::query)
      set_width_of_queries(d, columns);
    else if (role == Role::key)
      set_width_of_keys(d, columns);
    else if (role == Role::value)
      set_width_of_values(d, columns);
    else if (side == TokenSide::key && !d.layer.memory.empty())
      set_memory_width(d, columns);
    else
      set_width(d, columns);
  };
}

// Projections: rows are features of what they read, columns those of all heads.
Resize resize_projection(Role role) {
  return [role](Document& d, std::size_t rows, std::size_t columns) {
    const LayerSpec& layer = d.layer;
    if (role == Role::output) {
      set_output_width(d, columns);
      return set_width_of_values(d, of_each(rows, layer.heads));
    }
    role == Role::query || layer.memory.empty() ? set_width(d, rows) : set_memory_width(d, rows);
    if (role == Role::query)
      set_width_of_queries(d, of_each(columns, layer.heads));
    else if (role == Role::key)
      set_width_of_keys(d, of_each(columns, layer.kv_heads));
    else
      set_width_of_values(d, of_each(columns, layer.kv_heads));
  };
}

bool is_projection(const Stage& stage) {
  const bool ours = stage.role == Role::query || stage.role == Role::key || stage.role == Role::value ||
                    stage.role == Role::output;
  return ours && stage.drawn == Drawn::parameters && !stage.rows.name.empty();  // a bias has one row
}

}  // namespace

void add_token_edits(Grid& grid, const Stage& stage, const Document& draft) {
  const LayerSpec& layer = draft.layer;
  if (grid.input && is_projection(stage)) {
    grid.edits.resize = resize_projection(stage.role);
    grid.edits.rows_word = "feature", grid.edits.columns_word = "column";
    return;
  }
  const TokenSide side = stage.rows.along == Axis::keys ? TokenSide::key : TokenSide::query;
  if (!has_token_rows(stage) || token_count(layer, side) != grid.values.rows())
    return;  // or results of another size
  grid.edits.rows = std::make_shared<RowEdits>(row_edits(side, !token_labels(layer, side).empty()));
  if (!grid.input) return;
  grid.edits.resize = resize_rows_of(stage.role, side);
  grid.edits.rows_word = "token", grid.edits.columns_word = "feature";
}

}  // namespace attn
