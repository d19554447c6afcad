// Whether a sanitizer watches what is tested: it is several times slower then, and takes address space by the
// terabyte. Defined where it is known, in tests/places.cpp: sources of tests are compiled the same for all
// builds.
#pragma once

namespace attn::tests {

extern const bool kSanitized;

}  // namespace attn::tests
