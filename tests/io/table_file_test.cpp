// Tables as spreadsheets, pandas, R and NumPy write them, and what is wrong with others, by line and column.
#include "core/io/table_file.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/document/limits.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

using Floats = std::vector<float>;
using Names = std::vector<std::string>;
using Sizes = std::vector<std::size_t>;

std::string table_refusal(std::string_view text) {
  return reason([&] { parse_table_file(text); });
}

TEST_CASE("tables of every separator are read") {
  for (const char* text :
       {"1,2.5\n-3,4e-2\n", "1\t2.5\r\n-3\t4e-2", "1;2,5\n\u22123;0,04\n", "  1   2.5\n -3  4e-2\n",
        "\xef\xbb\xbf+1, 2.5\n\n-3 ,4e-2\n", "1,2.5,\n-3,0.04,\n", "# a,b\n#\n1,2.5\n-3,0.04\n",
        "\"1\",\"2.5\"\n\"-3\",\"0.04\"\n", "1 2.5\r-3 0.04\r", "1.0;2.5\n-3;.04"}) {
    CAPTURE(text);
    const TableFile table = parse_table_file(text);
    CHECK(table.matrix.shape == Sizes{2, 2});
    CHECK(table.matrix.values == Floats{1, 2.5f, -3, 0.04f});
    CHECK(table.columns.empty());
    CHECK(table.rows.empty());
  }
}

TEST_CASE("special numbers are read in any language's words") {
  const TableFile table = parse_table_file("nan,inf,-inf,NaN\nnp.nan,Infinity,\u2212inf,null\n");
  for (const std::size_t i : {0, 3, 4, 7}) CHECK(std::isnan(table.matrix.values[i]));
  for (const std::size_t i : {1, 5}) CHECK(table.matrix.values[i] == INFINITY);
  for (const std::size_t i : {2, 6}) CHECK(table.matrix.values[i] == -INFINITY);
}

TEST_CASE("names above and at the left are told from numbers") {
  const TableFile pandas = parse_table_file(",the,cat\n0,1,2\n1,3,4\n");
  CHECK(pandas.columns == Names{"the", "cat"});
  CHECK(pandas.rows.empty());  // they only count
  CHECK(pandas.matrix.values == Floats{1, 2, 3, 4});
  CHECK(parse_table_file(",a\n0,1\n2,3\n").rows == Names{"0", "2"});
  CHECK(parse_table_file(",a\n1,1\n2,3\n").rows.empty());
  const TableFile r = parse_table_file("\"\",\"V1\",\"V2\"\n\"the\",1,2\n\"7\",3,4\n");
  CHECK(r.columns == Names{"V1", "V2"});
  CHECK(r.rows == Names{"the", "7"});
  CHECK(r.understood == "CSV, 2×2; names above and at the left");
  const TableFile shorter = parse_table_file("a b\nthe 1 2\ncat 3 4\n");  // as R's write.table
  CHECK(shorter.columns == Names{"a", "b"});
  CHECK(shorter.rows == Names{"the", "cat"});
  const TableFile cornered = parse_table_file("token;a;b\nthe;1,5;2\ncat;3;4\n");
  CHECK(cornered.columns == Names{"a", "b"});
  CHECK(cornered.rows == Names{"the", "cat"});
  CHECK(cornered.matrix.values == Floats{1.5f, 2, 3, 4});
  const TableFile left = parse_table_file("the\t1\t2\ncat\t3\t4\n");
  CHECK(left.rows == Names{"the", "cat"});
  CHECK(left.columns.empty());
  const TableFile above = parse_table_file("\"1\"\t\"2\"\n3\t4\n5\t6\n");  // numbers in quotes, as names
  CHECK(above.columns == Names{"1", "2"});
  CHECK(above.matrix.values == Floats{3, 4, 5, 6});
  const TableFile blank = parse_table_file("t,a,\nthe,1,\ncat,2,\n");  // every line ends with a comma
  CHECK(blank.columns == Names{"a"});
  CHECK(blank.rows == Names{"the", "cat"});
  CHECK(parse_table_file("t,a\nthe,1,\n").columns == Names{"a"});
  CHECK(parse_table_file(",x\n\n0,1,").columns == Names{"x"});  // found by the fuzzer
  CHECK(parse_table_file("value\n1\n2\n").matrix.shape == Sizes{2, 1});
}

TEST_CASE("what is wrong with a table is said with its line and column") {
  CHECK(mentions(table_refusal("1,2\n3,\n"), {"line 2, column 2: the cell is blank"}));
  CHECK(mentions(table_refusal("a,b\n\n1,2\n3,x\n"), {"line 4, column 2", "x"}));
  CHECK(mentions(table_refusal("1,2\n3\n"), {"line 2: 1 cell in this row, 2 in the first, line 1"}));
  CHECK(mentions(table_refusal("1,2\n3,4,5\n"), {"line 2: 3 cells in this row"}));
  CHECK(mentions(table_refusal("1,2\n...,...\n3,4"), {"line 2, column 1", "abbreviated", "to_csv"}));
  CHECK(mentions(table_refusal("a,...,b\n1,...,3"), {"line 1, column 2", "abbreviated"}));
  CHECK(mentions(table_refusal("1\t2,5\n"), {"line 1, column 2"}));
  CHECK(mentions(table_refusal("1;2.345,6\n"), {"line 1, column 2"}));
  CHECK(mentions(table_refusal("2024-05-01,3\n"), {"line 1, column 1", "plain number"}));
  CHECK(mentions(table_refusal("1,4e38\n"), {"line 1, column 2", "3.4e38"}));
  CHECK(mentions(table_refusal("O.5,1\n2,3\n"),
                 {"line 2, column 1", "\"2\" is a number where line 1", "\"O.5\""}));
  CHECK(mentions(table_refusal("a,b,c\n1,2\n"), {"line 2: 2 cells in this row, 3 names above"}));
  CHECK(mentions(table_refusal("a,b\n"), {"line 1: it holds names and no numbers"}));
  CHECK(mentions(table_refusal("1,\"2\n"), {"line 1", "quote"}));
  CHECK(mentions(table_refusal(std::string_view("1,2\n3,\0", 7)), {"line 2", "zero byte"}));
  CHECK(mentions(table_refusal(""), {"no text"}));
  CHECK(mentions(table_refusal("# nothing\n"), {"comments and no numbers"}));
  CHECK(mentions(table_refusal("\xff\xfe"
                               "1"),
                 {"UTF-16"}));
  CHECK(mentions(table_refusal(std::string(limits::kMostLabelBytes + 1, '1')),
                 {"line 1, column 1", "longer than 4096"}));
}

TEST_CASE("a table takes twice its text while it is read" * doctest::test_suite("unsanitized")) {
  const std::size_t numbers = std::size_t{1} << 23;
  for (const std::size_t columns : {numbers, std::size_t{2}, std::size_t{1024}}) {
    std::string text;
    for (std::size_t i = 0; i < numbers; ++i) text += i % columns == columns - 1 ? "0\n" : "0,";
    TableFile table;
    const auto peak = peak_of([&] { table = parse_table_file(text); });
    if (peak) CHECK(*peak <= 2 * text.size() + (std::size_t{16} << 20));
    CHECK(table.matrix.values.size() == numbers);
  }
}

}  // namespace
}  // namespace attn::tests
