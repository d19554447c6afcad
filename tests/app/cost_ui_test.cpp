// The workspace of costs as a person uses it: the marker, curves, bars, the table, presets and what is
// refused.
#include <iomanip>
#include <sstream>

#include "app/canvas/steps.h"
#include "app/workspaces/cost/scene.h"
#include "core/cost/count.h"
#include "core/cost/presets.h"
#include "tests/app/cost_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the marker n is dragged in one step and every read-out follows") {
  CostLab lab;
  const Document before = lab.document();
  CHECK(lab.says("at n = 4096"));
  CHECK(lab.says("25769803776"));  // 2·4096·4096·64·12
  lab.drag_marker_to("65536");
  CHECK(lab.study().n == 65536);
  CHECK(lab.says("at n = 65536"));
  CHECK(lab.says("operations at n = 65536"));
  CHECK(lab.says("6597069766656"));  // 2·65536·65536·64·12
  CHECK(lab.says("13.5 T"));         // 65536²·(4·768 + 6·12): scale and softmax take 6 a score
  check_undo(lab, before, "n 65536");
}

TEST_CASE("the marker is the same in both plots and in the slider") {
  CostLab lab;
  lab.drag_marker_to("256", "memory");
  CHECK(lab.study().n == 256);
  const auto slider = lab.item("##cost.n slider");
  REQUIRE(slider);
  lab.click({slider->max.x - 1, centre(*slider).y});
  lab.settle();
  CHECK(lab.study().n == std::size_t{1} << 20);
}

TEST_CASE("up and down double and halve n") {
  CostLab lab;
  lab.key(GLFW_KEY_UP);
  lab.settle();
  CHECK(lab.study().n == 8192);
  lab.key(GLFW_KEY_DOWN);
  lab.key(GLFW_KEY_DOWN);
  lab.settle();
  CHECK(lab.study().n == 2048);
}

TEST_CASE("a click on a curve opens its arithmetic") {
  CostLab lab;
  const Rect box = lab.plot("memory");
  const float x = box.min.x + box.width() * 0.6f;
  for (float y = box.max.y - 60; y > box.min.y + 40 && !lab.at().opened.held; y -= 4) lab.click({x, y});
  REQUIRE(lab.at().opened.held);
  CHECK_FALSE(lab.at().opened.stage);
  lab.frames(2);
  CHECK(lab.says("bytes that attention holds at once at n = 4096"));
}

TEST_CASE("operations a byte of a stage keep four digits") {
  CostLab lab;
  lab.at().opened = {.stage = CostStage::head_output};
  lab.frames(2);
  // 2·4096²·768 operations; weights of 12 heads, values and outputs of 768 columns in float16.
  const double moved = 2.0 * (12.0 * 4096 * 4096 + 2.0 * 4096 * 768);
  std::ostringstream digits;
  digits << std::setprecision(4) << 25769803776 / moved;
  CHECK(lab.says("operations a byte " + digits.str()));
}

TEST_CASE("decoding is drawn to the marker n") {
  CostLab lab;
  const Rect box = lab.plot("decoding");
  lab.move({box.max.x - 12, centre(box).y});
  lab.frames(2);
  CHECK(std::ranges::any_of(lab.texts(), [&](const DrawnText& text) {
    const double number = std::atof(CostLab::plain(text.text).c_str());
    return box.contains(centre(text.box)) && 4050 < number && number <= 4096;
  }));
}

TEST_CASE("a stage of attention as a whole opens from the inspector") {
  CostLab lab;
  lab.click_item("operations 0");
  lab.frames(2);
  CHECK_FALSE(lab.at().opened.stage);
  CHECK(lab.says("attention · full"));
  lab.click_item("head_output");
  lab.frames(2);
  CHECK(lab.at().opened.stage == CostStage::head_output);
  CHECK(lab.says("weights·V · full"));
}

