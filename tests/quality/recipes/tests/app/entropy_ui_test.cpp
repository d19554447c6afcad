// The workspace of entropy as a person uses it: its plot, its controls, its session and its picture.
#include <doctest/doctest.h>

#include "app/workspaces/entropy/view.h"
#include "core/entropy/graph.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/controls_lab.h"
#include "tests/app/words.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct EntropyLab : WorkspaceLab {
  EntropyLab() : WorkspaceLab(kEntropyPlan.name, {.document = read_document("eight-heads")}) {}
  std::size_t head() { return view().of<EntropyView>().head; }
};

}  // namespace

TEST_CASE("the tab of entropy shows a curve for each head") {
  EntropyLab lab;
  CHECK(lab.find_text("Entropy"));
  const std::string words = lab.text_in(lab.plot("mean entropy"));
  for (const char* part : {"mean entropy", "temperature T", "head 0", "head 7", "the layer’s scores"}) {
    INFO(part);
    CHECK(words.find(part) != std::string::npos);
  }
}

TEST_CASE("another number of temperatures is one step of undo") {
  EntropyLab lab;
  const Document before = lab.document();
  enter(lab, "##entropy.samples", "5");
  CHECK(lab.document().entropy.samples == 5);
  CHECK(lab.results()->places.as<EntropyPlaces>()->entropy.size() == 5);
  check_undo(lab, before, "temperatures 5");
}

TEST_CASE("its command goes to the next head and from the last to the first") {
  EntropyLab lab;
  lab.run("entropy.next");
  CHECK(lab.head() == 1);
  lab.view().of<EntropyView>().head = 7;
  lab.run("entropy.next");
  CHECK(lab.head() == 0);
}

TEST_CASE("a session keeps the part of entropy and a picture what is looked at") {
  Document document = read_document("eight-heads");
  document.entropy = {.from = 0.25, .to = 4, .samples = 9};
  CHECK(parse_session(write_session(document)).entropy == document.entropy);
  const TemporaryFolder folder;
  const auto drawn = [&](const std::string& look) {
    const std::string file = folder / "drawn.png";
    CHECK(run_words({"render", "eight-heads", "--device", "reference", "-o", file, "--look", look}).status ==
          kDone);
    return read_file(file);
  };
  const auto plain = drawn("entropy");
  CHECK_FALSE(drawn("entropy: head 3") == plain);
  CHECK_FALSE(drawn("entropy: from 0.5, to 2, samples 4") == plain);
}
