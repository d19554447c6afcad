// Pairs of texts, read line by line.
#include <algorithm>
#include <array>
#include <map>

#include "core/learning/task.h"
#include "core/system/error.h"
#include "core/text/code_points.h"
#include "core/text/text.h"

namespace attn {
namespace {

struct TextPair {
  std::string first, second;
};

std::string_view without_spaces(std::string_view text) {
  const auto begin = text.find_first_not_of(" \r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \r") - begin + 1);
}

TextPair pair_of_line(std::string_view line, std::size_t number) {
  for (const std::string_view apart : {"\t", " = ", " -> "})
    if (const auto at = line.find(apart); at != std::string_view::npos) {
      const auto first = without_spaces(line.substr(0, at)),
                 second = without_spaces(line.substr(at + apart.size()));
      if (first.empty() || second.empty()) break;
      return {std::string(first), std::string(second)};
    }
  throw Error("line " + std::to_string(number) +
              " is no pair: write two texts separated by a tab, \" = \" or \" -> \", as in \"abc = cba\"");
}

std::vector<std::string> symbols_of_text(const std::string& text, bool words) {
  std::vector<std::string> symbols;
  if (words) {
    for (const std::string& word : split(text, ' '))
      if (!word.empty()) symbols.push_back(word);
    return symbols;
  }
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(symbols.back().size()))
    symbols.emplace_back(first_character(rest));
  return symbols;
}

}  // namespace

OwnPairs pairs_of_text(std::string_view text) {
  std::vector<TextPair> lines;
  std::size_t number = 0;
  OwnPairs own;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (without_spaces(line).empty()) continue;
    lines.push_back(pair_of_line(line, number + 1));
    own.words |= lines.back().first.find(' ') != std::string::npos ||
                 lines.back().second.find(' ') != std::string::npos;
  }
  if (lines.empty())
    throw Error("there is no pair in the text: give each a line, its two texts separated by a tab");
  std::map<std::string, std::int32_t> numbers;
  std::vector<std::array<std::vector<std::string>, 2>> sides;
  for (const TextPair& line : lines) {
    sides.push_back({symbols_of_text(line.first, own.words), symbols_of_text(line.second, own.words)});
    for (const auto& side : sides.back()) {
      own.length = std::max(own.length, side.size());
      for (const std::string& symbol : side) numbers.try_emplace(symbol, 0);
    }
  }
  for (auto& [symbol, at] : numbers)
    at = static_cast<std::int32_t>(own.symbols.size()), own.symbols.push_back(symbol);
  if (const std::string why = own_refusal(sides.size(), own.symbols.size(), own.length); !why.empty())
    throw Error(why);
  for (const auto& pair : sides) {
    std::array<std::vector<std::int32_t>, 2> as_numbers;
    for (std::size_t side = 0; side < 2; ++side) {
      for (const std::string& symbol : pair[side]) as_numbers[side].push_back(numbers.at(symbol));
      as_numbers[side].resize(own.length, static_cast<std::int32_t>(own.symbols.size()));
    }
    own.pairs.emplace_back(std::move(as_numbers[0]), std::move(as_numbers[1]));
  }
  return own;
}

}  // namespace attn
