// Texts are found by a hash. Patterns are tried where the text holds their longest word, which few of them
// share.
#include "core/language/phrase_book.h"

#include <algorithm>
#include <optional>

#include "core/system/error.h"
#include "core/text/numbers.h"

namespace attn {
namespace {

constexpr int kDeepest = 8;  // places within places, parts of parts

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0xc3;
}

// Words, or quotes, which are others elsewhere.
bool has_words(std::string_view text) {
  return text.find("“") != text.npos || std::ranges::adjacent_find(text, [](char a, char b) {
                                          return is_letter(a) && is_letter(b);
                                        }) != text.end();
}

// Calls `with` for each run of letters.
template <class With>
void each_word(std::string_view text, const With& with) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end > at) with(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
}

// "0.25", "3×4", "1e-5", "1.2 GiB", "7 ms": a digit, and at most a unit.
bool is_number(std::string_view text) {
  std::size_t words = 0, longest = 0;
  each_word(text, [&](std::string_view word) {
    words += word.size() > 1;
    longest = std::max(longest, word.size());
  });
  return text.find_first_of("0123456789") != text.npos && words <= 1 && longest <= 3;
}

struct Piece {
  std::size_t begin = 0, end = 0;  // of "{…}" in the text
  std::string_view inside;
};

// The next place from `at` on.
std::optional<Piece> next_place(std::string_view text, std::size_t at) {
  for (std::size_t close = text.find('}', at); close != text.npos; close = text.find('}', at)) {
    const std::size_t open = text.substr(at, close - at).rfind('{');
    const std::size_t begin = at + open;
    at = close + 1;
    if (open == text.npos) continue;
    const std::string_view inside = text.substr(begin + 1, close - begin - 1);
    if (inside.empty() || inside == "#" || inside == "=" ||
        inside.find_first_not_of("123456789") == inside.npos)
      return Piece{begin, close + 1, inside};
  }
  return {};
}

}  // namespace

std::vector<std::string> places_of(std::string_view text) {
  std::vector<std::string> places;
  for (auto place = next_place(text, 0); place; place = next_place(text, place->end))
    places.emplace_back(place->inside);
  return places;
}

void PhraseBook::add(std::string_view english, std::string_view translation) {
  const std::vector<std::string> places = places_of(english);
  std::vector<std::string> others = places_of(translation), numbered;
  if (others != places) std::ranges::sort(others);
  for (std::size_t i = 1; i <= places.size(); ++i) numbered.push_back(std::to_string(i));
  if (!translation.empty() && others != places && others != numbered)
    throw Error("“" + std::string(translation) + "” has not the places of “" + std::string(english) + "”");
  if (!said_.emplace(english, translation).second || places.empty()) return;
  Pattern pattern;
  pattern.translation = translation;
  std::size_t at = 0;
  for (auto place = next_place(english, 0); place; place = next_place(english, place->end)) {
    pattern.pieces.emplace_back(english.substr(at, place->begin - at));
    pattern.kinds.push_back(place->inside.empty() ? '\0' : place->inside.front());
    at = place->end;
  }
  pattern.pieces.emplace_back(english.substr(at));
  std::string longest;
  for (const std::string& piece : pattern.pieces) {
    pattern.words += piece.size();
    each_word(piece, [&](std::string_view word) {
      if (word.size() > longest.size()) longest = word;
    });
  }
  by_word_[longest].push_back(patterns_.size());
  patterns_.push_back(std::move(pattern));
}

const std::string* PhraseBook::find(std::string_view english) const {
  const auto found = said_.find(english);
  return found == said_.end() ? nullptr : &found->second;
}

std::string missing(std::string_view english) {
  return "‹" + std::string(english) + "›";
}

// Puts a text together of what the book says of it and of its parts.
class PhraseBook::Translator {
 public:
  Translator(const PhraseBook& book, const TextSet& names) : book_(book), names_(names) {}

  // Of a part of a sentence the spaces around it stay.
  std::string translated(std::string_view english, int depth) const {
    if (depth > kDeepest || !has_words(english) || names_.contains(english)) return std::string(english);
    const std::size_t begin = english.find_first_not_of(' '), end = english.find_last_not_of(' ') + 1;
    if (begin > 0 || end < english.size())
      return std::string(english.substr(0, begin)) +
             translated(english.substr(begin, end - begin), depth + 1) + std::string(english.substr(end));
    if (const std::string* said = book_.find(english)) return said->empty() ? missing(english) : *said;
    for (const std::string_view between : {"\n", " · ", ". "})
      if (english.find(between) != english.npos) {
        const auto whole = by_pattern(english, between, depth);
        return whole ? *whole : in_parts(english, between, depth);
      }
    return around_colon(english, depth);
  }

