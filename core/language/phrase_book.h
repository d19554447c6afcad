// What is said in another language in the place of an English text: whole texts, and patterns with places.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attn {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

// English texts and what another language says in their place. A text may have places: "{}" stands for
// anything but nothing, which is translated in its turn, "{#}" for a number, "{=}" for a name, which stays as
// it is. What is said has as many places, in the same order, or numbered from 1: "{2} von {1}".
class PhraseBook {
 public:
  // An empty translation: the text is known, and not translated yet. A text that is there already stays.
  // Throws Error where the places differ.
  void add(std::string_view english, std::string_view translation);

  // What is said in the place of `english`: of all texts the one that is it, else the pattern whose words
  // outside of places are the longest. Lines, parts between " · ", sentences, and what stands on both sides
  // of a colon ("Edit: Undo") are said each by itself where there is no text or pattern of the whole. A text
  // that is known and not translated stands between ‹ and ›; one that is not known is data, and stays.
  std::string translated(std::string_view english) const;

  // The translation of exactly this text: empty where there is none, null where the text is not known.
  const std::string* find(std::string_view english) const;
  std::size_t size() const { return said_.size(); }

 private:
  // A text with places, taken apart: as many pieces as places, and one more.
  struct Pattern {
    std::vector<std::string> pieces;
    std::vector<char> kinds;  // of places: 0 anything, '#', '='
    std::size_t words = 0;    // bytes outside of places
    std::string translation;
  };
  using Places = std::vector<std::string_view>;

  static bool matches(const Pattern& pattern, std::string_view text, Places& places);
  std::string filled(const Pattern& pattern, const Places& places, int depth) const;
  std::string translated(std::string_view english, int depth) const;
  std::string in_parts(std::string_view english, std::string_view between, int depth) const;
  static bool holds(const Pattern& pattern, std::string_view part);
  // Only of patterns with `within` outside of their places.
  const Pattern* best(std::string_view english, std::string_view within, Places& places) const;
  std::optional<std::string> by_pattern(std::string_view english, std::string_view within, int depth) const;

  template <class Value>
  using ByText = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;
  ByText<std::string> said_;
  std::vector<Pattern> patterns_;
  ByText<std::vector<std::size_t>> by_word_;  // by the longest word outside of places
};

// The places of a text in their order, "1" in "{1}": of "{2} von {1}" 2 and 1. Braces around anything else
// are none.
std::vector<std::string> places_of(std::string_view text);

}  // namespace attn
