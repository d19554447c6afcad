// Documents for the tests of stacks, and what refused edits say.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "core/io/stack_models.h"
#include "tests/core/edit_documents.h"
#include "tests/random_layer.h"

namespace attn::tests {

// Five tokens of eight features and two heads, without a stack.
inline Document over_a() {
  Random random(3);
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = normal(random, {1, 5, 8});
  layer.heads = layer.kv_heads = 2;
  layer.w_q = layer.w_k = layer.w_v = normal(random, {1, 8, 8});
  layer.tokens = {"a", "b", "c", "d", "e"};
  return document;
}

// The trained stack, beside that layer.
inline Document dates() {
  Document document = over_a();
  document.transformer = dates_stack();
  return document;
}

// What an edit says that changes nothing.
inline std::string stack_edit_refusal(const Document& document, const std::function<void(Document&)>& edit) {
  Document edited = document;
  const std::string why = message_of([&] { edit(edited); });
  CHECK(edited == document);
  return why;
}

}  // namespace attn::tests
