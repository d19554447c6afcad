// The present step on the canvas: large next to what it is made of, rows level, and the words between them.
#include "app/canvas/step_focus.h"

#include <algorithm>

#include "app/canvas/steps.h"
#include "app/program/input.h"
#include "app/workspaces/workspaces.h"
#include "core/attention/layer.h"
#include "tests/app/grid_lab.h"
#include "tests/random_layer.h"
#include "tests/sanitized.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document causal() {
  return read_document("the-cat-sat-on-mat-causal");
}

// What the arrow into a stage says, on the way from another.
std::string words(const LayerSpec& layer, const char* from, const char* to) {
  const Graph graph = build_graph(layer);
  const Stage& stage = graph.stages[*graph.find(to)];
  const ArrowWords said =
      arrow_words(graph, *graph.find(from), *graph.find(to), graph.steps[stage.step].title);
  return said.above + (said.beneath.empty() ? "" : " | " + said.beneath);
}

void go(GridLab& lab, const char* step) {
  lab.view().canvas().step = lab.view().canvas().reveal = step;
  lab.frames(20);
}

float pitch(GridLab& lab, const char* stage) {
  return lab.cell(stage, 0, 0).height();
}

}  // namespace

TEST_CASE("the arrow says what the step does to what it is made of") {
  const LayerSpec usual = causal().layer();
  CHECK(words(usual, "x", "q") == "· W_Q");
  CHECK(words(usual, "scores", "scaled") == "÷ 2 | √d_k = √4");
  CHECK(words(usual, "scaled", "masked") == "+ mask | causal");
  CHECK(words(usual, "masked", "weights") == "softmax | softmax by row");
  CHECK(words(usual, "row_max", "exp") == "exp | exp(masked − row max)");
  CHECK(words(usual, "weights", "head_output") == "· V");
}

TEST_CASE("the arrow's words are those of the layer's own scale, scores, positions and weighting") {
  const auto changed = [](const std::function<void(LayerSpec&)>& change) {
    LayerSpec layer = causal().layer();
    change(layer);
    return layer;
  };
  const LayerSpec none = changed([](LayerSpec& l) { l.scale.mode = ScaleMode::none; });
  CHECK(words(none, "scores", "scaled") == "× 1 | not scaled");
  const LayerSpec number = changed([](LayerSpec& l) { l.scale = {ScaleMode::number, 0.3}; });
  CHECK(words(number, "scores", "scaled") == "× 0.3");
  const LayerSpec hot = changed([](LayerSpec& l) { l.temperature = 10; });
  CHECK(words(hot, "scores", "scaled") == "÷ 20 | ÷ √4 · T 10");
  const LayerSpec cosine = changed([](LayerSpec& l) { l.scoring = Scoring::cosine; });
  CHECK(words(cosine, "k_unit", "scores") == "scores | Q·Kᵀ ÷ (|q|·|k|)");
  CHECK(words(cosine, "scores", "scaled") == "÷ 2 | √d_k = √4");
  const LayerSpec gaussian = changed([](LayerSpec& l) { l.scoring = Scoring::gaussian; });
  CHECK(words(gaussian, "distances", "scores") == "÷ −2 | −|q − k|² ÷ 2σ²");
  for (const Position& position : {Position(Alibi()), Position(T5Bias())}) {
    const LayerSpec biased = changed([&](LayerSpec& l) { l.position = position; });
    CHECK(words(biased, "bias", "biased") == "+ bias | scaled + bias");
    CHECK(words(biased, "biased", "masked") == "+ mask | causal");
  }
  const LayerSpec sinusoidal = changed([](LayerSpec& l) { l.position = Sinusoidal(); });
  CHECK(words(sinusoidal, "x", "position") == "+ position | tokens + position");
  const LayerSpec sigmoid = changed([](LayerSpec& l) { l.weighting = Weighting::sigmoid; });
  CHECK(words(sigmoid, "masked", "weights").starts_with("σ(… − ln m)"));
  const LayerSpec capped = changed([](LayerSpec& l) { l.soft_cap = 50; });
  CHECK(words(capped, "scaled", "capped").starts_with("50·tanh(… / 50)"));
}

TEST_CASE("scores and scaled have rows of one height that lie level, with a step and without") {
  const auto check_level = [](GridLab& lab) {
    CHECK(pitch(lab, "scores") == pitch(lab, "scaled"));
    CHECK(lab.cells("scores").min.y == lab.cells("scaled").min.y);
    CHECK(lab.cells("scores").max.x < lab.cells("scaled").min.x);
  };
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1920, 1080}, ImVec2{2560, 1440}}) {
    GridLab lab(causal(), size);
    check_level(lab);
    for (const char* step : {"q", "scores", "scaled", "masked", "head_output"}) {
      CAPTURE(size.x);
      CAPTURE(std::string(step));
      go(lab, step);
      check_level(lab);
    }
  }
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{1366, 768}, ImVec2{1200, 900}}) {
    CAPTURE(size.x);
    GridLab lab(causal(), size);
    go(lab, "scaled");
    check_level(lab);
  }
}

