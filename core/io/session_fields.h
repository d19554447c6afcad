// A part's fields out of JSON, one reader for each type of field. For session*.cpp only.
#pragma once

#include "core/document/document_fields.h"
#include "core/io/session_listen.h"

namespace attn::session {

// One reader for each type of field; called when the key is there.
struct FieldReader {
  const json& value;
  const std::string& path;
  Parts& parts;

  void operator()(const TensorField&, Tensor& result) const { result = std::move(parts.tensors.at(path)); }
  void operator()(const LabelsField&, Labels& result) const { result = std::move(parts.labels.at(path)); }
  template <class Choice, std::size_t N>
  void operator()(const ChoiceField<Choice, N>& field, Choice& result) const {
    const auto choice =
        value.is_string() ? field.choice_of(value.get_ref<const std::string&>()) : std::nullopt;
    if (!choice) fail_word(path, value, field.all_words());
    result = *choice;
  }
  template <class Choice, std::size_t N>
  void operator()(const ChoicesField<Choice, N>& field, std::vector<Choice>& result) const {
    result.clear();  // in place of the usual ones
    for (const json& item : array_of(value, path, "a list of words")) {
      const std::string place = path + " entry " + std::to_string(result.size());
      FieldReader{item, place, parts}(field.each, result.emplace_back());
    }
  }
  void operator()(const NumbersField&, std::vector<double>& result) const {
    result.clear();
    for (const json& item : array_of(value, path, "a list of numbers"))
      read(item, path + " entry " + std::to_string(result.size()), result.emplace_back());
  }
  // The word, or the number that stands for its mode.
  void operator()(const layer_field::ScaleField&, Scaling& result) const {
    if (value == "sqrt") {
      result.mode = ScaleMode::sqrt;
    } else if (value == "none") {
      result.mode = ScaleMode::none;
    } else if (value.is_number()) {
      result.mode = ScaleMode::number;
      read(value, path, result.number);
    } else {
      fail_word(path, value, {"sqrt", "none", "a number"});
    }
  }
  void operator()(const layer_field::MasksField&, std::vector<MaskTerm>& result) const {
    result.clear();
    for (const json& item : array_of(value, path, "a list of rules"))
      result.push_back(term(item, path + " entry " + std::to_string(result.size())));
  }
  void operator()(const layer_field::PositionField&, Position& result) const;
  void operator()(const EncodingsField&, std::vector<Position>& result) const {
    result.clear();
    for (const json& item : array_of(value, path, "a list of encodings")) {
      const std::string place = path + " entry " + std::to_string(result.size());
      FieldReader{item, place, parts}(layer_field::position, result.emplace_back());
    }
  }
  // Fields whose type says it all.
  void operator()(const auto&, auto& result) const { read(value, path, result); }

 private:
  MaskTerm term(const json& item, const std::string& where) const;
};

// The number of a scale that is a word has a key of its own.
void read_rest(const layer_field::ScaleField& field, ObjectReader& object, Scaling& result);
void read_rest(const auto&, ObjectReader&, auto&) {}

template <class Part>
void read_fields(ObjectReader& object, Parts& parts, Part& part) {
  visit_fields(of<Part>, [&](const auto& field, auto member) {
    const std::string_view key = text_of(field).key;
    if (const json* value = object.find(key))
      FieldReader{*value, object.path(key), parts}(field, part.*member);
    read_rest(field, object, part.*member);
  });
}

// Whatever the part has besides its fields is read by `rest` first.
template <class Part, class Rest>
void read_part(ObjectReader& session, Parts& parts, std::string_view key, Part& part, const Rest& rest) {
  const json* value = session.find(key);
  if (value == nullptr) return;
  ObjectReader object(*value, std::string(key));
  rest(object);
  read_fields(object, parts, part);
  object.refuse_unknown();
}

}  // namespace attn::session
