// What may be done to a matrix on screen, handed in with it by whoever shows it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "app/frame/frame.h"
#include "core/document/edit.h"

namespace attn {

// Rows that are things of their own: tokens, data points.
struct RowEdits {
  bool named = false;  // they have labels: a new one needs one
  std::function<void(Document&, std::size_t at, const std::string& label)> insert;
  std::function<void(Document&, std::size_t at)> remove;
  std::function<void(Document&, std::size_t from, std::size_t to)> move;
  std::function<void(Document&, std::size_t row, const std::string& label)> rename;
  std::string thing = "token";  // what one is called
};

// Cells that are painted on instead of scrubbed and selected.
struct CellPaint {
  std::function<bool(const Document&, Cell)> is_on;
  std::function<void(Document&, std::span<const Cell>, bool on)> set;  // throws Error
  // The left button puts on and the right one takes away; else the left one does what the first cell is not.
  bool two_buttons = false;
  std::function<void(Document&, Cell, double notches)> turn =
      {};  // the wheel; throws Error. Empty: it scrolls
};

struct GridEdits {
  // Sets numbers; throws Error, for a matrix that is only to be read too.
  std::function<void(Document&, std::span<const CellValue>)> set = {};
  // Gives the matrix the size of a pasted block; throws Error. Empty: it keeps its own.
  std::function<void(Document&, std::size_t rows, std::size_t columns)> resize = {};
  std::shared_ptr<const RowEdits> rows = {};               // null: rows cannot be carried about
  std::shared_ptr<const CellPaint> paint = {};             // null: nothing is painted now
  std::string rows_word = "row", columns_word = "column";  // what another size adds: "token", "feature"
};

// Numbers of a stage: of the document where it shows one of its tensors, else overrides.
GridEdits number_edits(const Frame& frame, const std::string& stage);

}  // namespace attn
