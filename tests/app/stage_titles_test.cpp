// One word for one stage, another for another: what chips, matrices and the inspector call stages.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "app/canvas/steps.h"
#include "app/program/input.h"
#include "core/attention/layer.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Titles that two stages of a part bear, of those that can be on screen.
void note_twice(const Graph& graph, std::set<std::string>& twice) {
  for (std::size_t part = 0; part < graph.parts.size(); ++part) {
    std::set<std::string> titles;
    for (const Stage& stage : graph.stages)
      if (stage.part == part && stage.drawn != Drawn::never && !titles.insert(stage.title).second)
        twice.insert(stage.title + " (" + stage.id + ")");
  }
}

// Chips that two steps bear, and those over a single matrix that is called otherwise.
void note_chips(const Graph& graph, std::set<std::string>& wrong) {
  std::set<std::string> titles;
  for (const StepChip& chip : graph_steps(graph, View())) {
    if (!titles.insert(chip.title).second) wrong.insert("two chips " + chip.title);
    std::vector<std::string> shown;
    for (const StageIndex i : chip.stages)
      if (graph.stages[i].drawn == Drawn::always) shown.push_back(graph.stages[i].title);
    if (shown.size() == 1 && shown[0] != chip.title && graph.stages[*graph.find(chip.id)].role != Role::token)
      wrong.insert("chip " + chip.title + " over " + shown[0]);
    if (!shown.empty() && graph.stages[*graph.find(chip.id)].role == Role::output &&
        chip.title != shown.back())
      wrong.insert("chip " + chip.title + " over " + shown.back());
  }
}

}  // namespace

TEST_CASE(
    "no two stages of a layer bear one title, no two chips either, and a chip is called as its matrix") {
  std::set<std::string> wrong;
  for (const std::string& name : examples()) {
    const Graph graph = build_graph(read_document(name).layer());
    note_twice(graph, wrong), note_chips(graph, wrong);
  }
  Random random(seed(91));
  for (int i = 0; i < 300; ++i) {
    const Graph graph = build_graph(random_scored_layer(random));
    note_twice(graph, wrong), note_chips(graph, wrong);
  }
  std::string list;
  for (const std::string& title : wrong) list += title + "\n";
  CHECK_MESSAGE(wrong.empty(), list);
}

TEST_CASE("queries and keys that are normed, turned or given positions say so in their titles") {
  LayerSpec layer = read_document("three-tokens").layer();
  layer.qk_norm = true, layer.position = Rotary();
  const Graph graph = build_graph(layer);
  for (const auto& [id, title] : {std::pair("q", "Q"), {"q_normed", "Q normed"}, {"q_rotated", "Q rotated"}})
    CHECK(graph.stages[*graph.find(id)].title == title);
  layer.qk_norm = false;
  const Graph turned = build_graph(layer);
  CHECK(turned.stages[*turned.find("k_rotated")].title == "K rotated");
}
