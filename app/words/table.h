// Stages as text tables, aligned by what a terminal shows, not by bytes.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace attn {

// A number in a few digits: exact zeros and whole numbers bare, four decimals in the ordinary range,
// otherwise scientific; "∞", "−∞", "NaN".
std::string short_number(float value);

// Columns that `text` takes in a terminal: wide (East Asian) characters count two, combining marks none.
std::size_t display_width(std::string_view text);

// Title, formula, shape and axes, then each head's matrix. Long sides are abbreviated, and the title says
// how.
void print_stage(std::ostream& out, const Stage& stage, const Tensor& values);

// Rows of cells, padded to columns; the first row is the header. The first `left` columns align left. What is
// not printable is escaped.
void print_table(std::ostream& out, std::vector<std::vector<std::string>> rows, std::size_t left);

// Messages, one a line. What is not printable is escaped.
void print_lines(std::ostream& out, std::span<const std::string> lines);

}  // namespace attn
