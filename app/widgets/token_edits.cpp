// Which stages have tokens as rows, told by their roles, and the edits of those tokens, bound to the side
// (queries or keys) that the stage shows.
#include "app/widgets/token_edits.h"

#include "core/attention/edit.h"

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

// X takes tokens and features that a pasted block brings.
void grow(Document& document, std::size_t more_rows, std::size_t more_columns) {
  const std::string label = document.layer.tokens.empty() ? "" : "new";
  set_token_count(document, query_count(document.layer) + more_rows, label);
  if (more_columns > 0) set_width(document, document.layer.x.columns() + more_columns);
}

}  // namespace

void add_token_edits(Grid& grid, const Stage& stage, const Document& draft) {
  const LayerSpec& layer = draft.layer;
  const TokenSide side = stage.rows.along == Axis::keys ? TokenSide::key : TokenSide::query;
  if (!has_token_rows(stage) || token_count(layer, side) != grid.values.rows())
    return;  // or results of another size
  grid.edits.rows = std::make_shared<RowEdits>(row_edits(side, !token_labels(layer, side).empty()));
  if (!grid.input || stage.role != Role::token || side != TokenSide::query) return;
  grid.edits.grow = grow;
  grid.edits.rows_word = "token", grid.edits.columns_word = "feature";
}

}  // namespace attn
