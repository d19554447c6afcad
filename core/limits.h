// What a document may hold at most, whoever makes it. Edits, and readers and writers of files, ask the same
// numbers: what one of them takes, the others take too, and what can be made can be saved and opened again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

struct Document;

namespace limits {

inline constexpr std::size_t kMostNumbers = std::size_t{1} << 27;     // of all matrices: 512 MiB of floats
inline constexpr std::size_t kMostOverrides = std::size_t{1} << 18;   // 512×512
inline constexpr std::size_t kMostLabels = std::size_t{1} << 16;      // of one list
inline constexpr std::size_t kMostLabelBytes = 4096;                  // of one text, as UTF-8
inline constexpr std::size_t kMostTextBytes = std::size_t{64} << 20;  // of all texts
inline constexpr std::size_t kMostListed = std::size_t{1} << 16;      // padding lengths; switched-off heads
inline constexpr std::size_t kMostRules = 4096;                       // of masks
inline constexpr std::size_t kMostHeads = std::size_t{1} << 16;

// A session of all that is smaller, and a file is read up to this size: a number takes at most 26 characters
// with what stands before it, a byte of text 6, an override 200.
inline constexpr std::size_t kMostFileBytes = std::size_t{4} << 30;
static_assert(26 * kMostNumbers + 6 * kMostTextBytes + 200 * kMostOverrides + 26 * 2 * kMostListed <
              kMostFileBytes);
// An archive, and a picture that carries a session: a number takes at most 8 bytes there, packed or not. The
// rest is for texts, names and the picture itself.
inline constexpr std::size_t kMostPackedBytes = 8 * kMostNumbers + (std::size_t{1} << 29);

}  // namespace limits

// Throws Error with the place and what would do ("layer.tokens entry 3 is longer than 4096 bytes") unless
// every field is what a session may say, and there is no more of anything than the above.
void check_limits(const Document& document);

// For whoever builds something piece by piece: throws the same, before there is too much.
void check_text(const std::string& path, std::string_view text);
void check_label_count(const std::string& path, std::size_t count);
void check_number_count(std::size_t count);
void check_text_bytes(std::size_t bytes);
void check_override_count(std::size_t count);

}  // namespace attn
