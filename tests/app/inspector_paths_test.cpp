// Where the inspector follows numbers to: through heads put side by side, past heads that are switched off,
// and what it calls the columns of a softmax.
#include <doctest/doctest.h>

#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/host/headless.h"
#include "app/inspector/inspector_model.h"
#include "app/layer/layer_controls.h"
#include "app/program/input.h"
#include "core/edits/edit.h"
#include "tests/app/odd_documents.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;
using namespace attn::inspector;

namespace {

bool wrapped(const std::string& text) {
  return text.find("184467440737") != std::string::npos;
}

Document muted(const char* name, std::size_t head) {
  Document document = read_document(name);
  toggle_head(document.layer(), head);
  return document;
}

std::string formula_of(const Document& document) {
  std::string text;
  const Graph graph = build_graph(document.layer());
  for (const FormulaSpan& span : graph.parts.at(0).formula) text += span.text + " ";
  return text;
}

}  // namespace

TEST_CASE("a head's output that is switched off goes nowhere and says why") {
  const Results results = evaluated(muted("the-cat-sat-on-mat-two-heads", 0));
  const std::vector<PathStep> legs = where_it_goes(results, {"head_output", {0, 0, 0}});
  REQUIRE(legs.size() == 1);
  CHECK(legs[0].title == "concat");
  CHECK(legs[0].what == "head 0 is switched off");
  CHECK_FALSE(legs[0].figure.spot);
  CHECK(where_it_goes(results, {"head_output", {1, 0, 0}})[0].figure.spot);
}

TEST_CASE("no count in the inspector is below zero whatever is switched off or overridden") {
  std::vector<NamedDocument> documents = all_documents();
  documents.push_back({"one muted head", muted("the-cat-sat-on-mat", 0)});
  documents.push_back({"a muted head of two", muted("the-cat-sat-on-mat-two-heads", 1)});
  for (const NamedDocument& named : documents) {
    Document document = named.document;
    if (head_count(document.layer()) < 70) toggle_head(document.layer(), head_count(document.layer()) - 1);
    const Results results = evaluated(document);
    for (std::size_t i = 0; i < results.graph.stages.size(); ++i) {
      const Shape shape = results.outputs[i].shape();
      if (shape.size() == 0) continue;
      for (const Cell cell : {Cell{0, 0, 0}, Cell{shape.stack - 1, shape.rows - 1, shape.columns - 1}}) {
        const Spot spot{results.graph.stages[i].id, cell};
        CAPTURE(named.name);
        CAPTURE(spot.stage);
        for (const PathStep& leg : where_it_goes(results, spot)) CHECK_FALSE(wrapped(leg.title + leg.what));
        const Opened opened = open(results, spot);
        CHECK_FALSE(wrapped(opened.title + opened.sentence + to_string(opened.formula)));
        if (const auto attention = attention_of(results, spot, 0)) CHECK_FALSE(wrapped(attention->title));
      }
    }
  }
}

TEST_CASE("the panel of a number whose head is switched off shows no number that wrapped") {
  Headless lab({.document = muted("the-cat-sat-on-mat", 0)});
  lab.view().pinned = Spot{"head_output", {0, 0, 0}};
  lab.frames(2);
  CHECK(lab.shows("head 0 is switched off"));
  CHECK_FALSE(lab.shows("184467440737"));
}

TEST_CASE("the output is opened into its arithmetic also where it is a head's own") {
  for (const char* name : {"the-cat-sat-on-mat", "three-tokens"}) {
    const Results results = evaluated(read_document(name));
    const Opened output = open(results, {"output", {0, 1, 2}}),
                 head = open(results, {"head_output", {0, 1, 2}});
    CAPTURE(name);
    CHECK(output.title == "output[1, 2]");
    REQUIRE(output.lines.size() == results.output("weights").columns());
    CHECK(output.lines[0].operands.size() == 2);
    CHECK(output.result == head.result);
    CHECK(to_string(output.formula) == "output[1, 2] of head 0 = " + to_string(head.formula));
  }
}

TEST_CASE("a column of several heads is opened into the arithmetic of its head") {
  Document document = read_document("the-cat-sat-on-mat-two-heads");
  document.layer().w_o = {};
  const Results results = evaluated(document);
  const Opened opened = open(results, {"output", {0, 4, 3}}),
               head = open(results, {"head_output", {1, 4, 1}});
  REQUIRE(opened.lines.size() == 5);
  CHECK(opened.lines[2].operands[0].spot == head.lines[2].operands[0].spot);
}

TEST_CASE("the softmax's first column is called by what the softmax reads") {
  Document document = read_document("the-cat-sat-on-mat");
  CHECK(open_softmax(evaluated(document), {"weights", {0, 3, 0}})->input == "scaled");
  set_causal(document.layer(), CausalAlign::lower_right);
  CHECK(open_softmax(evaluated(document), {"weights", {0, 3, 0}})->input == "masked");
  Headless lab({.document = document});
  lab.view().pinned = Spot{"weights", {0, 3, 0}};
  lab.frames(2);
  const auto head = lab.find_text("− max");
  REQUIRE(head);
  CHECK(lab.text_in({{head->min.x - 120, head->min.y - 2}, {head->max.x, head->max.y + 2}}).find("masked") !=
        std::string::npos);
}

TEST_CASE("the formula has the temperature unless it is 1") {
  Document document = read_document("the-cat-sat-on-mat");
  CHECK(formula_of(document) == "softmax( Q Kᵀ / √d_k ) V ");
  document.layer().temperature = 6;
  CHECK(formula_of(document) == "softmax( Q Kᵀ / √d_k / T ) V ");
  document.layer().temperature = 0;
  CHECK(formula_of(document) == "softmax( Q Kᵀ / √d_k / T → 0 ) V ");
  document.layer().scale = {.mode = ScaleMode::number, .number = 0.5};
  document.layer().temperature = 2;
  CHECK(formula_of(document) == "softmax( Q Kᵀ × 0.5 / T ) V ");
}
