// The file of step words: a heading with the ids of steps, then lines "key: text".
#include "app/frame/step_words.h"

#include <algorithm>
#include <sstream>

#include "core/system/assets.h"
#include "core/system/error.h"

namespace attn {
namespace {

std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(", ", at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end + 2;
  }
  return words;
}

// False: no such key.
bool take_line(StepWords& words, std::string_view key, const std::string& text) {
  if (key == "title") return words.title = text, true;
  if (key == "controls") return words.controls = listed(text), true;
  if (key == "break") return words.mistake = text, true;
  if (key == "leads to") {
    const auto colon = text.find(": ");
    words.workspace = text.substr(0, colon);
    words.lead = colon == std::string::npos ? text : text.substr(colon + 2);
    return true;
  }
  if (key == "what") return words.what.push_back(text), true;
  if (key == "why") return words.why.push_back(text), true;
  if (key == "look") return words.look.push_back(text), true;
  return false;
}

}  // namespace

std::vector<StepWords> read_step_words(std::string_view text) {
  std::vector<StepWords> all;
  std::istringstream lines{std::string(text)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with("## ")) {
      all.push_back({.steps = listed(std::string_view(line).substr(3))});
      continue;
    }
    if (line.empty() || all.empty()) continue;  // what stands above the first heading is for who writes it
    const auto colon = line.find(": ");
    if (colon == std::string::npos || !take_line(all.back(), line.substr(0, colon), line.substr(colon + 2)))
      throw Error("steps.md, line " + std::to_string(number) + ": not “key: text”, or no key that is known");
  }
  return all;
}

const StepWords* words_of_step(std::string_view id, std::string_view title) {
  static const std::vector<StepWords> all =
      read_step_words(asset_text(word_files(), "assets/words", "steps.md"));
  const auto in_quotes = [](std::string_view words) { return "\"" + std::string(words) + "\""; };
  const std::string quoted = in_quotes(title);
  // "layer 3" is one of the steps "layer".
  const std::string counted = in_quotes(title.substr(0, title.find_last_not_of(" 0123456789") + 1));
  const std::string_view bare = id.substr(id.rfind('.') + 1);  // without the prefix of its part
  for (const std::string_view name : {std::string_view(quoted), std::string_view(counted), bare})
    for (const StepWords& words : all)
      if (std::ranges::count(words.steps, name) > 0) return &words;
  return nullptr;
}

}  // namespace attn
