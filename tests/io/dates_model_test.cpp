// The trained model that Stack opens with: it is what training makes, and right about dates that it has not
// seen.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/document/stack_edit.h"
#include "core/document/stack_plan.h"
#include "core/io/npz.h"
#include "core/io/stack_models.h"
#include "core/learning/moment.h"
#include "tests/io/io_testing.h"
#include "tests/layers.h"

namespace attn::tests {
namespace {

// What tests/oracles/make_dates_model.py trains.
TrainingSpec trained_dates() {
  TrainingSpec spec = default_training(TrainingTaskKind::dates);
  spec.model = {.sides = TrainingSides::both,
                .layers = 4,
                .heads = 4,
                .width = 32,
                .inner = 64,
                .decoder = TrainingDecoder::written,
                .tied = true};
  return spec;
}

std::string text_of_symbols(const std::vector<std::int32_t>& symbols) {
  const std::vector<std::string> labels = symbol_labels({.kind = TrainingTaskKind::dates});
  std::string text;
  for (const std::int32_t symbol : symbols) text += labels[static_cast<std::size_t>(symbol)];
  return text;
}

// What the model writes where it is given the right characters before each.
std::string likeliest_text(const std::string& source, const std::string& right) {
  Document document;
  document.transformer = dates_stack();
  set_input_text(document, false, source);
  set_input_text(document, true, right.substr(0, right.size() - 1));
  const Graph graph = build_stack(document).graph;
  const auto outputs = evaluate_in_double(graph);
  const auto& shares = outputs[*graph.find("probabilities")];
  std::string text;
  for (std::size_t row = 0; row < shares.rows(); ++row) {
    std::size_t best = 0;
    for (std::size_t symbol = 1; symbol < shares.columns(); ++symbol)
      if (shares[{0, row, symbol}] > shares[{0, row, best}]) best = symbol;
    text += document.transformer.symbols[best];
  }
  return text;
}

TEST_CASE("the file of the trained model has the parameters that training has, and is small") {
  const std::vector<std::byte> bytes = fixture("../../../assets/stack/dates.npz");
  CHECK(bytes.size() < 400'000);
  const TrainingSpec spec = trained_dates();
  const auto parameters = parameters_of(spec.model, spec.task);
  CHECK(count_numbers(parameters) == 85'792);
  auto arrays = parse_npz<float>(bytes);
  CHECK(arrays.at("symbols").shape == std::vector{vocabulary_of(spec.model, spec.task)});
  arrays.erase("symbols");
  const auto expected = parameter_arrays(parameters, initial_parameters(parameters, 1));
  CHECK(arrays.size() == expected.size());
  for (const ParameterArray& array : expected) {
    CAPTURE(array.name);
    REQUIRE(arrays.contains(array.name));
    CHECK(arrays.at(array.name).shape == array.shape);
  }
  const Labels& symbols = dates_stack().symbols;
  const std::vector<std::string> labels = vocabulary_labels(spec.model, spec.task);
  CHECK(std::set(symbols.begin(), symbols.end()) == std::set(labels.begin(), labels.end()));
}

TEST_CASE("the trained model writes three orders of the date that is drawn") {
  for (const char* source : {"12·mar·1987", "mar·12·1987", "1987·mar·12"})
    CHECK(likeliest_text(source, "1987-03-12") == "1987-03-12");
}

TEST_CASE("the trained model is right about 99 of 100 dates that it has not seen" *
          doctest::test_suite("long")) {
  TrainingSpec spec = trained_dates();
  spec.seed = 20260704;
  const std::vector<TaskRow> rows = held_out_rows(spec, 300);
  std::size_t right = 0;
  for (const TaskRow& row : rows) {
    const std::string answer = text_of_symbols(row.target);
    right += likeliest_text(text_of_symbols(row.input), answer) == answer;
  }
  CHECK(right >= 297);
}

}  // namespace
}  // namespace attn::tests
