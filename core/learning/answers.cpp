// Answers to rows that somebody typed, and where a head should look for them.
#include <algorithm>
#include <array>

#include "core/learning/moment.h"
#include "core/system/error.h"
#include "core/text/code_points.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

using Symbols = std::vector<std::int32_t>;
constexpr std::int32_t kUnasked = -1;

// The last place before `place` with the same symbol.
std::optional<std::size_t> earlier(const Symbols& input, std::size_t place) {
  for (std::size_t j = place; j-- > 0;)
    if (input[j] == input[place]) return j;
  return std::nullopt;
}

// The pair of recall's that a place asks for: the first with its key.
std::optional<std::size_t> asked_pair(const TrainingTask& task, const Symbols& input, std::size_t place) {
  const std::size_t pairs = recall_pairs(task.length, task.symbols);
  if (place < 2 * pairs) return std::nullopt;
  for (std::size_t pair = 0; pair < pairs; ++pair)
    if (input[2 * pair] == input[place]) return pair;
  return std::nullopt;
}

// The number that digits make, none where one is no digit.
std::optional<std::size_t> digits_at(const Symbols& input, std::size_t first, std::size_t count) {
  std::size_t number = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    if (input[i] > 9) return std::nullopt;
    number = 10 * number + static_cast<std::size_t>(input[i]);
  }
  return number;
}

// Which month has these letters, from 1 on.
std::optional<std::size_t> month_at(const Symbols& input, std::size_t first) {
  std::u32string letters;
  for (std::size_t i = first; i < first + kMonthLetters; ++i)
    letters += kDateLetters[static_cast<std::size_t>(input[i])];
  for (std::size_t at = 0; at < kMonthNames.size(); at += kMonthLetters)
    if (kMonthNames.substr(at, kMonthLetters) == letters) return at / kMonthLetters + 1;
  return std::nullopt;
}

// What a date in one of the three orders is in ISO's; all unasked where it is none.
Symbols date_answer(const Symbols& input) {
  for (const DatePlaces& places : kDateOrders) {
    const auto day = digits_at(input, places.day, 2), month = month_at(input, places.month),
               year = digits_at(input, places.year, 4);
    const bool apart = std::ranges::all_of(
        places.between, [&](std::size_t place) { return input[place] == date_symbol(U'·'); });
    if (!apart || !day || !month || !year || *day < 1 || *day > days_of_month(*month, *year)) continue;
    const auto digit = [](std::size_t number) { return static_cast<std::int32_t>(number % 10); };
    Symbols answer(input.begin() + static_cast<std::ptrdiff_t>(places.year),
                   input.begin() + static_cast<std::ptrdiff_t>(places.year) + 4);
    for (const std::size_t part : {*month, *day})
      answer.insert(answer.end(), {date_symbol(U'-'), digit(part / 10), digit(part)});
    return answer;
  }
  return Symbols(kDateAnswers, kUnasked);
}

Symbols answers_to(const TrainingTask& task, const Symbols& input) {
  Symbols answer = input;
  switch (task.kind) {
    case TrainingTaskKind::copy:
      return answer;
    case TrainingTaskKind::reverse:
      std::ranges::reverse(answer);
      return answer;
    case TrainingTaskKind::sort:
      std::ranges::sort(answer);
      return answer;
    case TrainingTaskKind::recall:
      for (std::size_t i = 0; i < input.size(); ++i) {
        const auto pair = asked_pair(task, input, i);
        answer[i] = pair ? input[2 * *pair + 1] : kUnasked;
      }
      return answer;
    case TrainingTaskKind::induction:
      for (std::size_t i = 0; i < input.size(); ++i) {
        const auto before = earlier(input, i);
        answer[i] = before ? input[*before + 1] : kUnasked;
      }
      return answer;
    case TrainingTaskKind::dates:
      return date_answer(input);
    case TrainingTaskKind::modular:
      answer.assign(input.size(), kUnasked);
      answer.back() = (input[0] + input[1]) % static_cast<std::int32_t>(task.modulus);
      return answer;
    case TrainingTaskKind::own:
      for (const auto& [known, said] : task.own.pairs)
        if (known == input) return said;
      answer.assign(input.size(), kUnasked);
      return answer;
  }
  return answer;
}

[[noreturn]] void refuse_symbol(std::string_view text, const std::string& why) {
  throw Error("“" + printable(text) + "” is not a symbol of this task: " + why);
}

void check_row(const TrainingTask& task, const Symbols& input) {
  const auto count = static_cast<std::int32_t>(symbols_of(task));
  const auto labels = symbol_labels(task);
  if (input.size() != length_of(task))
    throw Error("a row has " + std::to_string(length_of(task)) + " symbols, not " +
                std::to_string(input.size()));
  for (const std::int32_t symbol : input)
    if (symbol < 0 || symbol >= count)
      refuse_symbol(std::to_string(symbol), "they go from 0 to " + std::to_string(count - 1));
  if (task.kind != TrainingTaskKind::modular) return;
  const auto equals = static_cast<std::int32_t>(task.modulus);
  if (input[0] == equals || input[1] == equals || input[2] != equals)
    throw Error("a row is two numbers below " + std::to_string(task.modulus) + " and =");
}

