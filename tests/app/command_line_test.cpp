// Words of the command line: what is understood, what is refused, and with which status.
#include <doctest/doctest.h>

#include "core/system/file.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

const std::string kExample = "three-tokens";

struct Refusal {
  std::vector<std::string> words;
  std::string says;
};

// Every one of these ends with status 2, says the nearest right word, and prints nothing.
void check_refused(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    const Outcome outcome = run_words(refusal.words);
    CAPTURE(refusal.words.back());
    CAPTURE(outcome.err);
    CHECK(outcome.status == kBadWords);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, refusal.says));
  }
}

std::vector<std::string> traced_with(std::vector<std::string> words) {
  words.insert(words.begin(), {"trace", kExample, "--device", "reference"});
  return words;
}

}  // namespace

TEST_CASE("help lists the commands, the examples and the exit statuses") {
  const Outcome help = run_words({"--help"});
  CHECK(help.status == kDone);
  for (const char* word :
       {"trace", "devices", "--version", "Exit status", "5 the output could not be written"})
    CHECK(contains(help.out, word));
  CHECK_FALSE(contains(help.out, "probe"));
  const Outcome trace_help = run_words({"trace", "--help"});
  CHECK(trace_help.status == kDone);
  for (const char* word :
       {"INPUT", "three-tokens", "--output", "--device", "--heads", "--kv-heads", "--scale", "--temperature",
        "--mask", "--causal-align", "--fill", "--empty-row", "--position", "--dropout", "Exit status"})
    CHECK(contains(trace_help.out, word));
}

TEST_CASE("the version is the program's name and a number") {
  const Outcome version = run_words({"--version"});
  CHECK(version.status == kDone);
  CHECK(version.out.starts_with("attention-lab 0."));
}

TEST_CASE("unknown commands and options are answered with the nearest right one") {
  check_refused({{{"trac", kExample}, "did you mean \"trace\"?"},
                 {{"device"}, "did you mean \"devices\"?"},
                 {{"--hlep"}, "did you mean \"--help\"?"},
                 {{"trace", kExample, "--head", "2"}, "did you mean \"--heads\"?"},
                 {{"trace", kExample, "--temprature=2"}, "did you mean \"--temperature\"?"},
                 {{"devices", "--jsn"}, "did you mean \"--json\"?"},
                 {{"zzzzzzzzzzzz"}, "see --help"},
                 {{"compare", kExample, kExample, "-o", ""}, "-o needs a name, as in DIFF.npz"},
                 {{"trace", kExample, "-o", ""}, "-o needs a name, as in OUT.npz"},
                 {{"trace", kExample, "another.npz"}, "another.npz"}});
}

TEST_CASE("unknown values are answered with the nearest right one and with what the option takes") {
  check_refused(
      {{traced_with({"--fill", "-inff"}),
        "did you mean \"-inf\"? It takes -inf, -1e9, -1e6, -65504, add-inf"},
       {traced_with({"--empty-row", "zeroes"}), "did you mean \"zeros\"?"},
       {traced_with({"--causal-align", "topleft", "--mask", "causal"}), "did you mean \"top-left\"?"},
       {traced_with({"--mask", "casual"}), "did you mean \"causal\"?"},
       {traced_with({"--mask", "pading:3"}), "did you mean \"padding:3\"?"},
       {traced_with({"--mask", "and:windw:3"}), "did you mean \"and:window:3\"?"},
       {traced_with({"--mask", "or:window:1"}), "cannot use \"or:window:1\"; it takes causal"},
       {traced_with({"--mask", "not:global:1"}), "without not: or and: in front"},
       {traced_with({"--mask", "strided:0"}), "from 1 to 1073741824"},
       {traced_with({"--causal-offset", "-1", "--mask", "causal"}), "a whole number from 0"},
       {traced_with({"--heads", "0"}), "cannot use \"0\"; it takes a whole number from 1 to 65536"},
       {traced_with({"--kv-heads", "65537"}), "it takes a whole number from 1 to 65536"},
       {traced_with({"--shift", "-1"}), "it takes a whole number from 0 to 1073741824"},
       {traced_with({"--mask", "window:2000000000"}),
        "cannot use \"window:2000000000\"; it takes window:W (a whole number from 0 to 1073741824)"},
       {traced_with({"--position", "relative:5000:1"}), "clip is a whole number from 0 to 4096"},
       {traced_with({"--position", "t5:1:128:1"}), "buckets is a whole number from 2 to 4096"},
       {traced_with({"--mask", "padding:"}), "cannot use \"padding:\"; it takes padding:L or padding:L0"},
       {traced_with({"--mask", "window:"}),
        "cannot use \"window:\"; it takes window:W (a whole number from 0 to 1073741824)"},
       {traced_with({"--mask", "not:random:causal"}), "it takes random:R or random:R:SEED"},
       {traced_with({"--mask", "blocks"}), "cannot use \"blocks\"; it takes blocks:L0,L1,…"},
       {traced_with({"--position", "t5:32:128"}), "it takes t5:BUCKETS:MAXDIST:SEED"},
       {traced_with({"--position", "rope:0"}),
        "it takes rope[:neighbour|half][:BASE]; base is a number, more than 0"},
       {traced_with({"--scale", "sqr"}), "did you mean \"sqrt\"?"},
       {traced_with({"--position", "sinusoid"}), "did you mean \"sinusoidal\"?"},
       {traced_with({"--position", "rop:half"}), "did you mean \"rope\"?"},
       {traced_with({"--fill", "purple"}), "it takes -inf"}});
}