TEST_CASE("a click on a dashed curve opens the stages that it is of") {
  CostLab lab;
  const Rect box = lab.plot("time");
  const auto opened = [&] { return lab.at().opened.stage; };
  // Where the projections take more than attention: at small n no curve lies above theirs but that of the
  // rest.
  const float x = box.min.x + box.width() * 0.15f;
  std::vector<CostStage> found;
  for (float y = box.min.y + 4; y < box.max.y - 40; y += 3) {
    lab.click({x, y});
    if (opened() && (found.empty() || found.back() != *opened())) found.push_back(*opened());
  }
  CHECK(found == std::vector{CostStage::scores, CostStage::feed_forward, CostStage::q});
}

TEST_CASE("the inspector has a table of all stages and each opens with the arithmetic of its three numbers") {
  CostLab lab;
  const LayerCost layer = count_layer(spec_of(lab.study(), lab.study().mechanisms.front()));
  const auto spaced = [](std::string formula) {
    for (std::size_t at = 0; (at = formula.find("·", at)) != std::string::npos; at += 4)
      formula.replace(at, std::string_view("·").size(), " · ");
    return formula;
  };
  for (const StageCost& stage : layer.stages) {
    CAPTURE(stage.name);
    lab.click_item(std::string(stage.name));
    lab.frames(2);
    CHECK(lab.at().opened.stage == stage.stage);
    for (const Quantity& quantity : {stage.operations, stage.bytes_moved, stage.bytes_held})
      for (const CostTerm& term : quantity.terms) CHECK(lab.says(spaced(term.formula())));
    for (const Quantity& bytes : {stage.bytes_moved, stage.bytes_held})
      CHECK(lab.says(CostLab::plain(short_bytes(static_cast<double>(bytes.value())))));
  }
}

TEST_CASE("a piece of a bar opens its stage at its n") {
  CostLab lab;
  lab.click_item("feed_forward 1024");
  lab.settle();
  lab.frames(2);
  CHECK(lab.study().n == 1024);
  CHECK(lab.at().opened.stage == CostStage::feed_forward);
  CHECK(lab.says("feed-forward · full"));
  CHECK(lab.says("9663676416"));  // 2·(2·1024·768·3072)
}

TEST_CASE("the table has every mechanism's own counts") {
  CostLab lab;
  for (const MechanismKind kind : lab.study().mechanisms) {
    const LayerCost layer = count_layer(spec_of(lab.study(), kind));
    CAPTURE(static_cast<int>(kind));
    lab.click_item("memory " + std::to_string(static_cast<int>(kind)));
    lab.frames(2);
    CHECK(lab.at().opened == OpenedCost{kind, std::nullopt, true});
    CHECK(lab.says(digits(layer.held.value())));
    lab.click_item("operations " + std::to_string(static_cast<int>(kind)));
    lab.frames(2);
    CHECK(lab.says(digits(operations(layer, CostPart::mixing))));
  }
  CHECK(lab.says("428 MB"));  // the full one's: 4·4096·768·2 + 4096²·12·2
}

TEST_CASE("crossings are those of the formulas and marked in the plot") {
  CostLab lab;
  CHECK(lab.says("2d = 1536"));
  CHECK(lab.says("6d = 4608"));
  CHECK(lab.says("d_k = 64"));
  CHECK(lab.says("6d = 4608: attention = all the rest"));
  lab.click_item("attention_projections");
  lab.settle();
  lab.frames(2);
  CHECK(lab.study().n == 1536);
  lab.run("cost.preset.llama3-8b");
  CHECK(lab.says("attention = Q K V W_O n = 5120"));  // shared heads, so that 2d does not hold
}

