// Tasks of training: what the best without positions is, by brute force; tables; texts read as pairs; and
// refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/learning/moment.h"
#include "core/system/error.h"

using namespace attn;

namespace {

TrainingTask small_task(TrainingTaskKind kind, std::size_t length, std::size_t symbols) {
  return {.kind = kind, .length = length, .symbols = symbols};
}

// Every row that there is.
std::vector<WeighedRow> all_rows(const TrainingTask& task) {
  std::vector<WeighedRow> rows;
  const auto count = static_cast<std::size_t>(
      std::llround(std::pow(static_cast<double>(task.symbols), static_cast<double>(task.length))));
  for (std::size_t number = 0; number < count; ++number) {
    WeighedRow row{.probability = 1 / static_cast<double>(count), .input = {}, .target = {}};
    for (std::size_t i = 0, left = number; i < task.length; ++i, left /= task.symbols)
      row.input.push_back(static_cast<std::int32_t>(left % task.symbols));
    row.target = row.input;
    if (task.kind == TrainingTaskKind::reverse) std::ranges::reverse(row.target);
    if (task.kind == TrainingTaskKind::sort) std::ranges::sort(row.target);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Every date in each order; all years are as likely, the months of one, and the days of one.
std::vector<WeighedRow> dates_of_years(std::size_t first, std::size_t years) {
  const TrainingTask task{.kind = TrainingTaskKind::dates};
  std::vector<WeighedRow> rows;
  for (std::size_t year = first; year < first + years; ++year)
    for (std::size_t month = 1; month <= 12; ++month)
      for (std::size_t day = 1; day <= days_of_month(month, year); ++day)
        for (const char* order : {"dmy", "mdy", "ymd"}) {
          constexpr const char* kNames = "janfebmaraprmayjunjulaugsepoctnovdec";
          std::string text;
          for (const char* part = order; *part; ++part)
            text += (part == order ? "" : "·") + (*part == 'd'   ? (day < 10 ? "0" : "") + std::to_string(day)
                                                  : *part == 'm' ? std::string(kNames + 3 * (month - 1), 3)
                                                                 : std::to_string(year));
          const TaskRow row = typed_row(task, symbols_of_row(task, text));
          const double days = static_cast<double>(days_of_month(month, year));
          rows.push_back({1 / (36 * static_cast<double>(years) * days), row.input, row.target});
        }
  return rows;
}

std::string why_no_pairs(std::string_view text) {
  try {
    pairs_of_text(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("the best without positions is what all rows of small tasks say") {
  for (const auto kind : {TrainingTaskKind::copy, TrainingTaskKind::reverse, TrainingTaskKind::sort})
    for (const std::size_t length : {1, 2, 3, 4, 5, 6})
      for (const std::size_t symbols : {2, 3, 4}) {
        const TrainingTask task = small_task(kind, length, symbols);
        const TrainingBound by_rows = bound_of_bags(all_rows(task), kind != TrainingTaskKind::copy);
        const auto bound = bound_without_positions(task, TrainingDecoder::slots);
        INFO(task_text(kind).word, " of ", length, " of ", symbols);
        REQUIRE(bound);
        CHECK(std::abs(bound->loss - by_rows.loss) <= 1e-12);
        CHECK(std::abs(bound->accuracy - by_rows.accuracy) <= 1e-12);
      }
}

TEST_CASE("of reverse with 8 of 10 symbols the best without positions is known") {
  const auto bound =
      bound_without_positions(small_task(TrainingTaskKind::reverse, 8, 10), TrainingDecoder::slots);
  REQUIRE(bound);
  CHECK(bound->loss == doctest::Approx(1.5699).epsilon(5e-5));
  CHECK(bound->accuracy == doctest::Approx(0.3172).epsilon(2e-4));
}

// Two rows of one bag, one of another: 0 or 1 with a chance of ½, then always 2.
TEST_CASE("rows of one bag are answered alike") {
  const std::vector<WeighedRow> rows{{0.25, {5, 6}, {0}}, {0.25, {6, 5}, {1}}, {0.5, {5, 5}, {2}}};
  const TrainingBound bound = bound_of_bags(rows, false);
  CHECK(bound.loss == doctest::Approx(0.5 * std::log(2.0)));
  CHECK(bound.accuracy == doctest::Approx(0.75));
}

// The same, of a decoder that knows what it has written: "ab" and "ba" begin with a chance of ½ and end
// surely.
TEST_CASE("what is written is known to who reads it") {
  const std::vector<WeighedRow> rows{{0.25, {5, 6}, {0, 1}}, {0.25, {6, 5}, {1, 1}}, {0.5, {5, 5}, {0, 3}}};
  const TrainingBound bound = bound_of_written(rows);
  CHECK(bound.loss == doctest::Approx(0.25 * std::log(2.0)));
  CHECK(bound.accuracy == doctest::Approx(0.875));
  for (const std::size_t length : {1, 2, 3, 4, 5, 6})
    for (const std::size_t symbols : {2, 3, 4}) {
      const TrainingTask task = small_task(TrainingTaskKind::copy, length, symbols);
      const TrainingBound by_rows = bound_of_written(all_rows(task));
      const auto known = bound_without_positions(task, TrainingDecoder::written);
      INFO("copy of ", length, " of ", symbols);
      REQUIRE(known);
      CHECK(std::abs(known->loss - by_rows.loss) <= 1e-12);
      CHECK(std::abs(known->accuracy - by_rows.accuracy) <= 1e-12);
    }
}

TEST_CASE("the best of dates without positions is what all dates of some years say") {
  for (const std::size_t first : {1895, 1987, 9990}) {
    const std::vector<WeighedRow> rows = dates_of_years(first, 10);
    for (const auto decoder : {TrainingDecoder::slots, TrainingDecoder::written}) {
      const TrainingBound by_rows =
          decoder == TrainingDecoder::slots ? bound_of_bags(rows, false) : bound_of_written(rows);
      const TrainingBound bound = bound_of_dates(first, 10, decoder);
      INFO("from ", first, ", ", name(decoder));
      CHECK(std::abs(bound.loss - by_rows.loss) <= 1e-12);
      CHECK(std::abs(bound.accuracy - by_rows.accuracy) <= 1e-12);
    }
  }
}

TEST_CASE("dates and own pairs have a bound too, tasks with a causal mask have none") {
  const auto dates = bound_without_positions({.kind = TrainingTaskKind::dates}, TrainingDecoder::slots);
  REQUIRE(dates);
  CHECK(dates->loss > 1);
  CHECK(dates->accuracy < 0.4);
  const auto written = bound_without_positions({.kind = TrainingTaskKind::dates}, TrainingDecoder::written);
  REQUIRE(written);
  CHECK(written->loss < dates->loss);
  CHECK(written->accuracy > dates->accuracy);
  const TrainingTask own{.kind = TrainingTaskKind::own, .own = pairs_of_text("ab\tab\nba\tba\n")};
  const auto bound = bound_without_positions(own, TrainingDecoder::slots);
  REQUIRE(bound);
  CHECK(bound->loss == doctest::Approx(std::log(2.0)));
  CHECK(bound_without_positions(own, TrainingDecoder::written)->loss == doctest::Approx(std::log(2.0) / 2));
  for (const auto kind : {TrainingTaskKind::recall, TrainingTaskKind::induction, TrainingTaskKind::modular})
    CHECK_FALSE(bound_without_positions(small_task(kind, 8, 10), TrainingDecoder::slots));
}

TEST_CASE("sums modulo p stand in a table, a share of them to be trained on") {
  const TrainingTask task{.kind = TrainingTaskKind::modular, .modulus = 5, .train_share = 0.4};
  const Tensor table = table_of(task, 3);
  REQUIRE(table.shape() == Shape{1, 25, 6});
  std::set<std::pair<float, float>> pairs;
  for (std::size_t row = 0; row < 25; ++row) {
    const auto numbers = table.values().subspan(6 * row, 6);
    pairs.emplace(numbers[0], numbers[1]);
    CHECK(numbers[2] == 5);
    CHECK(numbers[3] == -1);
    CHECK(numbers[4] == -1);
    CHECK(numbers[5] == static_cast<float>(static_cast<int>(numbers[0] + numbers[1]) % 5));
  }
  CHECK(pairs.size() == 25);
  CHECK(rows_of(task, 3, 4, TaskRows::input).trained == 10);
  CHECK(table_of(task, 3) == table);
  CHECK_FALSE(table_of(task, 4) == table);
}

TEST_CASE("pairs of texts are read by characters, or by words") {
  const OwnPairs letters = pairs_of_text("ab\tc\nä -> ba\n\n");
  CHECK(letters.symbols == std::vector<std::string>{"a", "b", "c", "ä"});
  CHECK_FALSE(letters.words);
  CHECK(letters.length == 2);
  REQUIRE(letters.pairs.size() == 2);
  CHECK(letters.pairs[0].first == std::vector<std::int32_t>{0, 1});
  CHECK(letters.pairs[0].second == std::vector<std::int32_t>{2, 4});  // filled up with the pad
  CHECK(letters.pairs[1].first == std::vector<std::int32_t>{3, 4});
  const OwnPairs words = pairs_of_text("the cat = die Katze\ncat = Katze");
  CHECK(words.words);
  CHECK(words.symbols == std::vector<std::string>{"Katze", "cat", "die", "the"});
  CHECK(words.pairs[1].second == std::vector<std::int32_t>{0, 4});
  CHECK(why_no_pairs("ab\tc\nde\n") ==
        "line 2 is no pair: write two texts separated by a tab, \" = \" or \" -> \", as in \"abc = cba\"");
  std::string lopsided = std::string(200000, 'a') + "\tb\n";
  for (int i = 0; i < 90000; ++i) lopsided += "a\tb\n";
  CHECK(
      why_no_pairs(lopsided).starts_with("the pairs have 36000400000 places, filled up to the longest text"));
  CHECK(why_no_pairs(std::string(257, 'a') + "\tb") ==
        "the longest text’s length can be from 1 to 256, not 257");
  CHECK(why_no_pairs("\n") ==
        "there is no pair in the text: give each a line, its two texts separated by a tab");
}

TEST_CASE("what cannot be trained is refused in words that say what to change") {
  TrainingSpec spec = default_training(TrainingTaskKind::reverse);
  CHECK(training_refusal(spec).empty());
  spec.model.heads = 7;
  CHECK(training_refusal(spec) == "7 heads do not divide the width of 64");
  spec.model.heads = 4, spec.model.decoder = TrainingDecoder::written;
  CHECK(training_refusal(spec) == "reverse has no decoder that could read what is written");
  spec.model.decoder = TrainingDecoder::slots, spec.task.symbols = 1;
  CHECK(training_refusal(spec) == "the number of symbols can be from 2 to 256, not 1");
  spec.task.symbols = 10, spec.optimizer.beta2 = 1;
  CHECK(training_refusal(spec) == "betas are from 0 to below 1");
  CHECK(training_refusal(default_training(TrainingTaskKind::own)) ==
        "your own task needs pairs of texts: give a file with --data");
  for (const TrainingTaskText& text : kTrainingTasks) {
    CHECK(&task_text(text.kind) == &text);
    if (text.kind != TrainingTaskKind::own) CHECK(training_refusal(default_training(text.kind)).empty());
  }
}
