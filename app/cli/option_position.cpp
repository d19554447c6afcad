// Position encodings read from words, over the fields of each.
#include "app/cli/option_position.h"

#include <algorithm>
#include <cmath>

#include "app/words/refuse.h"
#include "core/attention/position_fields.h"
#include "core/graph/field_words.h"
#include "core/text/numbers.h"

namespace attn {
namespace {

// How many settings of a kind can be said by their place alone, and how many have to be.
struct WordPlaces {
  std::size_t possible, needed;
};
constexpr std::array<WordPlaces, std::variant_size_v<Position>> kPlaces{
    {{0, 0}, {1, 0}, {2, 1}, {2, 0}, {0, 0}, {2, 2}, {3, 3}}};

// Whether the word is a value of the field; it is then set.
bool set(const NumberField& field, const std::string& word, double& value) {
  const auto number = parse_number<double>(word);
  if (!number || !std::isfinite(*number) || *number < field.least || *number > field.most) return false;
  value = *number;
  return true;
}
bool set(const CountField& field, const std::string& word, std::size_t& value) {
  const auto number = parse_number<std::size_t>(word);
  if (!number || *number < field.least || *number > field.most) return false;
  value = *number;
  return true;
}
template <class Choice, std::size_t N>
bool set(const ChoiceField<Choice, N>& field, const std::string& word, Choice& value) {
  const auto choice = field.choice_of(word);
  if (choice) value = *choice;
  return choice.has_value();
}
bool set(const SwitchField&, const std::string& word, bool& value) {
  if (word != "true" && word != "false") return false;
  value = word == "true";
  return true;
}

// KEY=VALUE, or the key of a switch.
template <class Choice>
bool set_named(Choice& choice, const std::string& word) {
  const std::size_t sign = std::min(word.find('='), word.size());
  const std::string key = word.substr(0, sign);
  bool done = false;
  visit_fields(of<Choice>, [&](const auto& field, auto member) {
    const bool is_switch = std::is_same_v<std::remove_cvref_t<decltype(field)>, SwitchField>;
    if (field.text.key != key || (sign == word.size() && !is_switch)) return;
    done = set(field, sign == word.size() ? "true" : word.substr(sign + 1), choice.*member);
  });
  return done;
}

// The next of the settings told by their place; one that may be left out is passed by where the word is not
// its.
template <class Choice>
bool set_next(Choice& choice, const std::string& word, WordPlaces places, std::size_t& next) {
  bool done = false;
  std::size_t place = 0;
  visit_fields(of<Choice>, [&](const auto& field, auto member) {
    const std::size_t here = place++;
    if (done || here < next || here >= places.possible || next < std::min(here, places.needed)) return;
    done = set(field, word, choice.*member);
    if (done) next = here + 1;
  });
  return done;
}

template <class Choice>
bool set_all(Choice& choice, const std::vector<std::string>& words, WordPlaces places) {
  std::size_t next = 0;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (!set_next(choice, words[i], places, next) && !set_named(choice, words[i])) return false;
  return next >= places.needed;
}

// How this kind is written, out of what the option takes ("none|rope[:neighbour|half]|…"), and what numbers
// it takes.
template <class Choice>
std::string form_of(std::string_view takes, std::string_view kind, const Choice&) {
  std::string form;
  int depth = 0;
  for (std::size_t i = 0; i <= takes.size(); ++i) {
    if (i < takes.size() && takes[i] != '|') {
      depth += takes[i] == '[' ? 1 : takes[i] == ']' ? -1 : 0;
      form += takes[i];
    } else if (depth > 0) {
      form += '|';
    } else if (form.substr(0, form.find_first_of("[:")) == kind) {
      break;
    } else {
      form.clear();
    }
  }
  visit_fields(of<Choice>, [&](const auto& field, auto) {
    if constexpr (requires { taken_by(field); })
      form += "; " + std::string(field.text.key) + " is " + taken_by(field);
  });
  return form;
}

}  // namespace

Position read_position(const FieldText& option, const std::string& word) {
  const std::vector<std::string> parts = split(word, ':');
  std::vector<std::string> kinds;
  for (const PositionText& text : kPositions) kinds.emplace_back(text.word);
  const auto kind = std::ranges::find(kinds, parts[0]);
  if (kind == kinds.end()) refuse(option.option, word, option.takes, kinds);
  const auto index = static_cast<std::size_t>(kind - kinds.begin());
  Position position = position_at(index);
  const bool right =
      std::visit([&](auto& choice) { return set_all(choice, parts, kPlaces[index]); }, position);
  if (!right)
    refuse(option.option, word,
           std::visit([&](const auto& choice) { return form_of(option.takes, *kind, choice); }, position));
  return position;
}

}  // namespace attn
