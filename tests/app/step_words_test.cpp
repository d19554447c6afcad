// What is said of steps: every step has words, and they are read as they are written.
#include "app/frame/step_words.h"

#include <doctest/doctest.h>

#include <set>

#include "app/canvas/steps.h"
#include "app/program/input.h"
#include "app/workspaces/workspaces.h"
#include "core/attention/layer.h"
#include "core/edits/layer_changes.h"
#include "core/system/assets.h"
#include "core/system/error.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::vector<StepWords> embedded_words() {
  return read_step_words(asset_text(word_files(), "assets/words", "steps.md"));
}

// Steps of a graph without words, with its steps open and closed.
void note_wordless(const Graph& graph, std::set<std::string>& wordless) {
  View view;
  for (const bool open : {false, true}) {
    view.layer.open_softmax = open;
    for (const StepChip& chip : graph_steps(graph, view))
      if (!chip.words) wordless.insert(chip.id + " (" + chip.title + ")");
  }
}

}  // namespace

TEST_CASE("every step of every example in every workspace, and of random layers, has words") {
  std::set<std::string> wordless;
  for (const std::string& name : examples())
    for (const Workspace& workspace : workspaces()) {
      const Document document = read_document(name);
      if (workspace.steps) note_wordless(workspace.build(document, kLayerA).graph, wordless);
    }
  Random random(seed(81));
  for (int i = 0; i < 200; ++i) note_wordless(build_graph(random_scored_layer(random)), wordless);
  std::string list;
  for (const std::string& step : wordless) list += step + "\n";
  CHECK_MESSAGE(wordless.empty(), list);
}

TEST_CASE("words of steps name changes and workspaces that there are, and no step twice") {
  std::set<std::string> steps;
  for (const StepWords& words : embedded_words()) {
    CAPTURE(words.title);
    CHECK_FALSE(words.title.empty());
    CHECK_FALSE(words.what.empty());
    CHECK_FALSE(words.why.empty());
    CHECK(words.what.back().find('{') == std::string::npos);  // there is always something to say
    CHECK(words.why.back().find('{') == std::string::npos);
    for (const std::string& step : words.steps) CHECK(steps.insert(step).second);
    if (!words.mistake.empty()) CHECK(find_change(mistakes(), words.mistake));
    if (!words.workspace.empty())
      CHECK(std::ranges::count(workspaces(), words.workspace, &Workspace::name) == 1);
    if (!words.workspace.empty()) CHECK_FALSE(words.lead.empty());
  }
}

TEST_CASE("a line of step words that cannot be read is named") {
  const auto words = read_step_words("above\n## a, \"b c\"\ntitle: One\nwhat: it is\nwhy: so\nwhy: or so\n");
  REQUIRE(words.size() == 1);
  CHECK(words[0].steps == std::vector<std::string>{"a", "\"b c\""});
  CHECK(words[0].why == std::vector<std::string>{"so", "or so"});
  for (const char* wrong : {"## a\nno key", "## a\nnone: such"})
    CHECK_THROWS_WITH(read_step_words(wrong), "steps.md, line 2: not “key: text”, or no key that is known");
}
