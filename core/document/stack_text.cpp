// The input of a stack as text: a token for each character.
#include <algorithm>

#include "core/document/stack_edit.h"
#include "core/document/stack_plan.h"
#include "core/graph/limits.h"
#include "core/system/error.h"
#include "core/text/code_points.h"
#include "core/text/text.h"

namespace attn {
namespace {

// The symbol that a text begins with: mostly a character, or one that is named, as ‹s›; of several the
// longest. The end of the list: none.
Labels::const_iterator first_symbol(std::string_view text, const Labels& symbols) {
  auto best = symbols.end();
  for (auto symbol = symbols.begin(); symbol != symbols.end(); ++symbol)
    if (!symbol->empty() && text.starts_with(*symbol) &&
        (best == symbols.end() || symbol->size() > best->size()))
      best = symbol;
  return best;
}

// Nobody types what stands in front of every text.
bool starts(const StackSide& side) {
  return !side.tokens.empty() && side.tokens.front() == kStartSymbol;
}

}  // namespace

std::string input_text(const StackSide& side) {
  std::string text;
  for (std::size_t i = starts(side) ? 1 : 0; i < side.tokens.size(); ++i) text += side.tokens[i];
  return text;
}

void set_input_text(Document& document, bool decoder, std::string_view text) {
  const StackSpec stack = shown_stack(document);
  if (stack.embedding.empty())
    throw Error("the stack has no embedding: its tokens are rows of features, not characters", Fault::option);
  const StackSide& side = decoder ? stack.decoder : stack.encoder;
  const std::string whole = (starts(side) ? kStartSymbol : "") + std::string(text);
  if (whole.empty()) throw Error("give at least one character", Fault::option);
  Labels tokens;
  std::vector<float> ids;
  for (std::string_view rest = whole; !rest.empty(); rest.remove_prefix(tokens.back().size())) {
    const auto found = first_symbol(rest, stack.symbols);
    if (found == stack.symbols.end())
      throw Error("“" + std::string(first_character(rest)) + "” is no symbol of this stack: it knows " +
                      listed(stack.symbols),
                  Fault::option);
    tokens.push_back(*found);
    ids.push_back(static_cast<float>(found - stack.symbols.begin()));
  }
  check_label_count("the input", tokens.size());
  if (!stack.position_table.empty() && side.first_position + tokens.size() > stack.position_table.rows())
    throw Error("the stack has learned " + std::to_string(stack.position_table.rows() - side.first_position) +
                    " positions for these tokens: give at most so many characters",
                Fault::option);
  StackSpec& own = own_stack(document);
  StackSide& edited = decoder ? own.decoder : own.encoder;
  edited.x = {};
  edited.tokens = std::move(tokens);
  const std::size_t count = ids.size();
  edited.ids = Tensor({1, count, 1}, std::move(ids));
}

}  // namespace attn
