// Where a row that somebody printed or typed comes from: whether it is what is computed, and if not, what
// makes it and at which stage it parts from the computation.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/mistake.h"
#include "core/lesson/live_numbers.h"

namespace attn {

// Numbers as they were typed or pasted, one behind the other.
struct OwnRow {
  std::vector<double> numbers = {};
  double rounding = 0;     // half of the last digit that one of them has: as much may be rounded away
  std::string error = {};  // why there are none
};
OwnRow read_own_row(std::string_view text);

// Of weights that no known mistake makes: the two keys whose ratio is farthest from what their scores say.
struct RowGap {
  std::size_t larger = 0, smaller = 0;  // of the row
  double ratio = 1;                     // of the one to the other
  double needed = 0, there = 0;         // gaps of scores: ln of that ratio, and as they are computed
};

struct RowOrigin {
  enum Kind {
    same,       // as rounded
    mistake,    // a known mistake makes it
    follows,    // it is computed from another printed row: `cells`
    elsewhere,  // it has the numbers of other cells: `cells`
    apart,      // nothing known makes it
  } kind = apart;
  std::string stage = {};                     // where they part, as it is called; empty: nowhere
  std::vector<const Mistake*> mistakes = {};  // that make it
  LessonCells cells = {};
  std::optional<double> sum = {};   // of weights that should add up to 1, and do not
  std::optional<RowGap> gap = {};   // of weights
  bool mistakes_were_tried = true;  // false: the layer is too large, or the row is none of a layer's
};

// `of`: the cells that the row is said to be, as many as it has numbers. `printed`: rows that the same text
// prints. Computed on the reference; takes some milliseconds.
RowOrigin origin_of(const OwnRow& row, const LessonCells& of, std::span<const PrintedRow> printed,
                    const Results& now);

}  // namespace attn
