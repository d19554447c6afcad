// What of the heads is looked at, besides the head that is shown large in all workspaces. A part of the View.
#pragma once

#include <cstddef>

#include "core/graph/field_words.h"

namespace attn {

struct HeadsView {
  std::size_t row = 0;  // of the large map, whose weights are listed
  bool operator==(const HeadsView&) const = default;
};

template <class Visit>
void visit_fields(std::type_identity<HeadsView>, Visit&& visit) {
  static constexpr CountField kRow{{.key = "row"}};
  visit(kRow, &HeadsView::row);
}

}  // namespace attn
