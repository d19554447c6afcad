// Which stages have tokens as rows, told by their roles, and the edits of those tokens, bound to the side
// (queries or keys) that the stage shows.
#include "app/cells/token_edits.h"

#include <functional>
#include <string>

#include "core/edits/edit.h"
#include "core/system/error.h"

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

RowEdits row_edits(Address layer, TokenSide side, bool named) {
  return {.named = named,
          .insert =
              [layer, side](Document& d, std::size_t at, const std::string& label) {
                insert_token({d, layer}, at, label, side);
              },
          .remove =
              [layer, side](Document& d, std::size_t at) {
                remove_token({d, layer}, at, side);
              },
          .move =
              [layer, side](Document& d, std::size_t from, std::size_t to) {
                move_token({d, layer}, from, to, side);
              },
          .rename =
              [layer, side](Document& d, std::size_t row, const std::string& label) {
                rename_token({d, layer}, row, label, side);
              }};
}

void set_tokens(LayerAt in, std::size_t count, TokenSide side) {
  if (token_count(in.layer(), side) == count) return;
  set_token_count(in, count, token_labels(in.layer(), side).empty() ? "" : "new", side);
}

std::size_t of_each(std::size_t columns, std::size_t heads) {
  if (columns % heads == 0) return columns / heads;
  throw Error(std::to_string(columns) + " columns are not the same number for each of " +
                  std::to_string(heads) + " heads",
              Fault::option);
}

using Resize = std::function<void(LayerAt, std::size_t, std::size_t)>;

// Tokens, queries, keys and values: rows are tokens.
Resize resize_rows_of(Role role, TokenSide side) {
  return [role, side](LayerAt in, std::size_t rows, std::size_t columns) {
    set_tokens(in, rows, side);
    if (role == Role::query)
      set_width_of_queries(in, columns);
    else if (role == Role::key)
      set_width_of_keys(in, columns);
    else if (role == Role::value)
      set_width_of_values(in, columns);
    else if (side == TokenSide::key && !in.layer().memory.empty())
      set_memory_width(in, columns);
    else
      set_width(in, columns);
  };
}

// Projections: rows are features of what they read, columns those of all heads.
Resize resize_projection(Role role) {
  return [role](LayerAt in, std::size_t rows, std::size_t columns) {
    const LayerSpec& layer = in.layer();
    if (role == Role::output) {
      set_output_width(in, columns);
      return set_width_of_values(in, of_each(rows, layer.heads));
    }
    role == Role::query || layer.memory.empty() ? set_width(in, rows) : set_memory_width(in, rows);
    if (role == Role::query)
      set_width_of_queries(in, of_each(columns, layer.heads));
    else if (role == Role::key)
      set_width_of_keys(in, of_each(columns, layer.kv_heads));
    else
      set_width_of_values(in, of_each(columns, layer.kv_heads));
  };
}

bool is_projection(const Stage& stage) {
  const bool ours = stage.role == Role::query || stage.role == Role::key || stage.role == Role::value ||
                    stage.role == Role::output;
  return ours && stage.drawn == Drawn::parameters && !stage.rows.name.empty();  // a bias has one row
}

}  // namespace

void add_token_edits(Grid& grid, const Stage& stage, const Document& draft, Address address) {
  const LayerSpec& layer = draft.layer(address);
  const auto of_document = [address](const Resize& resize) {
    return [address, resize](Document& d, std::size_t rows, std::size_t columns) {
      resize({d, address}, rows, columns);
    };
  };
  if (grid.input && is_projection(stage)) {
    grid.edits.resize = of_document(resize_projection(stage.role));
    grid.edits.rows_word = "feature", grid.edits.columns_word = "column";
    return;
  }
  const TokenSide side = stage.rows.along == Axis::keys ? TokenSide::key : TokenSide::query;
  if (!has_token_rows(stage) || token_count(layer, side) != grid.values.rows())
    return;  // or results of another size
  grid.edits.rows = std::make_shared<RowEdits>(row_edits(address, side, !token_labels(layer, side).empty()));
  if (!grid.input) return;
  grid.edits.resize = of_document(resize_rows_of(stage.role, side));
  grid.edits.rows_word = "token", grid.edits.columns_word = "feature";
}

}  // namespace attn