TEST_CASE("numbers that make no sense for their option are refused") {
  for (const char* number : {"0", "-1", "2.5", "two", "", "1,5", "99999999999999999999"})
    check_refused(
        {{traced_with({"--heads", number}), "--heads"}, {traced_with({"--kv-heads", number}), "--kv-heads"}});
  for (const char* number : {"-1", "nan", "inf", "1,5", "0x", " 1", "+-1", "1e999"})
    check_refused({{traced_with({"--temperature", number}), "--temperature"}});
  for (const char* word : {"nan", "inf", "1,5", "1.5x"})
    check_refused({{traced_with({"--scale", word}), "--scale"}});
  for (const char* word : {"0.5", "0.5:", ":1", "1.5:1", "-0.1:1", "nan:1", "0.5:1.5", "0.5:-1", "0.5:1:2"})
    check_refused({{traced_with({"--dropout", word}), "P:SEED"}});
  for (const char* word :
       {"sinusoidal:0", "sinusoidal:-2", "sinusoidal:",     "sinusoidal:nan",    "none:2",
        "learned",      "learned:x",     "learned:1:0",     "learned:1:2:3",     "rope:left",
        "rope:part",    "rope:part=-2",  "rope:factor=0.5", "rope:10:half",      "rope:stretch=far",
        "alibi:2",      "relative",      "relative:2",      "relative:2:1:clip", "t5:32",
        "t5:32:128",    "t5:1:128:0",    "t5:32:128:0:both"})
    check_refused({{traced_with({"--position", word}), "--position"}});
  for (const char* word :
       {"padding", "padding:", "padding:-1", "padding:1,,2", "padding:1.5", "padding:1 ", "causal:2"})
    check_refused({{traced_with({"--mask", word}), "--mask"}});
}

TEST_CASE("options that fit the command line but not the input are the options fault") {
  check_refused(
      {{traced_with({"--causal-align", "top-left"}), "add --mask causal"},
       {traced_with({"--causal-offset", "2"}), "add --mask causal"},
       {traced_with({"--empty-row", "nan", "--weighting", "softmax-1"}), "softmax-1 gives a row with no key"},
       {traced_with({"--weighting", "sigmoid", "--empty-row", "zeros"}), "sigmoid gives a row with no key"},
       {traced_with({"--weighting", "sparsemax", "--empty-row", "nan"}), "the choice is for softmax alone"},
       {traced_with({"--weighting", "relu", "--temperature", "0", "--empty-row", "uniform"}), "relu"},
       {traced_with({"--mask", "global:3"}), "tokens count from 0 to 2"},
       {traced_with({"--mask", "blocks:2,2"}), "add up to at most 3"},
       {traced_with({"--mask", "causal", "--causal-offset", "5", "--mask", "blocks:6,3"}), "at most 8"},
       {traced_with({"--mask", "padding:1,2"}), "2"},
       {traced_with({"--mask", "padding:1,2,3", "--mask", "padding:1,2"}), "2 lengths for 3 queries"},
       {traced_with({"--position", "sinusoidal"}), "--position"},
       {traced_with({"--position", "learned:1"}), "--position"},
       {traced_with({"--position", "rope:part=3"}), "turn 2 or 4"},
       {traced_with({"--position", "rope:part=6"}), "use at most 4"},
       {traced_with({"--position", "t5:5:20:0"}), "use an even number"},
       {{"trace", "the-cat-sat-on-mat", "--position", "learned:1:4"}, "a table of 5 positions"},
       {{"trace", "the-cat-sat-on-mat", "--position", "learned:1:6", "--shift", "2"},
        "a table of 7 positions"},
       {{"trace", "the-cat-sat-on-mat", "--heads", "3"}, "use 2 or 4"}});
}

