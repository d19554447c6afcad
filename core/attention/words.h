// The words that the command line and session files use for a layer's choices: one table for each choice.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/layer.h"

namespace attn {

template <class Choice>
struct Word {
  std::string_view word;
  Choice choice;
};

inline constexpr std::array kFillWords{
    Word<Fill>{"-inf", Fill::negative_infinity}, Word<Fill>{"-1e9", Fill::minus_1e9},
    Word<Fill>{"-1e6", Fill::minus_1e6}, Word<Fill>{"add-1e9", Fill::add_minus_1e9}};
inline constexpr std::array kEmptyRowWords{Word<EmptyRow>{"zeros", EmptyRow::zeros},
                                           Word<EmptyRow>{"nan", EmptyRow::nan},
                                           Word<EmptyRow>{"uniform", EmptyRow::uniform}};
inline constexpr std::array kAlignWords{Word<CausalAlign>{"lower-right", CausalAlign::lower_right},
                                        Word<CausalAlign>{"top-left", CausalAlign::top_left}};
inline constexpr std::array kScoringWords{Word<Scoring>{"dot", Scoring::dot}};

template <class Choice, std::size_t N>
std::optional<Choice> choice_of(const std::array<Word<Choice>, N>& words, std::string_view word) {
  for (const auto& w : words)
    if (w.word == word) return w.choice;
  return std::nullopt;
}

template <class Choice, std::size_t N>
std::string_view word_of(const std::array<Word<Choice>, N>& words, Choice choice) {
  for (const auto& w : words)
    if (w.choice == choice) return w.word;
  return {};
}

template <class Choice, std::size_t N>
std::vector<std::string> words_of(const std::array<Word<Choice>, N>& words) {
  std::vector<std::string> list;
  for (const auto& w : words) list.emplace_back(w.word);
  return list;
}

}  // namespace attn
