// The fields of the workspace of entropy: the one list that sessions, undo steps and controls are made from.
#pragma once

#include "core/entropy/part.h"
#include "core/graph/fields.h"

namespace attn {

namespace entropy_field {

inline constexpr double kLeastTemperature = 0.001, kMostTemperature = 1000;

constexpr NumberField temperature(FieldText text) {
  return {.text = text,
          .least = kLeastTemperature,
          .most = kMostTemperature,
          .takes = "from 0.001 to 1000",
          .per_pixel = 0.01};
}
inline constexpr NumberField from = temperature({.key = "from",
                                                 .title = "from T",
                                                 .sentence = "the scores are divided by it first",
                                                 .change = "temperatures from "});
inline constexpr NumberField to = temperature({.key = "to",
                                               .title = "to T",
                                               .sentence = "the scores are divided by it last",
                                               .change = "temperatures to "});
inline constexpr CountField samples{
    .text = {.key = "samples",
             .title = "temperatures",
             .sentence = "at how many temperatures the weights are made again, by a fixed ratio",
             .change = "temperatures "},
    .least = 2,
    .most = 64};

}  // namespace entropy_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<EntropySpec>, Visit&& visit) {
  namespace f = entropy_field;
  visit(f::from, &EntropySpec::from);
  visit(f::to, &EntropySpec::to);
  visit(f::samples, &EntropySpec::samples);
}

}  // namespace attn
