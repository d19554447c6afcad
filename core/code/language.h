// How a language writes formulas: a table of spellings, and what a program needs besides.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/code/formula.h"

namespace attn::code {

// How tightly text holds together, the tightest first. An operand that is looser than a spelling allows
// stands in brackets.
enum class Binding { atom, factor, sum, comparison, anything };

// %0, %1, %2: operands. %S, %N, %M: the shape of the result; %F: where it begins, or how often it is
// repeated; %E: behind its end; %G: its first counted from 1. %L: the list of columns; %I: a constant of
// indices; %P: the module.
struct Spelling {
  const char* text;
  Binding binds = Binding::atom, left = Binding::anything, right = Binding::anything;
};
constexpr Spelling call(const char* text) {
  return {text};
}
// A method of its first operand, or an index into it.
constexpr Spelling of(const char* text) {
  return {text, Binding::atom, Binding::atom};
}
constexpr Spelling operation(const char* text, Binding binds) {
  return {text, binds, binds, Binding{static_cast<int>(binds) - 1}};
}
constexpr Spelling compared(const char* text) {
  return {text, Binding::comparison, Binding::sum, Binding::sum};
}
constexpr Spelling logic(const char* text) {
  return {text, Binding::comparison, Binding::atom, Binding::atom};
}

using Spellings = std::map<Fn, Spelling>;
// With the operators and functions of numbers as most languages have them, where `own` has no other.
Spellings with_operators(Spellings own);

// A function that the language lacks: it stands in the program where it is called.
struct Helper {
  std::string_view name, text;
};

struct Language {
  std::string_view name = {};     // of the command line
  std::string_view title = {};    // "NumPy"
  std::string_view module = {};   // %P
  std::string_view comment = {};  // "# "
  std::string_view begin = {};    // of the program
  std::string_view body = {};     // behind its functions
  std::string_view end = {};
  std::string_view declare = {}, assign = {}, ends = {};  // before a name, between it and what it is, behind
  std::string_view nan = {}, infinity = {};
  std::string_view list_begin = {}, list_end = {};  // of columns, counted from `list_first`
  std::size_t list_first = 0;
  // Around a stack, a matrix, a row; between numbers stands ", ".
  std::string_view stack_begin = {}, matrix_begin = {}, row_begin = {};
  std::string_view row_end = {}, matrix_end = {}, stack_end = {};
  std::string_view next_row = {}, next_matrix = {};
  std::string_view indices_begin = {}, indices_end = {};  // around a matrix of indices
  bool point = false;                                     // 1 is written 1.0
  std::string_view weights = {}, output = {};             // lines behind all, where the program has these
  Spellings spellings = {};
  std::vector<Helper> helpers = {};
  std::vector<std::string_view> taken = {};  // names that mean something else
};

extern const Language kNumpy, kPytorch, kJax, kKeras, kR, kOctave, kEigen;
inline constexpr std::array kLanguages{&kNumpy, &kPytorch, &kJax, &kKeras, &kR, &kOctave, &kEigen};

}  // namespace attn::code
