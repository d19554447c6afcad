// What of the encodings is looked at. A part of the View.
#pragma once

#include <cstddef>

#include "core/graph/field_words.h"

namespace attn {

struct PositionsView {
  std::size_t p = 17;  // the position, and how far the other one is
  std::ptrdiff_t delta = 5;
  std::size_t rows = 1;  // positions that there are
  double turned = 0;     // positions on the way to the next whole one
  enum ScoreView { weights, scores, difference, distance } shown = weights;  // in the scores
  bool operator==(const PositionsView&) const = default;
};

template <class Visit>
void visit_fields(std::type_identity<PositionsView>, Visit&& visit) {
  static constexpr CountField kP{{.key = "p"}};
  static constexpr OffsetField kDelta{{.key = "delta"}};
  static constexpr ChoiceField<PositionsView::ScoreView, 4> kShown{
      {.key = "shown"},
      {{{"weights", "weights", PositionsView::weights},
        {"scores", "scores", PositionsView::scores},
        {"difference", "difference", PositionsView::difference},
        {"distance", "distance", PositionsView::distance}}}};
  visit(kP, &PositionsView::p);
  visit(kDelta, &PositionsView::delta);
  visit(kShown, &PositionsView::shown);
}

}  // namespace attn
