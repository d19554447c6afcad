// Names as cells of a table: back as they were, by us and by Python, and never a formula.
#include "core/io/table_row.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "core/io/text.h"
#include "core/system/file.h"
#include "core/text/text.h"
#include "tests/app/scratch_folder.h"
#include "tests/hostile.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// As a spreadsheet has it: without the quotes.
std::string content(const std::string& cell) {
  return cell.starts_with('"') ? cell.substr(1, cell.size() - 2) : cell;
}

// It computes none: "+5" is a number.
bool is_formula(const std::string& content) {
  char* end = nullptr;
  std::strtod(content.c_str(), &end);
  const bool number = end != content.c_str() && *end == 0 &&
                      content.find_first_not_of("+-.0123456789eE") == std::string::npos;
  return !number && !content.empty() && std::string("=+-@").find(content[0]) != std::string::npos;
}

}  // namespace

TEST_CASE("a name begins no formula and a number stays a name") {
  CHECK(name_cell("the cat") == "the cat");
  CHECK(name_cell("=1+1") == "\"'=1+1\"");
  CHECK(name_cell("@SUM(A1)") == "\"'@SUM(A1)\"");
  CHECK(name_cell(" +a") == "\"' +a\"");
  CHECK(name_cell("-cmd") == "\"'-cmd\"");
  CHECK(name_cell("-5") == "\"-5\"");
  CHECK(name_cell("7") == "\"7\"");
  CHECK(name_cell("a\tb") == "\"a\\x09b\"");
  CHECK(name_cell("say \"x\"") == "\"say \"\"x\"\"\"");
}

TEST_CASE("random names come back from a table as they were") {
  std::mt19937 random(seed(52));
  const ScratchFolder folder;
  const std::vector<float> numbers{1, 2, 3, 4};
  std::string table, expected;
  for (int i = 0; i < 400; ++i) {
    const std::string a = hostile_text(random), b = hostile_text(random);
    for (const char separator : {'\t', ','}) {
      const std::string line = name_cell(a) + separator + name_cell(b);
      CHECK(is_tame(line.substr(0, line.find('\t'))));
      CHECK_FALSE(is_formula(content(name_cell(a))));
      const auto cells = split_row(line, separator);
      REQUIRE(cells.size() == 2);
      CHECK(cells[0].text == printable(a));
      CHECK(cells[1].text == printable(b));
      const ParsedBlock block = parse_block(line + "\n1" + separator + "2\n3" + separator + "4\n");
      if (separator == '\t') CHECK_MESSAGE(block.matrix.values == numbers, line);
    }
    table += name_cell(a) + "\t" + name_cell(b) + "\n";
    expected += printable(a) + "\n" + printable(b) + "\n";
  }
  write_file(folder / "table.tsv", table);
  write_file(folder / "names", expected);
  const std::string script =
      "import csv, sys\n"
      "rows = list(csv.reader(open(sys.argv[1], newline=\"\"), \"excel-tab\"))\n"
      "names = open(sys.argv[2]).read().split(\"\\n\")[:-1]\n"
      "cells = [cell for row in rows for cell in row]\n"
      "assert len(cells) == len(names)\n"
      "assert all(c in (n, chr(39) + n) for c, n in zip(cells, names))\n";
  CHECK(std::system(
            ("/usr/bin/python3 -c '" + script + "' '" + folder / "table.tsv" + "' '" + folder / "names" + "'")
                .c_str()) == 0);
}
