// Integers in and out of bytes in a stated order, whatever the machine's own; and untrusted names in
// messages.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

using Bytes = std::span<const std::byte>;

// The unsigned integer at `at`, least significant byte first. The caller has checked that it is inside.
template <std::unsigned_integral T>
T load_little(Bytes bytes, std::size_t at) {
  assert(at <= bytes.size() && sizeof(T) <= bytes.size() - at);
  unsigned long long value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value |= std::to_integer<unsigned long long>(bytes[at + i]) << (8 * i);
  return static_cast<T>(value);
}

template <std::unsigned_integral T>
T load_big(Bytes bytes, std::size_t at) {
  assert(at <= bytes.size() && sizeof(T) <= bytes.size() - at);
  unsigned long long value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = value << 8 | std::to_integer<unsigned long long>(bytes[at + i]);
  return static_cast<T>(value);
}

template <std::unsigned_integral T>
void append_little(std::vector<std::byte>& bytes, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes.push_back(static_cast<std::byte>((static_cast<unsigned long long>(value) >> (8 * i)) & 0xff));
}

template <std::unsigned_integral T>
void append_big(std::vector<std::byte>& bytes, T value) {
  for (std::size_t i = sizeof(T); i-- > 0;)
    bytes.push_back(static_cast<std::byte>((static_cast<unsigned long long>(value) >> (8 * i)) & 0xff));
}

inline void append(std::vector<std::byte>& bytes, Bytes more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

inline void append(std::vector<std::byte>& bytes, std::string_view text) {
  append(bytes, std::as_bytes(std::span(text)));
}

// The CRC-32 of zip and PNG; `so_far`: of the bytes before these.
std::uint32_t crc32_of(Bytes bytes, std::uint32_t so_far = 0);

inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// `text` in quotes for a message: control characters as \xNN and at most 80 bytes, since it comes from a file
// and goes to a terminal.
std::string in_quotes(std::string_view text);

}  // namespace attn
