// Sliders: a number dragged along a track, for what is looked at while it changes.
#pragma once

#include <cstdint>
#include <optional>

#include "app/fields/fields.h"

namespace attn {

struct SliderBox {
  double value = 0, least = 0, most = 1;
  bool whole = true;
  bool log = false;        // the track is logarithmic: least is above 0
  std::string shown = {};  // the value in words; empty: no line of words above the track
};

// Three digits are enough to aim at.
double three_digits(double value);

// The number that the person drags it to, or steps to with ← and → while it has the focus.
std::optional<double> slider_row(Frame& frame, Column column, const FieldRow& row, const SliderBox& box);

// Below a box with the number, a track to drag it along from `least` to `most`, or as far as it has come.
std::optional<double> number_track(Frame& frame, Column column, const char* id, const NumberField& about,
                                   double value, double least, double most, bool log);
// Below a box with the number, a logarithmic track to drag it along, to `most` or as far as the field goes.
void count_track(Frame& frame, Column column, const char* id, const CountField& about, std::size_t& value,
                 std::size_t most = SIZE_MAX);

}  // namespace attn
