// The hash that content is known by.
#include "core/system/content_hash.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace attn;

namespace {

std::vector<std::byte> counted(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
  return bytes;
}

}  // namespace

TEST_CASE("a hash of content is the same however the content is cut") {
  const std::vector<std::byte> bytes = counted(200);
  const std::string whole = content_hash(bytes);
  CHECK(whole.size() == 32);
  for (std::size_t piece = 1; piece < bytes.size(); ++piece) {
    CAPTURE(piece);
    ContentHash hash;
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      hash.add(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
    CHECK(hash.text() == whole);
  }
}

TEST_CASE("contents that differ in one bit or in their length have other hashes") {
  std::set<std::string> seen;
  for (std::size_t size = 0; size < 100; ++size)
    CHECK(seen.insert(content_hash(std::vector<std::byte>(size))).second);
  std::vector<std::byte> bytes = counted(100);
  CHECK(seen.insert(content_hash(bytes)).second);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const auto mask = static_cast<std::byte>(1u << (bit % 8));
    bytes[bit / 8] ^= mask;
    CHECK(seen.insert(content_hash(bytes)).second);
    bytes[bit / 8] ^= mask;
  }
}
