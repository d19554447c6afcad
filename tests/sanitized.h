// Whether a sanitizer watches the tests: they are several times slower then, and take address space by the
// terabyte.
#pragma once

namespace attn::tests {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace attn::tests
