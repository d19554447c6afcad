// Examples changed a little, as several tests of the window want them, and keys that they hold.
#pragma once

#include "app/host/headless.h"
#include "core/io/session.h"
#include "tests/layers.h"

namespace attn::tests {

inline constexpr Modifiers kControl{.control = true}, kControlShift{.control = true, .shift = true};

inline Document warm(double temperature) {
  Document document = read_document("three-tokens");
  document.layer().temperature = temperature;
  return document;
}

// The drawing's example: five tokens, causal, temperature 6.
inline Document five_tokens() {
  Document document = read_document("the-cat-sat-on-mat");
  set_causal(document.layer(), CausalAlign::lower_right);
  document.layer().temperature = 6;
  return document;
}

}  // namespace attn::tests
