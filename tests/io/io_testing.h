// What the tests of files share: fixtures, the reason of an error, damaged copies.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/text_source.h"

namespace attn::tests {

// tests/io/fixtures/`name`, as NumPy wrote it.
std::vector<std::byte> fixture(const std::string& name);

std::vector<std::byte> bytes_of(std::string_view text);
std::string text_of(std::span<const std::byte> bytes);

// The pieces of a source, one after the other.
std::string all_of(const TextSource& source);

// The most memory that `action` held at once, in bytes on top of what was held before; none under sanitizers,
// where it cannot be told.
std::optional<std::size_t> peak_of(const std::function<void()>& action);

// The message of the attn::Error that `action` throws; "no error" when it throws none. Any other exception
// passes.
std::string reason(const std::function<void()>& action);

// Whether `text` contains every one of `parts`.
bool mentions(const std::string& text, std::initializer_list<const char*> parts);

// Calls `visit` with each copy of `bytes` that differs in one byte: all 255 other values at every position,
// or at every `step`th from `first` on. Under a sanitizer only what differs in one bit, or is a mark of a
// format: the others are read the same ways. Returns how many.
std::size_t each_flip(std::vector<std::byte> bytes,
                      const std::function<void(const std::vector<std::byte>&)>& visit, std::size_t first = 0,
                      std::size_t step = 1);

}  // namespace attn::tests
