// Losses from words, their matrices from .npy files.
#include "app/cli/loss_words.h"

#include <string_view>

#include "app/words/refuse.h"
#include "core/attention/layer.h"
#include "core/io/npy.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr const char* kLossTakes = "ones, cell:ROW,COLUMN, FILE.npy, mse:FILE.npy or cross-entropy:L0,L1,…";

// What follows the prefix; none where the word does not begin with it.
std::optional<std::string> behind(const std::string& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return std::nullopt;
  return word.substr(prefix.size());
}

template <class T>
std::vector<T> numbers_in(const std::string& word, const std::string& list) {
  std::vector<T> numbers;
  for (const std::string& text : split(list, ',')) {
    const auto number = parse_number<T>(text);
    if (!number) refuse("--upstream", word, kLossTakes);
    numbers.push_back(*number);
  }
  return numbers;
}

Tensor read_matrix(const std::string& path, const Shape& output) {
  Array array = parse_npy<float>(read_file(path));
  std::vector<std::size_t> shape = array.shape;
  while (shape.size() > 2 && shape.front() == 1) shape.erase(shape.begin());
  if (shape != std::vector{output.rows, output.columns})
    throw Error(path + " does not fit the output: it has to be " + std::to_string(output.rows) + "×" +
                std::to_string(output.columns));
  return {output, std::move(array.values)};
}

}  // namespace

Loss read_loss(const std::string& word, const Shape& output) {
  if (word.empty() || word == "ones") return {};
  if (const auto cell = behind(word, "cell:")) {
    const auto at = numbers_in<std::size_t>(word, *cell);
    if (at.size() != 2) refuse("--upstream", word, kLossTakes);
    return {.kind = LossKind::one_hot, .row = at[0], .column = at[1]};
  }
  if (const auto labels = behind(word, "cross-entropy:"))
    return {.kind = LossKind::cross_entropy, .labels = numbers_in<long>(word, *labels)};
  if (const auto path = behind(word, "mse:"))
    return {.kind = LossKind::mean_square, .given = read_matrix(*path, output)};
  if (word.ends_with(".npy")) return {.kind = LossKind::typed, .given = read_matrix(word, output)};
  const std::vector<std::string> words{"ones", "cell:", "mse:", "cross-entropy:"};
  refuse("--upstream", word, kLossTakes, words);
}

Differentiated differentiated(Built layer, const std::string& loss) {
  Differentiated made{.graph = std::move(layer.graph), .gradients = {}};
  const StageIndex output = layer.places.as<LayerStages>()->output;
  made.loss = append_loss(made.graph, output, read_loss(loss, made.graph.stages[output].shape));
  made.gradients = append_gradients(made.graph, made.loss);
  return made;
}

}  // namespace attn
