// What a document may hold at most, whoever makes it: numbers that edits, readers and writers of files share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attn {
namespace limits {

inline constexpr std::size_t kMostNumbers = std::size_t{1} << 27;     // of all matrices: 512 MiB of floats
inline constexpr std::size_t kMostOverrides = std::size_t{1} << 18;   // 512×512
inline constexpr std::size_t kMostLabels = std::size_t{1} << 16;      // of one list
inline constexpr std::size_t kMostLabelBytes = 4096;                  // of one text, as UTF-8
inline constexpr std::size_t kMostTextBytes = std::size_t{64} << 20;  // of all texts
inline constexpr std::size_t kMostListed = std::size_t{1} << 16;      // padding lengths; switched-off heads
inline constexpr std::size_t kMostRules = 4096;                       // of masks
inline constexpr std::size_t kMostHeads = std::size_t{1} << 16;

// An archive, and a picture that carries a session: a number takes at most 8 bytes there, packed or not. The
// rest is for texts, names and the picture itself.
inline constexpr std::size_t kMostPackedBytes = 8 * kMostNumbers + (std::size_t{1} << 29);

}  // namespace limits

// For whoever builds something piece by piece: throws Error before there is too much.
void check_text(const std::string& path, std::string_view text);
void check_label_count(const std::string& path, std::size_t count);
void check_number_count(std::size_t count);
void check_text_bytes(std::size_t bytes);
void check_override_count(std::size_t count);

}  // namespace attn
