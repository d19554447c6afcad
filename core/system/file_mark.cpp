// Times say nothing here: they can be the same and the content another, or the other way round.
#include "core/system/file_mark.h"

#include <filesystem>
#include <span>
#include <vector>

#include "core/system/content_hash.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

constexpr std::size_t kHashedAtOnce = std::size_t{1} << 20;

const FileMark kUnreadable{.size = ~std::uint64_t{0}};

}  // namespace

FileMark mark_of(std::string_view content) {
  return {content.size(), content_hash(std::as_bytes(std::span(content)))};
}

std::optional<FileMark> mark_of_file(const std::string& path) {
  std::error_code unknown;
  const auto type = std::filesystem::status(path, unknown).type();
  if (type == std::filesystem::file_type::none) return kUnreadable;  // a folder on its way, say
  if (type != std::filesystem::file_type::regular) return std::nullopt;
  try {
    FileReader file(path);
    for (std::vector<std::byte> piece(kHashedAtOnce); file.read(piece) == piece.size();) continue;
    return file.mark();
  } catch (const Error&) {
    return kUnreadable;
  }
}

}  // namespace attn
