// code: what it writes, what it refuses, and the texts that tests/oracles/check_code.py has run.
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "core/io/code_kinds.h"
#include "core/io/npz.h"
#include "core/io/text.h"
#include "core/system/file.h"
#include "core/text/text.h"
#include "tests/app/words.h"
#include "tests/places.h"
#include "tests/sanitized.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::string contents_of(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Outcome coded(std::vector<std::string> words, const std::string& as) {
  words.insert(words.begin(), "code");
  words.insert(words.end(), {"--as", as});
  return run_words(words);
}

}  // namespace

TEST_CASE("every kind of code writes the first example") {
  for (const CodeKind& kind : code_kinds()) {
    CAPTURE(kind.name);
    const Outcome outcome = coded({"the-cat-sat-on-mat-two-heads"}, std::string(kind.name));
    CHECK(outcome.status == kDone);
    CHECK(contains(outcome.out, "weights"));
    CHECK(contains(outcome.out, "output"));
  }
}

TEST_CASE("JAX, Keras and PyTorch's own attention are written as they were run") {
  const std::string folder = std::string(kSourceDir) + "/tests/oracles/code/";
  std::istringstream cases(contents_of(folder + "cases.txt"));
  std::size_t compared = 0;
  for (std::string line; std::getline(cases, line);) {
    std::vector<std::string> words = split(line, ' ');
    const std::string name = words.front();
    words.erase(words.begin());
    for (const char* kind : {"jax", "keras", "pytorch-sdpa"}) {
      CAPTURE(name);
      CAPTURE(kind);
      const std::string file = folder + name + "." + kind + ".py";
      const Outcome outcome = coded(words, kind);
      REQUIRE((outcome.status == kDone) == std::filesystem::exists(file));
      if (outcome.status != kDone) continue;
      CHECK(outcome.out == contents_of(file));
      ++compared;
    }
  }
  CHECK(compared >= 20);
}

TEST_CASE("LaTeX and Markdown show the numbers that trace has") {
  const TemporaryFolder folder;
  const std::string traced = folder / "t.npz";
  REQUIRE(run_words({"trace", "three-tokens", "--device", "reference", "-o", traced}).status == kDone);
  const auto arrays = parse_npz<float>(read_file(traced));
  const std::string latex = coded({"three-tokens"}, "latex").out,
                    markdown = coded({"three-tokens"}, "markdown").out;
  for (const std::string name : {"q", "scores", "weights", "output"}) {
    CAPTURE(name);
    const std::vector<float>& numbers = arrays.at(name).values;
    const std::size_t begin = latex.find("\\begin{bmatrix}", latex.find("\\mathrm{" + name + "} ="));
    const std::string end = "\\end{bmatrix}";
    const ParsedBlock matrix = parse_block(latex.substr(begin, latex.find(end, begin) + end.size() - begin));
    CHECK(matrix.error == "");
    CHECK(matrix.matrix.values == numbers);
    const std::size_t table = markdown.find("| |", markdown.find("## " + name + ": "));
    const ParsedBlock rows = parse_block(markdown.substr(table, markdown.find("\n\n", table) - table));
    CHECK(rows.error == "");
    CHECK(rows.matrix.values == numbers);
  }
}

TEST_CASE("two layers that are compared leave as one program, with their differences") {
  const Outcome outcome = coded({"the-cat-sat-on-mat", "--workspace", "compare"}, "numpy");
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.out, "b_scores = "));
  CHECK(contains(outcome.out, "diff_weights = "));
}

TEST_CASE("code goes to a file, of some stages alone, with gradients, by another road") {
  const TemporaryFolder folder;
  const std::string out = folder / "layer.py";
  CHECK(run_words({"code", "three-tokens", "--as", "numpy", "-o", out}).status == kDone);
  CHECK(contents_of(out) == coded({"three-tokens"}, "numpy").out);
  CHECK_FALSE(contains(coded({"three-tokens", "--only", "scaled"}, "numpy").out, "row_max"));
  CHECK(contains(coded({"three-tokens", "--gradient"}, "numpy").out, "d_scores = "));
  CHECK(contains(coded({"three-tokens", "--mechanism", "linear"}, "numpy").out, "phi_q = "));
}

TEST_CASE("code says what it cannot write, and what to do") {
  const auto refused = [](const std::vector<std::string>& words, const std::string& as, const char* says) {
    const Outcome outcome = coded(words, as);
    CAPTURE(outcome.err);
    CHECK(outcome.status != kDone);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, says));
  };
  refused({"three-tokens"}, "nump", "did you mean \"numpy\"?");
  refused({"three-tokens", "--soft-cap", "3"}, "pytorch-sdpa", "cannot compute this layer: capped");
  refused({"three-tokens"}, "pytorch-mha", "heads side by side without W_O");
  refused({"three-tokens", "--only", "score"}, "numpy", "did you mean \"scores\"?");
  refused({"three-tokens", "--mechanism", "flash", "--gradient"}, "numpy",
          "has no code: it makes scores again");
  CHECK(contains(run_words({"code", "three-tokens"}).err, "code needs --as pytorch|"));
  CHECK(contains(run_words({"code", "--as", "numpy"}).err, "code needs an INPUT"));
}
