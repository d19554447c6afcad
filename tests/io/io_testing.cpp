// Fixtures come from the source tree, not from the build. A message that lacks a word is printed whole.
#include "tests/io/io_testing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <string_view>

#include "core/system/error.h"
#include "core/system/file.h"
#include "tests/places.h"
#include "tests/sanitized.h"

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

std::string all_of(const TextSource& source) {
  std::string text;
  for (std::string_view piece = source(); !piece.empty(); piece = source()) text += piece;
  return text;
}

namespace {

// A line of /proc/self/status, which counts in KiB.
std::size_t status_of(std::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field)) return std::stoull(line.substr(field.size() + 1)) << 10;
  return 0;
}

}  // namespace

std::optional<std::size_t> peak_of(const std::function<void()>& action) {
  // 5: the peak begins anew (proc(5)).
  std::ofstream reset("/proc/self/clear_refs");
  reset << 5 << std::flush;
  if (!kSanitized) REQUIRE(reset.good());
  const std::size_t before = status_of("VmRSS");
  action();
  if (kSanitized) return std::nullopt;  // its own memory is several times as much
  return std::max(status_of("VmHWM"), before) - before;
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
    MESSAGE("\"" << text << "\" does not mention \"" << std::string(part) << "\"");
    return false;
  }
  return true;
}

std::size_t each_flip(std::vector<std::byte> bytes,
                      const std::function<void(const std::vector<std::byte>&)>& visit, std::size_t first,
                      std::size_t step) {
  using namespace std::string_view_literals;
  constexpr std::string_view kMarks = "{}[]()<>\"\\,:.-+eEnu0 19\n\0\x7f\x80\xff"sv;
  std::size_t visited = 0;
  for (std::size_t i = first; i < bytes.size(); i += step) {
    std::byte& byte = bytes[i];
    const std::byte original = byte;
    for (unsigned difference = 1; difference < 256; ++difference) {
      byte = original ^ static_cast<std::byte>(difference);
      if (kSanitized && !std::has_single_bit(difference) &&
          kMarks.find(static_cast<char>(byte)) == std::string_view::npos)
        continue;
      visit(bytes);
      ++visited;
    }
    byte = original;
  }
  return visited;
}

}  // namespace attn::tests
