// Symbols, and formulas with them.
#include "core/gradient/gradient_words.h"

namespace attn {
namespace {

const std::string& symbol_of(const Stage& stage) {
  return stage.symbol.empty() ? stage.title : stage.symbol;
}

}  // namespace

std::string gradient_symbol(const Stage& stage) {
  const std::string& symbol = symbol_of(stage);
  const bool word = symbol.size() > 2 && symbol.front() >= 'a' && symbol.front() <= 'z';
  return (word ? "d " : "d") + symbol;
}

std::string written_out(const std::string& formula, const Stage& stage, const std::vector<Stage>& stages) {
  std::string words;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    if (formula[i] != '%' || i + 1 == formula.size()) {
      words += formula[i];
      continue;
    }
    const char of = formula[++i];
    if (of == 'g')
      words += gradient_symbol(stage);
    else if (of == 'y')
      words += symbol_of(stage);
    else
      words += symbol_of(stages[stage.inputs.at(static_cast<std::size_t>(of - '0'))]);
  }
  return words;
}

}  // namespace attn