TEST_CASE("whatever a step is made of row by row stands next to it with rows of its height") {
  GridLab lab(causal());
  for (const auto& [step, from] : {std::pair("scaled", "scores"),
                                   {"masked", "scaled"},
                                   {"weights", "masked"},
                                   {"head_output", "weights"},
                                   {"q", "x"}}) {
    CAPTURE(step);
    go(lab, step);
    CHECK(pitch(lab, step) == pitch(lab, from));
    CHECK(lab.cells(step).min.y == lab.cells(from).min.y);
    CHECK(lab.cells(from).max.x < lab.cells(step).min.x);
    CHECK(lab.cell(step, 0, 0).width() > lab.cell(from, 0, 0).width() * 0.9f);
  }
}

TEST_CASE("the present stage has the largest cells and digits, and fits with all others") {
  GridLab lab(causal());
  const float before = lab.cell("scaled", 0, 0).width() * pitch(lab, "scaled");
  go(lab, "scaled");
  CHECK(lab.cell("scaled", 0, 0).width() * pitch(lab, "scaled") > 1.5f * before);
  for (const char* other : {"x", "q", "scores", "masked", "weights", "head_output"})
    CHECK(lab.cell(other, 0, 0).width() < lab.cell("scaled", 0, 0).width());
  const auto size_of = [&](const char* stage) {
    const Rect cell = lab.cell(stage, 1, 0);
    for (const DrawnText& text : lab.texts())
      if (cell.contains(centre(text.box))) return text.box.max.y - text.box.min.y;
    FAIL("no number in " << stage);
    return 0.0f;
  };
  CHECK(size_of("scaled") > size_of("scores"));
  const Rect canvas = *lab.item("empty");
  for (const Item& item : lab.items())
    if (item.path.ends_with("/cells")) CHECK(item.box.max.y <= canvas.max.y);
}

TEST_CASE("the words stand at the height of the row that is pinned") {
  GridLab lab(causal());
  go(lab, "scaled");
  for (const std::size_t row : {1u, 3u}) {
    lab.view().pinned = spot("scaled", row, 0);
    lab.frames(2);
    const auto above = lab.find_text("÷ 2"), beneath = lab.find_text("√d_k = √4");
    REQUIRE(above);
    REQUIRE(beneath);
    const float y = centre(lab.cell("scores", row, 0)).y;
    CHECK(above->max.y < y);
    CHECK(beneath->min.y > y);
    CHECK(above->max.y > y - 20);
    CHECK(above->min.x > lab.cells("scores").max.x);
    CHECK(above->max.x < lab.cells("scaled").min.x);
  }
}

TEST_CASE("every step of random layers stands out of the canvas without overprinting" *
          doctest::test_suite("unsanitized")) {
  Random random(seed(83));
  for (int i = 0; i < (kSanitized ? 4 : 12); ++i) {
    Document document;
    document.layer() = random_scored_layer(random);
    GridLab lab(document);
    const std::vector<StepChip> steps = graph_steps(lab.results()->graph, lab.view());
    for (const StepChip& step : steps) {
      CAPTURE(step.id);
      go(lab, step.id.c_str());
      std::vector<Rect> cells;
      for (const Item& item : lab.items())
        if (item.path.ends_with("/cells")) cells.push_back(item.box);
      for (std::size_t a = 0; a < cells.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) CHECK_FALSE(overlap(cells[a], cells[b]));
    }
  }
}

TEST_CASE("twelve tokens in eight heads open with their weights in sight and their numbers to be read") {
  GridLab lab(read_document("eight-heads"));
  const Rect canvas = *lab.item("empty"), weights = lab.cells("weights");
  CHECK(weights.min.y >= canvas.min.y);
  CHECK(weights.max.y <= canvas.max.y);
  CHECK(weights.max.x <= canvas.max.x);
  CHECK(lab.item("scroll y") == std::nullopt);
  CHECK(lab.text_in(lab.cell("weights", 1, 0)) == "1.00");
  lab.key(GLFW_KEY_F, {.shift = true});  // as large as can be read instead
  lab.frames(2);
  CHECK_FALSE(lab.view().canvas().all_in_sight);
}

TEST_CASE("a step without a matrix leaves all matrices on a small canvas") {
  std::array row{workspaces().front()};
  row[0].steps = [](const Graph& graph, const View& view) {
    std::vector<StepChip> steps = graph_steps(graph, view);
    steps.push_back({.id = "pause", .title = "pause", .says = "nothing", .stages = {}});
    return steps;
  };
  Headless lab({.document = causal(), .settings = Settings{}, .size = {1024, 1600}, .workspaces = row});
  const auto boxes = [&](const std::optional<std::string>& step) {
    lab.view().canvas().step = step;
    lab.frames(20);
    std::vector<std::pair<std::string, float>> found;
    for (const Item& item : lab.items())
      if (item.path.ends_with("/cells")) found.emplace_back(item.path, item.box.width());
    return found;
  };
  const auto all = boxes(std::nullopt);
  CHECK(all.size() > 3);
  CHECK(boxes("pause") == all);
  CHECK(boxes("weights").size() < all.size());
}
