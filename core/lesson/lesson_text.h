// The smallest parts of a lesson's file: cells, words with numbers among them. For core/lesson alone.
#pragma once

#include <functional>
#include <span>

#include "core/lesson/lesson.h"

namespace attn {

// A line of a file, and where it stands.
struct LessonLine {
  std::string_view text;
  std::size_t number = 0;
};

[[noreturn]] void refuse_line(std::size_t line, const std::string& why);

// The line without white space at either end.
std::string_view trimmed(std::string_view text);

// "key: value", the key one word of small letters; none: it is text.
struct KeyLine {
  std::string_view key, value;
};
std::optional<KeyLine> key_line(std::string_view text);

// What takes a key’s value. A key that none of them has is refused.
struct KeyTaker {
  std::string_view key;
  std::function<void(std::string_view value, std::size_t line)> take;
};
void take_key(const KeyLine& line, std::size_t number, std::span<const KeyTaker> takers);

// "weights[0,2]", "scaled[0,:,1]", "output": no ranges.
LessonCells read_cells(std::string_view text, std::size_t line);
// Several, with commas between them.
std::vector<LessonCells> read_cell_list(std::string_view text, std::size_t line);

// "They add up to {sum(weights[0,0]):4}.": digits behind the point stand behind the last colon, or % for
// percent.
LessonText read_text(std::string_view text, std::size_t line);

// "[when weights[0,0,0] > 0.5] Try: …", "> Why: …".
LessonParagraph read_paragraph(std::string_view text, std::size_t line);

// "layer.scale = "none"", "q[0,0,2] = 1".
LessonSet read_set(std::string_view text, std::size_t line);

std::vector<double> read_numbers(std::string_view text, std::size_t line);

}  // namespace attn
