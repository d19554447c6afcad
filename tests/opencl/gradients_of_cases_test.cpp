// What flows back through every operation, in the cases that devices are tested with, against central
// differences in double.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/checks/central_differences.h"
#include "core/gradient/gradients.h"
#include "core/opencl/cases/cases.h"
#include "core/operations/backward.h"
#include "core/tensor/random.h"

using namespace attn;

namespace {

bool is_ordinary(const opencl::Case& c) {
  if (c.name.find("ordinary") == std::string::npos) return false;
  std::size_t numbers = 0;
  for (const Tensor& input : c.inputs) {
    if (input.shape().size() == 0) return false;
    numbers += input.shape().size();
    for (const float x : input.values())
      if (!(std::abs(x) < 100)) return false;
  }
  return numbers > 0 && numbers <= 120;
}

// Σ G ⊙ Y of the case's result, G by a seed.
StageIndex append_case(Graph& graph, const opencl::Case& c) {
  std::vector<StageIndex> inputs;
  for (const Tensor& input : c.inputs)
    inputs.push_back(graph.add({.id = "x" + std::to_string(inputs.size()),
                                .title = "x",
                                .formula = "x",
                                .operation = Source{input}}));
  const StageIndex y =
      graph.add({.id = "y", .title = "y", .formula = "y", .operation = c.operation, .inputs = inputs});
  const Shape shape = graph.stages[y].shape;
  std::vector<float> g;
  for (std::size_t i = 0; i < shape.size(); ++i) g.push_back(random_normal(17, i));
  const StageIndex weights =
      graph.add({.id = "g", .title = "g", .formula = "g", .operation = Source{Tensor(shape, std::move(g))}});
  return graph.add({.id = "loss",
                    .title = "L",
                    .formula = "L",
                    .operation = SumProduct{SumProduct::all},
                    .inputs = {weights, y}});
}

// A row without length stays 0: there the result jumps.
bool divides_by_zero(const opencl::Case& c) {
  return std::holds_alternative<ByLength>(c.operation) && std::ranges::count(c.inputs[1].values(), 0) > 0;
}

Backward way_back_of(const opencl::Case& c) {
  std::vector<Shape> shapes;
  for (const Tensor& input : c.inputs) shapes.push_back(input.shape());
  return backward(c.operation, shapes, result_shape(c.operation, shapes));
}

}  // namespace

TEST_CASE("what flows back through every operation is what central differences say") {
  std::string untried;
  std::size_t tried = 0, numbers = 0;
  for (const opencl::Declaration& declaration : opencl::declarations()) {
    const std::string operation = declaration.operation;
    const std::vector<opencl::Case> cases = declaration.cases(opencl::Scope::comparison);
    const Backward back = way_back_of(cases.front());
    if (back.flows.empty()) continue;
    // tests/operations/flash_gradient_test.cpp, linear_gradient_test.cpp, sequence_attention_test.cpp
    if (operation == FlashAttention::kName || operation == LinearAttention::kName ||
        operation == SequenceAttention::kName)
      continue;
    // Ids are no numbers to nudge: tests/operations/embedding_test.cpp.
    if (operation == Embedding::kName) continue;
    std::size_t of_this = 0;
    for (const opencl::Case& c : cases) {
      if (of_this == 12 || !is_ordinary(c) || divides_by_zero(c) || !way_back_of(c).missing.empty()) continue;
      INFO(operation, ": ", c.name);
      Graph graph;
      const Gradients gradients = append_gradients(graph, append_case(graph, c));
      CentralDifferences differences(graph, gradients);
      if (!std::isfinite(differences.loss())) continue;
      const DifferenceCheck check = check_all(differences, graph);
      const Difference worst = check.worst.value_or(Difference{});
      INFO(graph.stages[worst.stage].id, "[", worst.cell.head, ",", worst.cell.row, ",", worst.cell.column,
           "]: gradient ", worst.gradient, ", difference ", worst.quotient);
      CHECK(check.accepted());
      ++of_this, numbers += check.numbers;
    }
    tried += of_this > 0;
    if (of_this == 0) untried += operation + " ";
  }
  MESSAGE(tried << " operations, " << numbers << " numbers");
  CHECK(untried == "");
}

TEST_CASE("an operation without a way back says why") {
  std::size_t without = 0;
  for (const opencl::Declaration& declaration : opencl::declarations()) {
    const std::string why = way_back_of(declaration.cases(opencl::Scope::comparison).front()).missing;
    CAPTURE(declaration.operation);
    without += !why.empty();
    CHECK((why.empty() || why.size() > 20));
  }
  CHECK(without > 10);
}
