// What commands print of files, their names and words: lines of printable text, whatever is in them.
#include <doctest/doctest.h>

#include <random>

#include "core/io/npz.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/words.h"
#include "tests/hostile.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A word of the command line holds no NUL, a name of a file no slash.
std::string hostile_word(std::mt19937& random) {
  std::string word = "w" + hostile_text(random);
  std::erase_if(word, [](char c) { return c == '\0' || c == '/'; });
  return word;
}

void check_tame(const std::vector<std::string>& words) {
  const Outcome outcome = run_words(words);
  CAPTURE(outcome.out);
  CAPTURE(outcome.err);
  CHECK(is_tame(outcome.out));
  CHECK(is_tame(outcome.err));
}

}  // namespace

TEST_CASE("no label and no name of a file moves the terminal") {
  std::mt19937 random(seed(61));
  const TemporaryFolder folder;
  for (int i = 0; i < 25; ++i) {
    LayerSpec layer = random_layer(random);
    for (std::size_t t = 0; t < query_count(layer); ++t)
      layer.tokens.push_back(valid_utf8(hostile_text(random)));
    const std::string session = folder / hostile_word(random), arrays = folder / hostile_word(random);
    write_file(session, write_session({{layer}}));
    check_tame({"trace", session, "--device", "reference"});
    check_tame({"compare", session, "--device", "reference", "--temperature", "3"});
    const std::vector<std::size_t> shape{1, 1};
    const std::vector<float> one{1};
    const std::span<const float> numbers(one);
    std::vector<std::byte> file;
    NpzWriter npz([&](Bytes bytes) { file.insert(file.end(), bytes.begin(), bytes.end()); });
    npz.add("weights", shape, {&numbers, 1}), npz.add(hostile_word(random), shape, {&numbers, 1});
    npz.finish();
    write_file(arrays, file);
    check_tame({"compare", session, arrays, "--device", "reference"});
    check_tame({"trace", arrays, "--device", "reference"});
    write_file(arrays, "x,y\n1,2\n2," + hostile_text(random) + "\n");
    check_tame({"regress", arrays, "--kernel", "gaussian", "--width", "1", "-o", folder / "o.npz", "--device",
                "reference"});
  }
}

TEST_CASE("no word of the command line moves the terminal") {
  std::mt19937 random(seed(62));
  for (int i = 0; i < 20; ++i)
    for (const std::string option : {"--device", "--mask", "--workspace", "--position", "--scale", "--score"})
      check_tame({"trace", "three-tokens", option, hostile_word(random)});
  for (int i = 0; i < 20; ++i) {
    check_tame({hostile_word(random), hostile_word(random)});
    check_tame({"cost", "--n", hostile_word(random), "--preset", hostile_word(random)});
    check_tame({"encode", hostile_word(random), "--length", "3", "--width", "2", "-o", "/none/x.npy"});
  }
}
