// Documents that are small, large, broken or unusual.
#pragma once

#include <string>
#include <vector>

#include "core/document/document.h"

namespace attn::tests {

// A layer with projections, `width` features and numbers between −1 and 1.
Document projected(std::size_t tokens, std::size_t width, std::size_t heads);

Document with_nan();    // NaN and ∞ among the numbers of X
Document all_masked();  // no key is left
Document cross();       // memory, one key head for two query heads, a bias, causal
Document direct();      // Q, K and V without projections, dropout
Document long_names();  // tokens longer than any place for them

struct NamedDocument {
  std::string name;
  Document document;
};
// All of these and every example.
std::vector<NamedDocument> all_documents();

}  // namespace attn::tests
