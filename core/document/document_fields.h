// The layers and parts of a document: what sessions, history, undo steps and editing go through.
#pragma once

#include "core/document/document.h"

namespace attn {

// Calls visit(key, fields) for each layer and part of a (const) document; of its stack, for each part of
// that.
template <class AnyDocument, class Visit>
void visit_all(AnyDocument& document, Visit&& visit) {
  for (Address at; document.has(at); ++at.layer) visit(text_of(at).key, document.layer(at));
  visit_parts([&](std::string_view key, auto part) { visit(key, document.*part); });
  visit_stacks(visit, document.transformer);
}

// Calls visit(key, field, tensor) for every tensor of a (const) document.
template <class AnyDocument, class Visit>
void visit_tensors(AnyDocument& document, Visit&& visit) {
  visit_all(document, [&](std::string_view key, auto& fields) {
    visit_fields(of<std::remove_cvref_t<decltype(fields)>>, [&](const auto& field, auto member) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, TensorField>)
        visit(key, field, fields.*member);
    });
  });
}

}  // namespace attn
