// The layers and parts of a document, each with its key in session files and before the names of its fields:
// what sessions, history, undo steps and editing go through. A workspace with a part of its own adds a line
// here and one in Document.
#pragma once

#include "core/attention/layer_fields.h"
#include "core/compare/compare_fields.h"
#include "core/cost/study_fields.h"
#include "core/document.h"
#include "core/heads/heads_fields.h"
#include "core/kernels/kernels_fields.h"
#include "core/positions/positions_fields.h"
#include "core/softmax/softmax_fields.h"

namespace attn {

// Calls visit(key, member) for each part that is not a layer.
template <class Visit>
void visit_parts(Visit&& visit) {
  visit("positions", &Document::positions);
  visit("kernels", &Document::kernels);
  visit("softmax", &Document::softmax);
  visit("cost", &Document::cost);
  visit("heads", &Document::heads);
  visit("compare", &Document::compare);
}

// Calls visit(key, fields) for each layer and part of a (const) document.
template <class AnyDocument, class Visit>
void visit_all(AnyDocument& document, Visit&& visit) {
  for (Address at; document.has(at); ++at.layer) visit(text_of(at).key, document.layer(at));
  visit_parts([&](std::string_view key, auto part) { visit(key, document.*part); });
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
