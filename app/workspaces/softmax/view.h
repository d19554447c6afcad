// What of the softmax is looked at. A part of the View.
#pragma once

#include <cstddef>
#include <optional>

#include "core/graph/field_words.h"

namespace attn {

struct SoftmaxView {
  std::optional<std::size_t> key = {};  // selected: its score is typed, it is removed and masked by keys
  double swept = 0;                     // of the way from the least temperature to the largest, while playing
  bool operator==(const SoftmaxView&) const = default;
};

template <class Visit>
void visit_fields(std::type_identity<SoftmaxView>, Visit&& visit) {
  static constexpr CountField kKey{{.key = "key"}};
  visit(kKey, &SoftmaxView::key);
}

}  // namespace attn
