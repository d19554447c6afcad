// What is done to a matrix by name: copying, pasting, filling. The selection says to which; without one it is
// the matrix under the pointer, or the one that the inspector has a number of.
#pragma once

#include <array>
#include <vector>

#include "app/frame/commands.h"
#include "core/edits/edit_fill.h"
#include "core/io/matrix_text.h"

namespace attn {

struct FillName {
  const char *word, *title;  // "fill.word"
  FillKind kind;
  bool random;
};
inline constexpr std::array kFillNames{
    FillName{"zeros", "zeros", FillKind::zeros, false},
    FillName{"identity", "identity", FillKind::identity, false},
    FillName{"normal", "normal, mean 0, deviation 1", FillKind::normal, true},
    FillName{"uniform", "uniform, 0 to 1", FillKind::uniform, true},
    FillName{"one_hot", "one-hot rows", FillKind::one_hot, true}};
// "uniform, 0 to 1, seed 1".
std::string title_of(const FillName& fill, const FillChoices& choices);

// Puts a block of one of the matrices on the clipboard. What is to be said then: "weights, 4×4, copied as
// LaTeX".
std::string copy_block(const std::string& title, const Tensor& values, const Region& block,
                       const TextFormatName& format);

// edit.copy, edit.copy_whole, edit.copy_as.NUMPY …, edit.paste, fill.WORD, fill.formula.
void grid_commands(std::vector<Command>& table, const Desk& desk);

}  // namespace attn
