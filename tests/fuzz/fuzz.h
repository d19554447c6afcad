// What every fuzzer of a parser does: what is no such file is refused with an Error, and with nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "core/system/error.h"
#include "core/text/bytes.h"

namespace attn::tests {

// The return value is libFuzzer's. Any other exception ends the run.
template <class Parse>
int refused_or_parsed(const std::uint8_t* data, std::size_t size, Parse parse) {
  try {
    parse(std::as_bytes(std::span(data, size)));
  } catch (const Error&) {
  }
  return 0;
}

// What has to hold of what was parsed; libFuzzer keeps the input where it does not.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace attn::tests
