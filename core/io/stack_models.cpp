// Models from the program's own files.
#include "core/io/stack_models.h"

#include <algorithm>

#include "core/io/stack_npz.h"
#include "core/system/assets.h"

namespace attn {
namespace {

constexpr std::size_t kDatesSource = 11;  // positions before those of the target

Labels tokens_of(std::initializer_list<const char*> characters) {
  return {characters.begin(), characters.end()};
}

void give_tokens(StackSide& side, const Labels& symbols, Labels tokens) {
  std::vector<float> ids;
  for (const std::string& token : tokens)
    ids.push_back(static_cast<float>(std::ranges::find(symbols, token) - symbols.begin()));
  const std::size_t count = ids.size();
  side.ids = Tensor({1, count, 1}, std::move(ids));
  side.tokens = std::move(tokens);
}

StackSpec read_dates() {
  const std::string file = asset_text(model_files(), "assets/stack", "dates.npz");
  return dates_stack_of(std::as_bytes(std::span(file)));
}

}  // namespace

StackSpec dates_stack_of(std::span<const std::byte> npz) {
  StackSpec stack = stack_of(parse_npz<float>(npz), {.heads = 4, .activation = ActivationKind::gelu});
  stack.weights = StackWeights::trained;
  give_tokens(stack.encoder, stack.symbols,
              tokens_of({"1", "2", "·", "m", "a", "r", "·", "1", "9", "8", "7"}));
  give_tokens(stack.decoder, stack.symbols,
              tokens_of({kStartSymbol, "1", "9", "8", "7", "-", "0", "3", "-", "1"}));
  stack.decoder.first_position = kDatesSource;
  return stack;
}

StackSpec dates_stack() {
  static const StackSpec kDates =
      read_dates();  // the same tensors each time, so that what is computed is known
  return kDates;
}

}  // namespace attn
