// Losses from words, their matrices from .npy files; gradients against central differences, in words.
#include "app/cli/layer_gradients.h"

#include <chrono>
#include <cmath>
#include <string_view>

#include "app/words/refuse.h"
#include "core/attention/layer.h"
#include "core/checks/central_differences.h"
#include "core/evaluate/weigh.h"
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

// Says now and then how far a check is.
struct Told {
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kEvery{5};

  std::ostream& err;
  Clock::time_point next = Clock::now() + kEvery;

  bool operator()(double done) {
    if (Clock::now() < next) return false;
    err << static_cast<int>(100 * done) << " % of the numbers are checked\n" << std::flush;
    next += kEvery;
    return false;
  }
};

std::string described(const Graph& graph, const Difference& worst, bool accepted) {
  const Cell& at = worst.cell;
  return graph.stages[worst.stage].id + "[" + std::to_string(at.head) + ", " + std::to_string(at.row) + ", " +
         std::to_string(at.column) + "]: gradient " + brief(worst.gradient) + ", difference " +
         brief(worst.quotient) + ", relative error " + brief(worst.error) +
         (accepted ? ": accepted" : ": more than 1e-6, and more than rounding explains");
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

void check_gradient_words(bool gradient, const std::string& upstream, bool check) {
  if (!gradient && (check || !upstream.empty()))
    throw Error(std::string(check ? "--check" : "--upstream") + " is about gradients: add --gradient",
                Fault::option);
}

Differentiated differentiated(Built layer, const std::string& upstream) {
  Differentiated made{.graph = std::move(layer.graph), .gradients = {}};
  const StageIndex output = layer.places.as<LayerStages>()->output;
  const Loss loss = read_loss(upstream, made.graph.stages[output].shape);
  made.gradients = append_gradients(made.graph, append_loss(made.graph, output, loss));
  return made;
}

GradientVerdict check_gradients(const Graph& graph, const Gradients& gradients, std::ostream& progress) {
  check_fits(load_in_double(graph), free_memory(), graph, load_in_double);
  CentralDifferences differences(graph, gradients);
  if (!std::isfinite(differences.loss()))
    return {false, "the loss is " + brief(differences.loss()) +
                       ": its gradients cannot be compared; look for the first stage with such a number\n"};
  const DifferenceCheck check = check_all(differences, graph, Told{progress});
  std::string words = "gradients of " + std::to_string(check.numbers - check.crossed) +
                      " numbers against central differences";
  if (check.crossed > 0)
    words += "; " + std::to_string(check.crossed) + " more lie within " + brief(kNudge) +
             " of a bend or a step, where there is nothing to compare";
  if (check.worst) words += "\nworst: " + described(graph, *check.worst, check.accepted());
  return {check.accepted(), words + "\n"};
}

}  // namespace attn