// Characters or words, each by its label; filled up with the last.
Symbols labelled_symbols(const TrainingTask& task, std::string_view text) {
  const auto labels = symbol_labels(task);
  Symbols found;
  const auto put = [&](std::string_view symbol) {
    const auto at = std::ranges::find(labels, symbol);
    if (at == labels.end()) refuse_symbol(symbol, "it is in none of the pairs");
    found.push_back(static_cast<std::int32_t>(at - labels.begin()));
  };
  if (task.kind == TrainingTaskKind::own && task.own.words) {
    for (const std::string& word : split(std::string(text), ' '))
      if (!word.empty()) put(word);
  } else {
    for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(first_character(rest).size()))
      put(first_character(rest));
  }
  if (task.kind == TrainingTaskKind::own && found.size() < task.own.length)
    found.resize(task.own.length, static_cast<std::int32_t>(task.own.symbols.size()));
  return found;
}

Symbols numbered_symbols(const TrainingTask& task, std::string_view text) {
  std::string plain(text);
  const bool sum = task.kind == TrainingTaskKind::modular;
  const std::size_t count = sum ? task.modulus : symbols_of(task);
  for (char& c : plain)
    if (c == ',' || c == '\t' || (sum && (c == '+' || c == '='))) c = ' ';
  Symbols found;
  const bool apart = plain.find(' ') != std::string::npos;
  std::vector<std::string> words = split(plain, ' ');
  if (!apart && words[0].size() > 1 && length_of(task) > 1) {
    words.clear();
    for (const char c : plain) words.emplace_back(1, c);
  }
  for (const std::string& word : words) {
    if (word.empty()) continue;
    const auto number = parse_number<std::size_t>(word);
    if (!number || *number >= count) refuse_symbol(word, "they go from 0 to " + std::to_string(count - 1));
    found.push_back(static_cast<std::int32_t>(*number));
  }
  if (sum) found.push_back(static_cast<std::int32_t>(task.modulus));
  return found;
}

}  // namespace

TaskRow typed_row(const TrainingTask& task, std::vector<std::int32_t> input) {
  check_row(task, input);
  Symbols target = answers_to(task, input);
  return {std::move(input), std::move(target)};
}

std::vector<std::int32_t> symbols_of_row(const TrainingTask& task, std::string_view text) {
  const bool labelled = task.kind == TrainingTaskKind::dates || task.kind == TrainingTaskKind::own;
  Symbols found = labelled ? labelled_symbols(task, text) : numbered_symbols(task, text);
  check_row(task, found);
  return found;
}

std::vector<std::size_t> right_places(const TrainingTask& task, const TaskRow& row,
                                      const MomentAttention& attention, std::size_t query) {
  const bool asked = query < row.target.size() && row.target[query] >= 0;
  if (!asked || attention.cross != (task.kind == TrainingTaskKind::copy)) return {};
  std::vector<std::size_t> places;
  switch (task.kind) {
    case TrainingTaskKind::copy:
      return {query};
    case TrainingTaskKind::reverse:
      return {row.input.size() - 1 - query};
    case TrainingTaskKind::sort:
      for (std::size_t j = 0; j < row.input.size(); ++j)
        if (row.input[j] == row.target[query]) places.push_back(j);
      return places;
    case TrainingTaskKind::recall:
      if (const auto pair = asked_pair(task, row.input, query)) places.push_back(2 * *pair + 1);
      return places;
    case TrainingTaskKind::induction:
      for (std::size_t j = 0; j < query; ++j)
        if (row.input[j] == row.input[query]) places.push_back(j + 1);
      return places;
    case TrainingTaskKind::dates:
    case TrainingTaskKind::modular:
    case TrainingTaskKind::own:
      return {};
  }
  return {};
}

std::string_view right_place_words(const TrainingTask& task, const MomentAttention& attention) {
  if (attention.cross != (task.kind == TrainingTaskKind::copy)) return {};
  switch (task.kind) {
    case TrainingTaskKind::copy:
      return "on the diagonal";
    case TrainingTaskKind::reverse:
      return "on the anti-diagonal";
    case TrainingTaskKind::sort:
      return "on the symbol that belongs there";
    case TrainingTaskKind::recall:
      return "on the value of the key";
    case TrainingTaskKind::induction:
      return "on what followed before";
    case TrainingTaskKind::dates:
    case TrainingTaskKind::modular:
    case TrainingTaskKind::own:
      return {};
  }
  return {};
}

std::optional<double> share_on_right_place(const TrainingTask& task, const TaskRow& row,
                                           const MomentAttention& attention, const Tensor& map,
                                           std::size_t head) {
  double sum = 0;
  std::size_t queries = 0;
  for (std::size_t i = 0; i < map.rows(); ++i) {
    const std::vector<std::size_t> places = right_places(task, row, attention, i);
    if (places.empty()) continue;
    ++queries;
    for (const std::size_t place : places) sum += static_cast<double>(map[{head, i, place}]);
  }
  if (queries == 0) return std::nullopt;
  return sum / static_cast<double>(queries);
}

}  // namespace attn
