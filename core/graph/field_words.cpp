// Messages name the field, the words that it cannot be, and what it takes.
#include "core/graph/field_words.h"

#include <algorithm>
#include <cmath>

#include "core/system/error.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::string_view kNone = "none", kOn = "on", kOff = "off";

template <class Number>
std::optional<Number> only_number(const ValueWords& words) {
  return words.size() == 1 ? parse_number<Number>(words[0]) : std::nullopt;
}

std::optional<std::size_t> count_of(const CountField& field, const ValueWords& words) {
  const auto count = only_number<std::size_t>(words);
  return count && *count >= field.least && *count <= field.most ? count : std::nullopt;
}

std::optional<double> number_of(const NumberField& field, const std::string& word) {
  const auto number = parse_number<double>(word);
  return number && *number >= field.least && *number <= field.most ? number : std::nullopt;
}

}  // namespace

std::string taken_by(const CountField& field) {
  const std::string from = "a whole number from " + std::to_string(field.least);
  return field.most == CountField().most ? from + " up" : from + " to " + std::to_string(field.most);
}

std::string taken_by(const NumberField& field) {
  return field.takes.empty() ? "a number" : "a number, " + std::string(field.takes);
}

void refuse_words(const FieldText& field, const ValueWords& words, std::string_view takes,
                  const ValueWords& known) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  const std::string nearest = nearest_word(all, known);
  throw Error(std::string(field.key) + (all.empty() ? ": says no value" : ": cannot be \"" + all + "\"") +
              (nearest.empty() ? "; it" : "; did you mean \"" + nearest + "\"? It") + " takes " +
              (known.empty() ? std::string(takes) : listed(known)));
}

void read_words(const SwitchField& field, const ValueWords& words, bool& value) {
  if (words.size() != 1 || (words[0] != kOn && words[0] != kOff))
    refuse_words(field.text, words, "", {std::string(kOn), std::string(kOff)});
  value = words[0] == kOn;
}

void read_words(const CountField& field, const ValueWords& words, std::size_t& value) {
  const auto count = count_of(field, words);
  if (!count) refuse_words(field.text, words, taken_by(field));
  value = *count;
}

void read_words(const CountField& field, const ValueWords& words, std::optional<std::size_t>& value) {
  const bool none = words.size() == 1 && words[0] == kNone;
  const auto count = count_of(field, words);
  if (!none && !count) refuse_words(field.text, words, taken_by(field) + ", or " + std::string(kNone));
  value = count;
}

void read_words(const OffsetField& field, const ValueWords& words, std::ptrdiff_t& value) {
  const auto offset = only_number<std::ptrdiff_t>(words);
  if (!offset) refuse_words(field.text, words, "a whole number");
  value = *offset;
}

void read_words(const NumberField& field, const ValueWords& words, double& value) {
  const auto number = words.size() == 1 ? number_of(field, words[0]) : std::nullopt;
  if (!number) refuse_words(field.text, words, taken_by(field));
  value = *number;
}

void read_words(const NumbersField& field, const ValueWords& words, std::vector<double>& values) {
  std::vector<double> read;
  for (const std::string& word : words)
    if (const auto number = number_of(field.each, word)) read.push_back(*number);
  if (read.empty() || read.size() != words.size() || read.size() > field.most)
    refuse_words(field.text, words, taken_by(field.each) + ", or several with spaces between them");
  values = std::move(read);
}

void read_words(const SetField& field, const ValueWords& words, std::vector<std::size_t>& values) {
  std::vector<std::size_t> read;
  for (const std::string& word : words)
    if (const auto number = parse_number<std::size_t>(word)) read.push_back(*number);
  const bool none = words.size() == 1 && words[0] == kNone;
  if (!none && (read.empty() || read.size() != words.size()))
    refuse_words(field.text, words, "whole numbers with spaces between them, or " + std::string(kNone));
  std::ranges::sort(read);
  read.erase(std::unique(read.begin(), read.end()), read.end());
  values = std::move(read);
}

std::string words_of(const SwitchField&, bool value) {
  return std::string(value ? kOn : kOff);
}

std::string words_of(const CountField&, const std::optional<std::size_t>& value) {
  return value ? std::to_string(*value) : std::string(kNone);
}

std::string words_of(const OffsetField&, std::ptrdiff_t value) {
  return std::to_string(value);
}

std::string words_of(const NumberField&, double value) {
  return shortest(value);
}

}  // namespace attn
