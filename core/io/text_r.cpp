// R: matrix(c(…), nrow = …), structure(c(…), dim = …), rbind(c(…), …), c(…), and what print() shows.
#include <charconv>

#include "core/io/text_cells.h"

namespace attn {
namespace {

// "[1,]", "[,3]", "[7]": R's names of rows, columns and elements.
bool is_index(std::string_view word, std::string_view before, std::string_view behind) {
  if (!word.starts_with(before) || !word.ends_with(behind) || word.size() <= before.size() + behind.size())
    return false;
  const std::string_view digits = word.substr(before.size(), word.size() - before.size() - behind.size());
  return digits.find_first_not_of("0123456789") == digits.npos;
}

// print() of a matrix: a header of [,k], then rows; wide ones come in several such groups of columns.
TextCells read_matrix_print(const std::vector<std::string_view>& lines) {
  TextCells cells{.format = "R print", .rows = {}, .note = {}, .error = {}};
  std::size_t row = 0;
  for (const std::string_view line : lines) {
    std::vector<std::string> words = words_of_line(line);
    if (words.empty()) continue;
    if (is_index(words[0], "[,", "]")) {
      row = 0;
      continue;
    }
    if (row == cells.rows.size()) cells.rows.emplace_back();
    cells.rows[row].insert(cells.rows[row].end(), words.begin() + 1, words.end());
    ++row;
  }
  return cells;
}

TextCells read_vector_print(const std::vector<std::string_view>& lines) {
  TextCells cells{.format = "R print", .rows = {{}}, .note = {}, .error = {}};
  for (const std::string_view line : lines) {
    std::vector<std::string> words = words_of_line(line);
    if (words.empty()) continue;
    cells.rows[0].insert(cells.rows[0].end(), words.begin() + (is_index(words[0], "[", "]") ? 1 : 0),
                         words.end());
  }
  return cells;
}

// The inside of name( … ) when the whole text is that call.
std::optional<std::string_view> arguments_of(std::string_view text, std::string_view call) {
  text = trim(text);
  while (text.ends_with(';')) text = trim(text.substr(0, text.size() - 1));
  if (!text.starts_with(call) || !text.ends_with(')')) return std::nullopt;
  return text.substr(call.size(), text.size() - call.size() - 1);
}

std::size_t count_in(std::string_view text) {
  text = trim(text);
  if (text.ends_with('L')) text.remove_suffix(1);
  std::size_t count = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), count);
  return status == std::errc() && stop == text.data() + text.size() ? count : 0;
}

// matrix(data, nrow, ncol, byrow, dimnames) or structure(data, dim), arguments by name or position as in R.
struct Call {
  std::vector<std::string> numbers;
  std::size_t rows = 0, columns = 0;  // 0: not said
  bool by_row = false;
  bool understood = true;
};

void read_argument(Call& call, const std::string& argument, std::size_t& position) {
  const std::string_view value = without_assignment(argument);
  const std::string_view name = trim(std::string_view(argument).substr(0, argument.find('=')));
  const bool named = value != std::string_view(argument);
  if (const auto list = arguments_of(value, "c("); list && (!named || name == "data")) {
    call.numbers = split_outside_brackets(*list, ',');
    ++position;
  } else if (list && (name == "dim" || name == ".Dim")) {
    const std::vector<std::string> sizes = split_outside_brackets(*list, ',');
    call.understood = sizes.size() == 2;
    call.rows = count_in(sizes[0]), call.columns = count_in(sizes.back());
  } else if (const std::size_t colon = value.find(':');
             (name == "dim" || name == ".Dim") && colon != value.npos) {  // 2:3
    call.rows = count_in(value.substr(0, colon)), call.columns = count_in(value.substr(colon + 1));
    call.understood = call.columns == call.rows + 1;
  } else if (name == "nrow" || name == "nr" || (!named && position == 1)) {
    call.rows = count_in(value), ++position;
  } else if (name == "ncol" || name == "nc" || (!named && position == 2)) {
    call.columns = count_in(value), ++position;
  } else if (name == "byrow" || (!named && position == 3)) {
    call.by_row = value == "TRUE" || value == "T";
    ++position;
  } else if (name != "dimnames" && name != ".Dimnames") {
    call.understood = false;
  }
}

TextCells read_call(std::string_view arguments) {
  TextCells cells{.format = "R matrix", .rows = {}, .note = {}, .error = {}};
  Call call;
  std::size_t position = 0;
  for (const std::string& argument : split_outside_brackets(arguments, ','))
    read_argument(call, argument, position);
  const std::size_t count = call.numbers.size();
  if (call.rows == 0 && call.columns == 0) call.columns = 1;  // as R does
  if (call.rows == 0) call.rows = count / call.columns;
  if (call.columns == 0) call.columns = count / call.rows;
  if (!call.understood || count == 0 || call.rows > count || call.columns > count ||
      call.rows * call.columns != count) {
    cells.error = "the R call's sizes don't match its " + std::to_string(count) +
                  " numbers: write matrix(c(…), nrow = …, ncol = …, byrow = TRUE)";
    return cells;
  }
  // R fills by columns unless it is told otherwise.
  cells.rows.assign(call.rows, std::vector<std::string>(call.columns));
  for (std::size_t i = 0; i < count; ++i)
    if (call.by_row)
      cells.rows[i / call.columns][i % call.columns] = call.numbers[i];
    else
      cells.rows[i % call.rows][i / call.rows] = call.numbers[i];
  return cells;
}

// rbind(c(…), c(…)), rows of their own; of cbind columns.
TextCells read_bound(std::string_view arguments, bool columns) {
  TextCells cells{.format = "R matrix", .rows = {}, .note = {}, .error = {}};
  std::vector<std::vector<std::string>> lists;
  for (const std::string& argument : split_outside_brackets(arguments, ',')) {
    const auto list = arguments_of(without_assignment(argument), "c(");
    if (list) lists.push_back(split_outside_brackets(*list, ','));
    if (!list || lists.back().size() != lists[0].size()) {
      cells.error = "rbind and cbind are read of lists c(…) of one length";
      return cells;
    }
  }
  if (!columns) {
    cells.rows = std::move(lists);
    return cells;
  }
  cells.rows.resize(lists[0].size());
  for (const auto& list : lists)
    for (std::size_t i = 0; i < list.size(); ++i) cells.rows[i].push_back(list[i]);
  return cells;
}

}  // namespace

std::optional<TextCells> read_r(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  const std::vector<std::string> first = words_of_line(lines[0]);
  if (first.empty()) return std::nullopt;
  if (is_index(first[0], "[,", "]")) return read_matrix_print(lines);
  // "[1] 2 3" is a vector of R's; "[1]" alone, or with brackets and commas behind it, is a list of others.
  if (is_index(first[0], "[", "]") && first.size() > 1 && first[1].find_first_of("];,") == std::string::npos)
    return read_vector_print(lines);
  const std::string_view value = without_assignment(text);
  if (const auto list = arguments_of(value, "c("))
    return TextCells{
        .format = "R vector", .rows = {split_outside_brackets(*list, ',')}, .note = {}, .error = {}};
  for (const std::string_view call : {"matrix(", "structure("})
    if (const auto arguments = arguments_of(value, call); arguments && arguments->find('[') == text.npos)
      return read_call(*arguments);
  for (const bool columns : {false, true})
    if (const auto arguments = arguments_of(value, columns ? "cbind(" : "rbind(");
        arguments && !arguments->empty())
      return read_bound(*arguments, columns);
  return std::nullopt;
}

}  // namespace attn
