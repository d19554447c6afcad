// Times say nothing here: they can be the same and the content another, or the other way round.
#include "core/io/file_mark.h"

#include <filesystem>
#include <span>
#include <vector>

#include "core/content_hash.h"
#include "core/error.h"
#include "core/io/file.h"

namespace attn {
namespace {

constexpr std::size_t kHashedAtOnce = std::size_t{1} << 20;

}  // namespace

FileMark mark_of(std::string_view content) {
  return {content.size(), content_hash(std::as_bytes(std::span(content)))};
}

std::optional<FileMark> mark_of_file(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return std::nullopt;
  try {
    FileReader file(path);
    for (std::vector<std::byte> piece(kHashedAtOnce); file.read(piece) == piece.size();) continue;
    return file.mark();
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace attn
