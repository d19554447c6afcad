// What is said about a field of the document, once: its key in session files, its names in undo steps and
// controls, its option on the command line, its range and its sentence. A part of the document lists its
// fields in one visitor, visit_fields(part, visit), which calls visit(field, member) for each; whatever deals
// with all fields (equality, history, sessions, names of steps, editing, options) is written over these
// types.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/graph/graph.h"

namespace attn {

// Selects the visitor of a part: visit_fields(of<LayerSpec>, visit).
template <class Part>
inline constexpr std::type_identity<Part> of{};

// Which change names an undo step that changes several fields: the lowest.
enum class Naming { whole, matrices, choices };

struct FieldText {
  std::string_view key;            // in session files: "temperature"
  std::string_view title = {};     // in controls: "temperature"
  std::string_view sentence = {};  // what it does: tooltips and --help
  std::string_view change = {};    // what the name of a step begins with: "temperature "
  std::string_view option = {};    // of the command line: "--temperature"; empty: none
  std::string_view takes = {};     // what the option takes, as --help writes it: "T"
};

// A matrix or a stack of them, which a stage of its own shows.
struct TensorField {
  FieldText text;
  std::string_view stage;   // that stage's id
  std::string_view symbol;  // its title: "W_Q"
  std::string_view number;  // the sentence about one number
  Role role = Role::plain;
  Drawn drawn = Drawn::always;
  Stack stack = Stack::joined;
  bool traced = true;
};

struct LabelsField {
  FieldText text;
  std::string_view one = "token";  // what each of them names, in the names of steps
};

struct SwitchField {
  FieldText text;
  std::string_view on, off;  // names of steps
};

struct NumberField {
  FieldText text;
  double least = -std::numeric_limits<double>::max(), most = std::numeric_limits<double>::max();
  std::string_view takes = {};  // the range in words, for messages: "0 or more; 1 changes nothing"
  double per_pixel = 0;         // of a drag; 0: not to be dragged
};

struct CountField {
  FieldText text;
  std::size_t least = 0, most = std::numeric_limits<std::size_t>::max();
  Naming naming = Naming::choices;
};

// A number of something random, 0 for none of it, and its seed, which is visited as a field of its own. Its
// key is the name of the operation.
template <class Part>
struct SeededNumberField {
  NumberField number;
  CountField seed_field;
  std::uint64_t Part::*seed;
  std::string_view title, off, another;  // of its section; in commands: none of it, the next seed
};

// Ascending numbers, each once.
struct SetField {
  FieldText text;
};

// Numbers in an order that counts, at least one.
struct CountsField {
  FieldText text;
};

template <class Choice>
struct Word {
  std::string_view word;   // of sessions and the command line
  std::string_view title;  // of the controls
  Choice choice;
};

template <class Choice, std::size_t N>
struct ChoiceField {
  FieldText text;
  std::array<Word<Choice>, N> words;
  Naming naming = Naming::choices;

  std::optional<Choice> choice_of(std::string_view word) const {
    for (const auto& w : words)
      if (w.word == word) return w.choice;
    return std::nullopt;
  }
  std::size_t index_of(Choice choice) const {
    for (std::size_t i = 0; i < N; ++i)
      if (words[i].choice == choice) return i;
    return 0;
  }
  std::string_view word_of(Choice choice) const { return words[index_of(choice)].word; }
  std::vector<std::string> all_words() const {
    std::vector<std::string> list;
    for (const auto& w : words) list.emplace_back(w.word);
    return list;
  }
  std::array<std::string, N> titles() const {
    std::array<std::string, N> list;
    for (std::size_t i = 0; i < N; ++i) list[i] = words[i].title;
    return list;
  }
};

// Some of the choices, at least one, in an order that counts and each at most once.
template <class Choice, std::size_t N>
struct ChoicesField {
  FieldText text;
  ChoiceField<Choice, N> each;
  std::size_t most = N;
};

// At least one number, in an order that counts.
struct NumbersField {
  FieldText text;
  NumberField each;
  std::size_t most = 1;
};

// What is said about a field of any type.
const FieldText& text_of(const auto& field) {
  return field.text;
}
template <class Part>
const FieldText& text_of(const SeededNumberField<Part>& field) {
  return field.number.text;
}

// Whether two parts are equal, field by field.
template <class Part>
bool equal_fields(const Part& a, const Part& b) {
  bool equal = true;
  visit_fields(of<Part>, [&](const auto&, auto member) { equal = equal && a.*member == b.*member; });
  return equal;
}

}  // namespace attn
