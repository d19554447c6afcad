// A document whose stack is the trained model of dates, for tests.
#pragma once

#include "core/document/document.h"
#include "core/io/stack_models.h"

namespace attn::tests {

inline Document dates_document() {
  Document document;
  document.transformer = dates_stack();
  return document;
}

}  // namespace attn::tests
