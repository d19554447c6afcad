// Tables and points as text that say too little, too much or no numbers.
#include "core/io/points_file.h"
#include "core/io/table_file.h"
#include "core/text/bytes.h"
#include "tests/io/bad_files.h"
#include "tests/io/io_testing.h"
#include "tests/io/zip_builder.h"

namespace attn::tests {
namespace {

BadFile table(const std::string& name, const std::string& text, std::vector<const char*> said) {
  return {name, [text] { return bytes_of(text); }, std::move(said)};
}

// `part` so often, then `end`.
BadFile long_table(const std::string& name, const std::string& part, std::size_t count,
                   const std::string& end, std::vector<const char*> said) {
  const auto make = [=] {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += part;
    return bytes_of(text + end);
  };
  return {name, make, std::move(said)};
}

std::vector<std::byte> npy_points(std::vector<std::size_t> shape, std::vector<float> values) {
  return write_npy(shape, values);
}

BadFile xy(const std::string& name, std::vector<std::size_t> x, std::vector<std::size_t> y,
           std::vector<const char*> said) {
  const auto ones = [](const std::vector<std::size_t>& shape) {
    std::size_t count = 1;
    for (const std::size_t size : shape) count *= size;
    return write_npy(shape, std::vector<float>(count, 1.0f));
  };
  return {name,
          [=] {
            return build({.members = {stored("x.npy", ones(x)), stored("y.npy", ones(y))}});
          },
          std::move(said)};
}

}  // namespace

BadFiles bad_tables() {
  return {
      "table",
      [](std::span<const std::byte> bytes) { parse_table_file(as_text(bytes)); },
      {table("nothing", "", {"no text"}),
       table("nothing but line ends", "\r\n\n  \r", {"no text"}),
       table("nothing but a byte order mark", "\xef\xbb\xbf", {"no text"}),
       table("nothing but comments", "# a\n# b", {"comments and no numbers"}),
       table("nothing but names", "a,b\n", {"line 1: it holds names and no numbers"}),
       table("text in UTF-16",
             std::string("\xff\xfe"
                         "1\0,\0",
                         6),
             {"UTF-16", "UTF-8"}),
       table("a zero byte", std::string("1,2\n3,\0", 7), {"line 2", "zero byte"}),
       table("a blank cell", "1,,3\n", {"line 1, column 2: the cell is blank"}),
       table("a blank cell at the end of a row", "1,2\n3,\n", {"line 2, column 2: the cell is blank"}),
       table("a blank cell below a name", "a,b\n1,\n", {"line 2, column 2: the cell is blank"}),
       table("a blank cell in quotes", "1,\"\"\n", {"line 1, column 2: the cell is blank"}),
       table("a blank cell between tabs", "a\tb\n1\t2\n\t4\n", {"line 3, column 1: the cell is blank"}),
       table("a row that is too short", "1,2,3\n4,5\n",
             {"line 2: 2 cells in this row, 3 in the first, line 1"}),
       table("a row that is too long", "1,2\n\n3,4,5\n", {"line 3: 3 cells in this row"}),
       table("names for columns that are not there", "a,b,c\n1,2\n",
             {"line 2: 2 cells in this row, 3 names above"}),
       table("a row abbreviated", "1,2\n...\n3,4\n", {"line 2, column 1", "abbreviated", "numpy.savetxt"}),
       table("columns abbreviated", "1 2 ... 8 9\n", {"line 1, column 3", "abbreviated"}),
       table("a column of names abbreviated", "a,…,b\n1,…,2\n", {"line 1, column 2", "abbreviated"}),
       table("a decimal comma between commas", "2,\"1,5\"\n", {"line 1, column 2"}),
       table("a decimal comma between tabs", "1\t2,5\n", {"line 1, column 2"}),
       table("two decimal commas", "1;2,5,5\n", {"line 1, column 2"}),
       table("a decimal comma and a point", "1;2.345,6\n", {"line 1, column 2"}),
       table("a date", "1,2024-05-01\n", {"line 1, column 2", "not a plain number"}),
       table("an expression", "1,2\n3,1/3\n", {"line 2, column 2", "not a plain number"}),
       table("a formula", "1,2\n3,=A1\n", {"line 2, column 2"}),
       table("a name among numbers", "1,2\n3,cat\n", {"line 2, column 2", "cat"}),
       table("a number among names", "O.5,1\n2,3\n", {"line 2, column 1", "quotes"}),
       table("a number of two points", "1,1.2.3\n", {"line 1, column 2"}),
       table("a number beyond a float", "1,1e39\n", {"line 1, column 2", "3.4e38"}),
       table("a number beyond a double", "1,1e999\n", {"line 1, column 2"}),
       table("a number in hexadecimal", "1,0x10\n", {"line 1, column 2"}),
       table("a percentage", "1,50%\n", {"line 1, column 2"}),
       table("a complex number", "1,(2+3j)\n", {"line 1, column 2"}),
       table("an error of a spreadsheet", "1,#DIV/0!\n", {"line 1, column 2"}),
       table("what would draw on a terminal", "1,\x1b[2J\n", {"line 1, column 2"}),
       table("a quote that is not closed", "1,\"2\n3,4\n", {"line 1", "quote"}),
       long_table("a cell of eight million digits", "1", 8000000, "",
                  {"line 1, column 1", "longer than 4096"}),
       long_table("a name of eight million letters", "a", 8000000, "\n1\n", {"line 1", "longer than 4096"}),
       long_table("a million rows of names", "a,1\n", 1000000, "", {"names at the left", "65536"}),
       long_table("a million cells in a row, the last bad", "0,", 1000000, "x", {"line 1, column 1000001"}),
       long_table("half a million rows, the last too long", "0,1\n", 500000, "0,1,2",
                  {"line 500001: 3 cells"})}};
}

BadFiles bad_points() {
  using Sizes = std::vector<std::size_t>;
  return {
      "points",
      [](std::span<const std::byte> bytes) { parse_points(bytes); },
      {table("no text", "", {"empty"}),
       table("comments alone", "# x y\n", {"empty"}),
       table("one column", "1\n2\n", {"1 column", "then one value"}),
       table("a value that is NaN", "x,y\n1,2\n3,nan\n", {"column 1 of row 1", "NaN"}),
       table("a value that is infinite", "1,2\n3,-inf\n", {"column 1 of row 1", "infinite"}),
       table("a value that is a date", "x,y\n1,2024-05-01\n", {"line 2, column 2", "not a plain number"}),
       table("a value missing", "1,2\n3\n", {"line 2: 1 cell"}),
       table("points abbreviated", "1 2\n...\n3 4\n", {"abbreviated"}),
       table("a bracket missing", "[[1, 2], [3, 4]", {"closing bracket"}),
       table("a stack of matrices", "[[[1, 2]], [[3, 4]]]", {"stack of 2 matrices"}),
       long_table("half a million rows, the last bad", "0,1\n", 500000, "0,x", {"line 500001, column 2"}),
       long_table("a million cells in a row, the last bad", "0,", 1000000, "x", {"line 1, column 1000001"}),
       long_table("a million opened brackets", "[", 1000000, "", {"closing bracket"}),
       {"a cell of a million braces in LaTeX",
        [] {
          const std::string braces(kMega, '{');
          return bytes_of("\\begin{bmatrix}" + braces + "\\end{bmatrix}");
        },
        {"row 0, column 0", "longer than 4096"}},
       {"an array of three dimensions",
        [] {
          return npy_points({2, 2, 2}, std::vector<float>(8));
        },
        {"2×2×2"}},
       {"an array of one number", [] { return npy_points({}, {1}); }, {"one number"}},
       {"an array of no rows",
        [] {
          return npy_points({0, 2}, {});
        },
        {"no points"}},
       {"an array that is cut",
        [] {
          auto bytes = npy_points({2, 2}, {1, 2, 3, 4});
          return bytes.resize(bytes.size() - 1), bytes;
        },
        {"header promises 144 bytes", "143"}},
       xy("x in three dimensions", Sizes{2, 1, 2}, Sizes{2}, {"array x is 2×1×2"}),
       xy("y of another length", Sizes{3}, Sizes{2}, {"array y is 2", "x has 3"}),
       {"an archive without y",
        [] { return build({.members = {stored("x.npy", npy_points({1}, {1}))}}); },
        {"array y is missing"}}}};
}

}  // namespace attn::tests
