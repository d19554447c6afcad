// What is said in another language in the place of an English text: whole texts, and patterns with places.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace attn {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;

// English texts and what another language says in their place. A text may have places: "{}" stands for
// anything but nothing, which is translated in its turn, "{#}" for a number, "{=}" for a name, which stays as
// it is and holds no “. What is said has as many places, in the same order, or numbered from 1: "{2} von
// {1}".
class PhraseBook {
 public:
  // An empty translation: the text is known, and not translated yet. A text that is there already stays.
  // Throws Error where the places differ.
  void add(std::string_view english, std::string_view translation);

  // What is said in the place of `english`: of all texts the one that is it, else the pattern whose words
  // outside of places are the longest. Lines, parts between " · ", sentences, and what stands on both sides
  // of a colon ("Edit: Undo") are said each by itself where there is no text or pattern of the whole. A text
  // that is known and not translated is marked (missing()); one that is not known is data, and stays, as do
  // names.
  std::string translated(std::string_view english, const TextSet& names = {}) const;

  // The translation of exactly this text: empty where there is none, null where the text is not known.
  const std::string* find(std::string_view english) const;
  std::size_t size() const { return said_.size(); }

 private:
  // A text with places, taken apart: as many pieces as places, and one more.
  struct Pattern {
    std::vector<std::string> pieces = {};
    std::vector<char> kinds = {};  // of places: 0 anything, '#', '='
    std::size_t words = 0;         // bytes outside of places
    std::string translation = {};
  };
  class Translator;

  template <class Value>
  using ByText = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;
  ByText<std::string> said_;
  std::vector<Pattern> patterns_;
  ByText<std::vector<std::size_t>> by_word_;  // by the longest word outside of places
};

// ‹english›: how a text is said that nobody translated.
std::string missing(std::string_view english);

// The places of a text in their order, "1" in "{1}": of "{2} von {1}" 2 and 1. Braces around anything else
// are none.
std::vector<std::string> places_of(std::string_view text);

}  // namespace attn
