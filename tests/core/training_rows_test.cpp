// Rows that somebody types: their answers by the task's rule, how they are read, and where their answers
// stand.
#include <doctest/doctest.h>

#include "core/learning/moment.h"
#include "core/system/error.h"
#include "tests/core/learning_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::string why_no_row(const TrainingTask& task, std::string_view text) {
  try {
    symbols_of_row(task, text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("typed rows have the answers of rows that are drawn") {
  for (const TrainingTaskText& text : kTrainingTasks) {
    TrainingSpec spec = small_training(text.kind);
    spec.task.length = 12;
    CAPTURE(text.word);
    for (const TaskRow& row : held_out_rows(spec, 40)) {
      const TaskRow typed = typed_row(spec.task, row.input);
      CHECK(typed.input == row.input);
      CHECK(typed.target == row.target);
      std::string written;
      const auto labels = symbol_labels(spec.task);
      const bool letters = text.kind == TrainingTaskKind::dates || text.kind == TrainingTaskKind::own;
      for (const std::int32_t symbol : row.input) {
        if (text.kind == TrainingTaskKind::own &&
            static_cast<std::size_t>(symbol) == spec.task.own.symbols.size())
          continue;  // the pad
        written += labels[static_cast<std::size_t>(symbol)] + (letters ? "" : " ");
      }
      CHECK(symbols_of_row(spec.task, written) == row.input);
    }
  }
}

TEST_CASE("typed rows are read as people write them, and refused with a reason") {
  const TrainingTask reverse{.kind = TrainingTaskKind::reverse, .length = 4, .symbols = 10};
  CHECK(symbols_of_row(reverse, "3141") == std::vector<std::int32_t>{3, 1, 4, 1});
  CHECK(symbols_of_row(reverse, "3, 1,4 1") == std::vector<std::int32_t>{3, 1, 4, 1});
  CHECK(why_no_row(reverse, "314") == "a row has 4 symbols, not 3");
  CHECK(why_no_row(reverse, "3 1 4 x") == "“x” is not a symbol of this task: they go from 0 to 9");
  const TrainingTask sum{.kind = TrainingTaskKind::modular, .modulus = 7};
  CHECK(symbols_of_row(sum, "5 + 4 =") == std::vector<std::int32_t>{5, 4, 7});
  CHECK(typed_row(sum, {5, 4, 7}).target == std::vector<std::int32_t>{-1, -1, 2});
  CHECK_THROWS_AS(typed_row(sum, {5, 7, 7}), Error);
  CHECK(why_no_row(sum, "5 + 8") == "“8” is not a symbol of this task: they go from 0 to 6");
  const TrainingTask dates{.kind = TrainingTaskKind::dates};
  for (const char* written : {"12·mar·1987", "mar·12·1987", "1987·mar·12"})
    CHECK(typed_row(dates, symbols_of_row(dates, written)).target ==
          std::vector<std::int32_t>{1, 9, 8, 7, 10, 0, 3, 10, 1, 2});
  for (const char* none : {"12-mar-1987", "30·feb·1987", "12·mra·1987", "00·mar·1987", "1987·12·mar"})
    CHECK(typed_row(dates, symbols_of_row(dates, none)).target == std::vector<std::int32_t>(10, -1));
  const TrainingTask words{.kind = TrainingTaskKind::own,
                           .own = pairs_of_text("the cat\tle chat\na cat\tun chat")};
  CHECK(typed_row(words, symbols_of_row(words, "a cat")).target == words.own.pairs[1].second);
  CHECK(typed_row(words, symbols_of_row(words, "cat a")).target == std::vector<std::int32_t>{-1, -1});
  CHECK(why_no_row(words, "a dog") == "“dog” is not a symbol of this task: it is in none of the pairs");
}

TEST_CASE("right places are where the answer stands") {
  MomentAttention self, cross;
  cross.cross = true;
  const auto places = [](TrainingTask task, const std::vector<std::int32_t>& input,
                         const MomentAttention& attention, std::size_t query) {
    task.length = input.size();
    return right_places(task, typed_row(task, input), attention, query);
  };
  using Places = std::vector<std::size_t>;
  const TrainingTask copy{.kind = TrainingTaskKind::copy}, reverse{.kind = TrainingTaskKind::reverse},
      sort{.kind = TrainingTaskKind::sort}, induction{.kind = TrainingTaskKind::induction},
      recall{.kind = TrainingTaskKind::recall};
  CHECK(places(copy, {4, 5, 6}, cross, 2) == Places{2});
  CHECK(places(copy, {4, 5, 6}, self, 2).empty());
  CHECK(places(reverse, {4, 5, 6, 7}, self, 0) == Places{3});
  CHECK(places(sort, {6, 4, 6, 1}, self, 0) == Places{3});
  CHECK(places(sort, {6, 4, 6, 1}, self, 3) == Places{0, 2});
  CHECK(places(induction, {1, 2, 3, 1, 2, 1}, self, 3) == Places{1});
  CHECK(places(induction, {1, 2, 3, 1, 2, 1}, self, 5) == Places{1, 4});
  CHECK(places(induction, {1, 2, 3, 1, 2, 1}, self, 2).empty());
  CHECK(places(recall, {1, 7, 2, 8, 2, 1}, self, 4) == Places{3});
  CHECK(places(recall, {1, 7, 2, 8, 2, 1}, self, 5) == Places{1});
  const TrainingTask dates{.kind = TrainingTaskKind::dates};
  const TaskRow date = typed_row(dates, symbols_of_row(dates, "12·mar·1987"));
  for (std::size_t query = 0; query < date.input.size(); ++query)
    CHECK(right_places(dates, date, self, query).empty());
  const Tensor map({1, 4, 4}, {0, 0, 0, .5f, 0, 0, .25f, 0, 0, 1, 0, 0, .25f, 0, 0, 0});
  TrainingTask four = reverse;
  four.length = 4;
  const auto share = share_on_right_place(four, typed_row(four, {1, 2, 3, 4}), self, map, 0);
  REQUIRE(share);
  CHECK(*share == 0.5);
}
