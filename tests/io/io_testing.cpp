// Fixtures come from the source tree, not from the build. A message that lacks a word is printed whole.
#include "tests/io/io_testing.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/io/file.h"
#include "tests/places.h"

namespace attn::tests {

std::vector<std::byte> fixture(const std::string& name) {
  return read_file(std::string(kSourceDir) + "/tests/io/fixtures/" + name);
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string reason(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool mentions(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    if (text.find(part) != std::string::npos) continue;
    MESSAGE("\"" << text << "\" does not mention \"" << part << "\"");
    return false;
  }
  return true;
}

void each_flip(std::vector<std::byte> bytes,
               const std::function<void(const std::vector<std::byte>&)>& visit) {
  for (std::byte& byte : bytes) {
    const std::byte original = byte;
    for (unsigned difference = 1; difference < 256; ++difference) {
      byte = original ^ static_cast<std::byte>(difference);
      visit(bytes);
    }
    byte = original;
  }
}

}  // namespace attn::tests