 private:
  using Places = std::vector<std::string_view>;

  std::string in_parts(std::string_view english, std::string_view between, int depth) const {
    const std::size_t point = between == ". ";  // a sentence has its own
    std::string said;
    for (std::size_t at = 0;;) {
      const std::size_t end = english.find(between, at);
      if (end == english.npos) return said + translated(english.substr(at), depth + 1);
      said += translated(english.substr(at, end + point - at), depth + 1);
      said += between.substr(point);
      at = end + between.size();
    }
  }

  // Where both sides are known, a pattern of the whole is there by chance.
  std::string around_colon(std::string_view english, int depth) const {
    const std::size_t colon = english.find(": ");
    const bool parted = colon != english.npos;
    const std::string_view left = english.substr(0, colon), right = parted ? english.substr(colon + 2) : "";
    const bool known = parted && book_.find(left);
    if (!known || !book_.find(right))
      if (auto whole = by_pattern(english, {}, depth)) return *whole;
    if (!parted) return std::string(english);
    const std::string said = translated(left, depth + 1);
    return known || said != left ? said + ": " + translated(right, depth + 1) : std::string(english);
  }

  // Only of patterns with `within` outside of their places.
  std::optional<std::string> by_pattern(std::string_view english, std::string_view within, int depth) const {
    const Pattern* found = nullptr;
    Places places, tried;
    const auto consider = [&](std::string_view word) {
      const auto with = book_.by_word_.find(word);
      if (with == book_.by_word_.end()) return;
      for (const std::size_t i : with->second)
        if (const Pattern& pattern = book_.patterns_[i]; (!found || pattern.words > found->words) &&
                                                         holds(pattern, within) &&
                                                         matches(pattern, english, tried))
          found = &pattern, places = tried;
    };
    each_word(english, consider);
    consider("");
    if (!found) return std::nullopt;
    return found->translation.empty() ? missing(english) : filled(*found, places, depth);
  }

  static bool may_be(char kind, std::string_view text) {
    if (kind == '#') return is_number(text);
    return kind != '=' || text.find("“") == text.npos;  // two names in quotes, and words between them
  }

  static bool holds(const Pattern& pattern, std::string_view part) {
    const auto in = [&](const std::string& piece) { return piece.find(part) != piece.npos; };
    return part.empty() || std::ranges::any_of(pattern.pieces, in);
  }

  // Every place is as short as what follows it lets it be; the last one takes the rest.
  static bool matches(const Pattern& pattern, std::string_view text, Places& places) {
    places.clear();
    if (!text.starts_with(pattern.pieces.front())) return false;
    std::size_t at = pattern.pieces.front().size();
    for (std::size_t i = 0; i < pattern.kinds.size(); ++i) {
      const std::string& next = pattern.pieces[i + 1];
      if (at >= text.size()) return false;
      std::size_t end = text.find(next, at + 1);
      if (i + 1 == pattern.kinds.size())
        end = text.size() > at + next.size() && text.ends_with(next) ? text.size() - next.size() : text.npos;
      if (end == text.npos) return false;
      places.push_back(text.substr(at, end - at));
      if (!may_be(pattern.kinds[i], places.back())) return false;
      at = end + next.size();
    }
    return true;
  }

  std::string filled(const Pattern& pattern, const Places& places, int depth) const {
    const std::string& said = pattern.translation;
    std::string text;
    std::size_t at = 0, count = 0;
    for (auto place = next_place(said, 0); place; place = next_place(said, place->end)) {
      const std::size_t which = parse_number<std::size_t>(place->inside).value_or(++count) - 1;
      text += said.substr(at, place->begin - at);
      text += pattern.kinds[which] == '=' ? std::string(places[which]) : translated(places[which], depth + 1);
      at = place->end;
    }
    return text + said.substr(at);
  }

  const PhraseBook& book_;
  const TextSet& names_;
};

std::string PhraseBook::translated(std::string_view english, const TextSet& names) const {
  return Translator(*this, names).translated(english, 0);
}

}  // namespace attn
