// The fields that are objects of their own: encodings of positions, and rules of masks.
#include "core/io/session_fields.h"

#include <algorithm>

namespace attn::session {

void read_rest(const layer_field::ScaleField& field, ObjectReader& object, Scaling& result) {
  const json* number = object.find(field.number_key);
  if (number == nullptr) return;
  if (result.mode == ScaleMode::number)
    fail(object.path(field.number_key),
         "is for a scale that is a word, but scale is a number: leave one out");
  read(*number, object.path(field.number_key), result.number);
}

// Its kind by name, along with the fields that this kind has.
void FieldReader::operator()(const layer_field::PositionField&, Position& result) const {
  ObjectReader object(value, path);
  const json& kind = object.need("kind");
  std::vector<std::string> words;
  for (const PositionText& text : kPositions) words.emplace_back(text.word);
  const auto found = std::ranges::find_if(words, [&](const std::string& word) { return kind == word; });
  if (found == words.end()) fail_word(object.path("kind"), kind, words);
  result = position_at(static_cast<std::size_t>(found - words.begin()));
  std::visit([&](auto& position) { read_fields(object, parts, position); }, result);
  object.refuse_unknown();
}

namespace {

// A list says what it is for; whatever else is left out has the value of a new rule.
const json* value_of(const CountsField& field, ObjectReader& object) {
  return &object.need(field.text.key);
}
const json* value_of(const auto& field, ObjectReader& object) {
  return object.find(field.text.key);
}

}  // namespace

MaskTerm FieldReader::term(const json& item, const std::string& where) const {
  ObjectReader object(item, where);
  const json& kind = object.need("rule");
  std::vector<std::string> words;
  for (const MaskRule& rule : new_mask_rules()) words.emplace_back(name(rule));
  const auto found = std::ranges::find_if(words, [&](const std::string& word) { return kind == word; });
  if (found == words.end()) fail_word(object.path("rule"), kind, words);
  MaskTerm result{.rule = new_mask_rules()[static_cast<std::size_t>(found - words.begin())]};
  std::visit(
      [&]<class Rule>(Rule& rule) {
        visit_fields(of<Rule>, [&](const auto& field, auto member) {
          if (const json* given = value_of(field, object))
            FieldReader{*given, object.path(field.text.key), parts}(field, rule.*member);
        });
      },
      result.rule);
  if (const json* negated = object.find("not")) read(*negated, object.path("not"), result.negated);
  if (const json* join = object.find("join")) {
    if (*join != "and" && *join != "or") fail_word(object.path("join"), *join, {"or", "and"});
    result.join = *join == "and" ? Join::all : Join::any;
  }
  object.refuse_unknown();
  return result;
}

}  // namespace attn::session