TEST_CASE("a preset is one step and a shape of one's own has none") {
  CostLab lab;
  const Document before = lab.document();
  CHECK(lab.says("GPT-2 small"));
  CHECK(lab.says("124439808"));
  lab.run("cost.preset.llama3-8b");
  CHECK(lab.study().d == 4096);
  CHECK(lab.study().kv_heads == 8);
  CHECK(lab.study().n == 4096);
  CHECK(lab.says("8030261248"));
  lab.run("cost.preset.mistral-7b");
  CHECK(preset_of(lab.study())->word == "mistral-7b");
  CHECK(lab.says("7241732096"));
  lab.undo();
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("heads of a cost that do not divide the width are refused with those that do") {
  CostLab lab;
  lab.click_item("##cost.heads");
  lab.enter("7");
  CHECK(lab.study().heads == 12);
  CHECK(lab.says("768 is not divisible by 7 heads"));
  lab.click_item("cost.heads/use 8");
  lab.settle();
  CHECK(lab.study().heads == 8);
  CHECK(lab.study().kv_heads == 8);
}

TEST_CASE("the backward pass counts twice the products") {
  CostLab lab;
  lab.click_item("cost.backward");
  lab.settle();
  lab.frames(2);
  CHECK(lab.study().backward);
  CHECK(lab.says("51539607552"));  // 2·2·4096·4096·64·12
  lab.click_item("cost.forward");
  lab.settle();
  CHECK_FALSE(lab.study().backward);
}

TEST_CASE("curves and counts are taken away as CSV and JSON and the canvas as a picture") {
  CostLab lab;
  lab.click_item("take costs/CSV");
  lab.frames(2);
  CHECK(lab.clipboard.starts_with("mechanism,n,operations,bytes_held,seconds_at_peak,seconds_measured\n"));
  CHECK(lab.clipboard.find("\nlinear,1048576,") != std::string::npos);
  lab.click_item("take costs/JSON");
  lab.frames(2);
  CHECK(lab.clipboard.find("\"window:256\": {") != std::string::npos);
  CHECK(lab.clipboard.find("\"operations\": 25769803776") != std::string::npos);
  lab.click_item("take costs/PNG");
  const auto capture = lab.app().take_capture();
  REQUIRE(capture);
  REQUIRE(capture->area);
  CHECK(capture->area->width() > 900);
}

TEST_CASE("mechanisms come and go and the last one stays") {
  CostLab lab;
  for (const char* word : {"flash", "window", "strided", "linear", "recurrent", "full"})
    lab.click_item("mechanism " + std::string(word));
  lab.settle();
  lab.frames(2);
  CHECK(lab.study().mechanisms == std::vector<MechanismKind>{MechanismKind::full});
  lab.click_item("mechanism linear");
  lab.settle();
  lab.frames(2);
  CHECK(lab.study().mechanisms == std::vector<MechanismKind>{MechanismKind::full, MechanismKind::linear});
  CHECK_FALSE(lab.item("##cost.window"));
}

TEST_CASE("the steps of the stage bar lead to their parts of the canvas") {
  CostLab lab({}, {1024, 640});
  lab.key(GLFW_KEY_RIGHT);
  lab.key(GLFW_KEY_RIGHT);
  lab.key(GLFW_KEY_RIGHT);
  lab.frames(4);
  CHECK(place_of(lab.app().steps(), lab.view().canvas().step) == static_cast<std::size_t>(CostStep::decode));
  CHECK(lab.view().canvas().scroll_y > 0);
  CHECK(lab.item("decoding/plot"));
  lab.key(GLFW_KEY_HOME);
  lab.frames(4);
  CHECK(lab.view().canvas().scroll_y < 20);
}

TEST_CASE("odd shapes are drawn at every size and their panels hold their words") {
  CostStudy one;
  one.n = one.d = one.heads = one.kv_heads = one.layers = 1;
  CostStudy longest;
  longest.n = std::size_t{1} << 20;
  CostStudy gpt3;
  take_preset(gpt3, *find_preset("gpt3"));
  gpt3.backward = true, gpt3.format = StoredFormat::int8;
  CostStudy wide;
  wide.d = wide.heads = kMostCostWidth, wide.kv_heads = 1, wide.feed_forward = kMostCostInner;
  wide.layers = kMostCostLayers, wide.batch = kMostCostBatch, wide.window = wide.stride = 1;
  for (const CostStudy& study : {CostStudy(), one, longest, gpt3, wide})
    for (const float scale : {1.0f, 2.0f}) {
      CostLab lab(study, {1600, 1000}, scale);
      for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1024, 640}, ImVec2{2560, 1440}}) {
        INFO("d ", study.d, ", n ", study.n, ", ", size.x, "×", size.y, ", scale ", scale);
        lab.resize(size);
        CHECK(lab.app().engine_state().error.empty());
        const Layout layout = check_words_fit(lab, size, scale);
        check_words_apart(lab, layout.canvas);
      }
    }
}
