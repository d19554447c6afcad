// The fields of the comparison of layers: the one list that sessions, undo steps and controls are made from.
#pragma once

#include "core/compare/part.h"
#include "core/graph/address.h"
#include "core/graph/fields.h"

namespace attn {

namespace compare_field {

inline constexpr CountField shown{.text = {.key = "shown",
                                           .title = "compared with A",
                                           .sentence = "the layer that A is compared with",
                                           .change = "compared with A: "},
                                  .most = kAddresses.size() - 2};
inline constexpr ChoiceField<Compared::Figure, 3> figure{
    {.key = "show",
     .title = "show",
     .sentence = "B less A, B divided by A, or how far B is from A",
     .change = "show "},
    {{{"difference", "B − A", Compared::difference},
      {"ratio", "B ÷ A", Compared::ratio},
      {"distance", "|B − A|", Compared::distance}}}};
inline constexpr SwitchField same_colours{
    {.key = "same_colours",
     .title = "same colours",
     .sentence = "the numbers of A and B in one range of colours, so that they compare"},
    "the same colours",
    "colours of each layer's own"};
inline constexpr SetField by_reference{{.key = "by_reference",
                                        .title = "reference",
                                        .sentence = "computed by the reference, in double, not by the device",
                                        .change = "computed by the reference"}};

}  // namespace compare_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<CompareSpec>, Visit&& visit) {
  namespace f = compare_field;
  visit(f::shown, &CompareSpec::shown);
  visit(f::figure, &CompareSpec::figure);
  visit(f::same_colours, &CompareSpec::same_colours);
  visit(f::by_reference, &CompareSpec::by_reference);
}

}  // namespace attn
