// The roads around n² as a person uses them: the table read and sorted, roads chosen, laid beside full and
// set, their maps, a row followed, and measured.
#include "tests/app/controls_lab.h"
#include "tests/app/efficient_roads_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the table of roads says what each keeps and takes") {
  RoadsLab lab;
  CHECK(lab.says("full", "100 %"));
  CHECK(lab.says("full", "0 ✓"));
  CHECK(lab.says("full", "287 k"));
  CHECK(lab.says("full", "16.4 kB"));
  CHECK(lab.says("window", "26 %"));
  CHECK(lab.says("window", "37.8 k"));
  CHECK(lab.says("window", "2.16 kB"));
  CHECK(lab.says("window", "8"));
  CHECK(lab.says("Longformer", "31 %"));
  CHECK(lab.says("elu + 1", "—"));
  CHECK(lab.says("elu + 1", "1.09 kB"));
  CHECK(lab.says("features", "random, r 64"));
  CHECK(lab.says("features", "–"));  // nothing is measured yet
}

TEST_CASE("a row chooses the map and lights what it is set by") {
  RoadsLab lab;
  CHECK(lab.shows("BigBird − exact"));
  lab.click_item("roads/road window");
  lab.frames(2);
  CHECK(lab.at().road == Road::window);
  CHECK(lab.shows("window − exact"));
  lab.key(GLFW_KEY_P);
  lab.frames(2);
  CHECK(lab.at().map == RoadMap::pattern);
  CHECK_FALSE(lab.shows("window − exact"));
  CHECK(lab.shows("blue: kept"));
  lab.key(GLFW_KEY_E);
  lab.key(GLFW_KEY_DOWN, {.shift = true});
  lab.frames(2);
  CHECK(lab.shows("strided − exact"));
  lab.key(GLFW_KEY_UP, {.shift = true});
  lab.key(GLFW_KEY_UP, {.shift = true});
  lab.frames(2);
  CHECK(lab.shows("flash − exact"));
  lab.run("efficient.show.relu");
  CHECK(lab.shows("ReLU − exact"));
  CHECK(lab.steps() == 0);
}

TEST_CASE("columns sort the roads by a click, and again the other way round") {
  RoadsLab lab;
  lab.sort("density");
  CHECK(lab.row("window").min.y < lab.row("full").min.y);
  CHECK(lab.row("full").min.y < lab.row("elu + 1").min.y);  // without a density
  lab.sort("density");
  CHECK(lab.row("window").min.y > lab.row("full").min.y);
  CHECK(lab.row("window").min.y < lab.row("elu + 1").min.y);
  lab.sort("reach");
  CHECK(lab.row("elu + 1").min.y < lab.row("window").min.y);
  lab.sort("bytes held");
  CHECK(lab.row("flash").min.y < lab.row("elu + 1").min.y);
  lab.sort("operations");
  CHECK(lab.row("window").min.y < lab.row("strided").min.y);
  lab.sort("max error");
  CHECK(lab.row("full").min.y < lab.row("flash").min.y);
  CHECK(lab.row("flash").min.y < lab.row("window").min.y);
  lab.sort("measured");
  lab.sort("road");
  CHECK(lab.row("full").min.y < lab.row("flash").min.y);
  CHECK(lab.row("ReLU").min.y < lab.row("features").min.y);
}

TEST_CASE("chips lay roads beside full and take them away") {
  RoadsLab lab;
  const Document before = lab.document();
  lab.click_item("road chip strided");
  lab.settle();
  lab.frames(2);
  CHECK_FALSE(lab.item("roads/road strided"));
  CHECK(lab.item("roads/road full"));
  check_undo(lab, before, "strided");
  lab.run("efficient.beside.strided");
  CHECK(lab.document() == before);
}

TEST_CASE("what sparse roads keep is set by rows") {
  RoadsLab lab;
  enter(lab, "##efficient.window", "4");
  lab.frames(2);
  CHECK(lab.says("window", "w 4"));
  CHECK(lab.says("window", "15 %"));  // 5·64 − 10 of 2080
  enter(lab, "##efficient.stride", "16");
  enter(lab, "##efficient.random_keys", "5");
  enter(lab, "##efficient.seed", "9");
  enter(lab, "##efficient.global_tokens", "3, 1 200");
  lab.frames(2);
  const EfficientSpec& spec = lab.document().efficient;
  CHECK(spec.stride == 16);
  CHECK(spec.random_keys == 5);
  CHECK(spec.seed == 9);
  CHECK(spec.global_tokens == std::vector<std::size_t>{1, 3, 200});
  CHECK(lab.said("Longformer").find("200") == std::string::npos);  // behind the last token
  enter(lab, "##efficient.global_tokens", "all");
  CHECK(spec.global_tokens.size() == 3);
  REQUIRE(lab.view().field);
  CHECK_FALSE(lab.view().field->error.empty());
}

