// What the README and the manual print is true: their command lines run, their pages and pictures are there.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <regex>

#include "app/cli/options.h"
#include "app/program/input.h"
#include "core/diagnosis/mistake.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "tests/app/shell.h"

using namespace attn;
using namespace attn::tests;

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = kSourceDir;

std::vector<fs::path> pages() {
  std::vector<fs::path> pages{kRoot / "README.md"};
  for (const auto& entry : fs::directory_iterator(kRoot / "assets/manual")) pages.push_back(entry.path());
  return pages;
}

std::vector<std::string> found(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> all;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it)
    all.push_back((*it)[1]);
  return all;
}

// The arguments of every command line in a page that is one as it stands: a name of a command with what it is
// given, or options of render.
std::vector<std::string> command_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::string code : found(text, "`([^`\n]+)`")) {
    for (const char* program : {"./app/run ", "attention-lab "})
      if (code.starts_with(program)) code.erase(0, std::string(program).size());
    if (std::regex_match(code, std::regex("(trace|compare|check|encode|regress|cost) [a-z-].*")))
      lines.push_back(code);
    if (code.starts_with("render "))
      lines.push_back(std::regex_replace(code, std::regex("-o [^ ]+"), "-o out.png"));
    if (std::regex_match(code, std::regex("--(workspace [a-z]+ --at [0-9.,]+|look \".*\")")))
      lines.push_back("render eight-heads -o out.png " + code);
  }
  return lines;
}

// A word of a table's cell.
std::string in_cell(std::string_view text) {
  return std::regex_replace(std::string(text), std::regex("\\|"), "\\|");
}

std::string table_of_options() {
  std::string table = "| option | meaning |\n|---|---|\n";
  for (const FieldText& text : layer_option_texts())
    table += "| `" + std::string(text.option) + (text.takes.empty() ? "" : " ") + in_cell(text.takes) +
             "` | " + in_cell(text.sentence) + " |\n";
  return table;
}

std::string table_of_mistakes() {
  std::string table = "| word | what is done | what comes of it |\n|---|---|---|\n";
  for (const Mistake& mistake : known_mistakes())
    table += "| `" + std::string(mistake.word) + "` | " + in_cell(mistake.title) + " | " +
             in_cell(mistake.sentence) + " |\n";
  return table;
}

// What a page has from the head of a table to the line behind it.
std::string table_in(const char* page, const std::string& head) {
  const std::string text = text_of((kRoot / "assets/manual" / page).string());
  const std::size_t begin = text.find(head);
  REQUIRE(begin != text.npos);
  return text.substr(begin, text.find("\n\n", begin) + 1 - begin);
}

// The layer of an example by its matrices alone.
void write_layer(const std::string& file) {
  const LayerSpec layer = read_document("eight-heads").layer();
  std::vector<std::pair<std::string, std::vector<std::byte>>> members;
  for (const auto& [name, matrix] : {std::pair("x", layer.x),
                                     {"w_q", layer.w_q},
                                     {"w_k", layer.w_k},
                                     {"w_v", layer.w_v},
                                     {"w_o", layer.w_o}})
    members.emplace_back(name, write_npy(std::array{matrix.rows(), matrix.columns()}, matrix.values()));
  write_file(file, std::span<const std::byte>(write_npz(members)));
}

}  // namespace

TEST_CASE("every command line that the README and the manual print runs" *
          doctest::test_suite("unsanitized")) {
  const TemporaryFolder folder;
  write_layer(folder / "layer.npz");
  // What another program made of it.
  REQUIRE(
      run_shell("cd \"$folder\" && \"$lab\" trace layer.npz --device reference --heads 4 --mask causal -o "
                "mine.npz",
                folder)
          .status == kDone);
  std::size_t run = 0;
  for (const fs::path& page : pages())
    for (const std::string& line : command_lines(text_of(page.string()))) {
      INFO(page.string(), ": ", line);
      const Outcome outcome = run_shell("cd \"$folder\" && \"$lab\" " + line, folder);
      INFO(outcome.err);
      CHECK(outcome.status <= kDifferent);
      ++run;
    }
  CHECK(run >= 12);
}

TEST_CASE("every page and picture that the READMEs and the manual lead to is there") {
  std::vector<fs::path> all = pages();
  for (const char* readme : {"app/README.md", "core/README.md", "core/opencl/README.md", "tests/README.md"})
    all.push_back(kRoot / readme);
  for (const fs::path& page : all)
    for (const std::string& link : found(text_of(page.string()), "\\]\\(([^)]+)\\)")) {
      if (link.starts_with("http")) continue;
      INFO(page.string(), ": ", link);
      CHECK(fs::exists(page.parent_path() / link));
    }
}

TEST_CASE("the manual's table of layer options is what --help says of them") {
  INFO("the table to paste:\n", table_of_options());
  CHECK(table_in("command-line.md", "| option | meaning |") == table_of_options());
}

TEST_CASE("the manual's table of mistakes is what check says of them") {
  INFO("the table to paste:\n", table_of_mistakes());
  CHECK(table_in("check.md", "| word | what is done |") == table_of_mistakes());
}

TEST_CASE("the README is a page that one reads") {
  CHECK(fs::file_size(kRoot / "README.md") <= 7 * 1024);
}