TEST_CASE("options of a layer stand with what they are laid over") {
  check_refused({{{"--temperature", "2"}, "need the SESSION"},
                 {{"--temperature", "2", "trace", kExample}, "put the options of a layer after trace"},
                 {{kExample, "--temprature", "2"}, "did you mean \"--temperature\"?"},
                 {{kExample, "--temperature", "warm"}, "--temperature"}});
}

TEST_CASE("options come once, except for masks") {
  check_refused({{traced_with({"--temperature", "1", "--temperature", "2"}), "--temperature"}});
  CHECK(run_words(traced_with({"--mask", "causal", "--mask", "padding:2"})).status == kDone);
}

TEST_CASE("a trace without an input says what it needs") {
  check_refused({{{"trace"}, "trace needs an INPUT"}});
}

TEST_CASE("a device that nobody knows is a wrong word and one that is absent is a missing device") {
  check_refused({{{"trace", kExample, "--device", "refrence"}, "reference"}});
  const Outcome absent = run_words({"trace", kExample, "--device", "4096"});
  CHECK(absent.status == kNoDevice);
  CHECK(absent.out.empty());
  CHECK(contains(absent.err, "4096"));
}

TEST_CASE("bad files end with status 4 and a message with the file and the reason") {
  const TemporaryFolder folder;
  const std::string bad = folder / "bad.json";
  const auto refused = [&](const std::string& text, const std::string& says) {
    write_file(bad, text);
    const Outcome outcome = run_words({"trace", bad, "--device", "reference", "-o", folder / "out.npz"});
    CAPTURE(outcome.err);
    CHECK(outcome.status == kBadInput);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, bad));
    CHECK(contains(outcome.err, says));
    CHECK(folder.holds_only({"bad.json"}));
  };
  refused("", "empty");
  refused("PK\x03\x04 no zip", "zip");
  refused("\x93NUMPY\x01", "these are points and no layer");
  refused("{\"format\": 3}", "format");
  refused("q,k,v", "");
  refused(R"({"format": "attention-lab session", "version": 1, "layer": {"x": [[1, 2]], "heads": 7}})",
          "w_q");

  const Outcome missing = run_words({"trace", folder / "three-token"});
  CHECK(missing.status == kBadInput);
  CHECK(contains(missing.err, folder / "three-token"));
  CHECK(
      contains(run_words({"trace", "three-tokenz"}).err, "did you mean the built-in example three-tokens?"));
  CHECK(run_words({"trace", folder / ""}).status == kBadInput);
}

TEST_CASE("a files own misfit stays the files fault when options are given") {
  const TemporaryFolder folder;
  const std::string session = folder / "seven heads.json";
  write_file(session, std::string(R"({"format": "attention-lab session", "version": 1, "layer": {"heads": 7,
    "x": [[1, 2]], "w_q": [[1, 2], [3, 4]], "w_k": [[1, 2], [3, 4]], "w_v": [[1, 2], [3, 4]]}})"));
  CHECK(run_words({"trace", session}).status == kBadInput);
  CHECK(run_words({"trace", session, "--temperature", "2"}).status == kBadInput);
  CHECK(run_words({"trace", session, "--heads", "3"}).status == kBadWords);
  CHECK(run_words({"trace", session, "--heads", "2", "--device", "reference"}).status == kDone);
}

TEST_CASE("output that cannot be written ends with status 5 and leaves nothing behind") {
  const TemporaryFolder folder;
  for (const std::string& path : {folder / "missing/out.npz", folder / "", std::string("/dev/full")}) {
    const Outcome outcome = run_words(traced_with({"-o", path}));
    CAPTURE(outcome.err);
    CHECK(outcome.status == kNotWritten);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, path));
  }
  CHECK(folder.holds_only({}));
}
