// What of the entropy is looked at. A part of the View.
#pragma once

#include <cstddef>

#include "core/graph/field_words.h"

namespace attn {

struct EntropyView {
  std::size_t head = 0;  // whose curve is drawn strong; past the last: the last
  bool operator==(const EntropyView&) const = default;
};

template <class Visit>
void visit_fields(std::type_identity<EntropyView>, Visit&& visit) {
  static constexpr CountField kHead{{.key = "head"}};
  visit(kHead, &EntropyView::head);
}

}  // namespace attn