TEST_CASE("a row of the maps is followed, and says what it lost") {
  RoadsLab lab;
  lab.at().road = Road::window;
  lab.frames(2);
  const Rect map = *lab.item("road map/weights");
  const auto at = [&](float share) { return ImVec2{map.min.x + 5, map.min.y + share * map.height()}; };
  lab.click(at(20.5f / 64));
  lab.frames(2);
  CHECK(lab.at().row == 20);
  CHECK(lab.shows("row 20 keeps 9 of 21 keys"));
  lab.drag(at(20.5f / 64), at(5.5f / 64));
  lab.frames(2);
  CHECK(lab.at().row == 5);
  CHECK(lab.shows("100 % of its exact weight"));
  const Rect output = *lab.item("road map/output");
  lab.click({output.min.x + 5, output.min.y + 40.5f / 64 * output.height()});
  lab.frames(2);
  CHECK(lab.at().row == 40);
}

TEST_CASE("M measures the roads that have kernels, and other sizes are grey" *
          doctest::test_suite("unsanitized")) {
  Document document = roads_document(16);
  document.efficient.measured_tokens = 64;
  RoadsLab lab(document);
  lab.key(GLFW_KEY_M);
  lab.frames(2);
  for (int i = 0; i < 400 && lab.at().measuring; ++i) {
    lab.settle();
    lab.frames(2);
  }
  CHECK_FALSE(lab.at().measuring);
  CHECK(lab.shows("9 of 9 kept"));
  for (const char* name : {"full", "flash", "window"}) CHECK(lab.says(name, "s "));
  CHECK(lab.colour("full", "measured") == lab.theme().text);
  choose(lab, "efficient.measured_tokens", "128");
  lab.frames(2);
  CHECK(lab.says("full", "s "));  // still told, as of another size
  CHECK(lab.colour("full", "measured") == lab.theme().faint);
  lab.move(lab.cell("full", "measured"));
  lab.frames(2);
  CHECK(lab.shows("the median of 9"));
  CHECK(lab.shows("not of what is set now"));
  CHECK(lab.document().efficient.measured_tokens == 128);
  CHECK(lab.shows("measured at n 128"));
}

TEST_CASE("numbers of the table say what is behind them") {
  RoadsLab lab;
  const auto hovered = [&](const std::string& name, const std::string& head, const std::string& part) {
    lab.move(lab.cell(name, head));
    for (int i = 0; i < 50 && !lab.shows(part); ++i) {
      lab.settle();
      lab.frames(10);
    }
    INFO(part);
    CHECK(lab.shows(part));
  };
  hovered("window", "operations", "2·pairs·d_k·h");
  hovered("elu + 1", "bytes held", "h·d_k·(d_k+1)·4");
  hovered("Longformer", "density", "pairs that the layer's own mask leaves");
  hovered("flash", "max error", "in float32 on");
  hovered("features", "max error", "16 seeds");
  hovered("window", "reach", "layers until each query has met");
  hovered("BigBird", "measured", "M measures it at n = ");
}

TEST_CASE("a token without an output is a gap and no 0") {
  Document document;
  LayerSpec& layer = document.layer();
  layer.direct = true;
  layer.q = {{1, 3, 1}, {-1, 1, 1}}, layer.k = {{1, 3, 1}, {1, 1, 1}}, layer.v = {{1, 3, 1}, {1, 2, 3}};
  RoadsLab lab(document);
  CHECK(lab.says("ReLU", "1 token undefined"));
  lab.at().road = Road::relu;
  lab.at().row = 0;
  lab.frames(2);
  CHECK(lab.shows("row 0 has no output"));
}

TEST_CASE("a row that only a road leaves without keys is no fault") {
  Document document = roads_document(16);
  document.layer().masks.push_back({PaddingRule{{4}}});
  document.efficient.window = 1;
  RoadsLab lab(document);
  CHECK(lab.find_text("NaN, ∞"));
  CHECK_FALSE(lab.shows(", first in "));
}

TEST_CASE("a road that the layer cannot go says why") {
  Document document = roads_document(16);
  document.layer().dropout = 0.5;
  RoadsLab lab(document);
  CHECK(lab.says("window", "dropout"));
  CHECK(lab.says("elu + 1", "dropout"));
  CHECK(lab.says("full", "0 ✓"));
  lab.click_item("roads/road window");
  lab.frames(2);
  CHECK(lab.shows("dropout is drawn for each weight"));
}

TEST_CASE("the roads of many tokens fill in behind the results") {
  RoadsLab lab(roads_document(160));
  for (int i = 0; i < 100 && !lab.says("features", " 1"); ++i) {
    lab.settle();
    lab.frames(2);
  }
  CHECK(lab.says("window", "11 %"));  // 9·160 − 36 of 12880
  CHECK(lab.says("window", "20"));    // 159 tokens apart, 8 a layer
}
