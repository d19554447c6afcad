// Flash attention tile by tile: its controls, other layers, many tokens, small windows, and pictures.
#include "tests/app/controls_lab.h"
#include "tests/app/efficient_tiles_lab.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("tiles are set in the controls, and are a step of undo") {
  TilesLab lab;
  const Document before = lab.document();
  enter(lab, "##efficient.tile_rows", "6");
  lab.frames(2);
  CHECK(lab.document().efficient.tile_rows == 6);
  CHECK(lab.shows("of 12 tiles"));  // 3 × 4, the last of 4 rows
  CHECK(lab.on_tile("1, 1", 9));
  check_undo(lab, before, "tile rows");
  lab.key(GLFW_KEY_Z, {.control = true});
  lab.settle();
  const auto slider = lab.item("##efficient.followed");
  REQUIRE(slider);
  lab.click({slider->max.x - 2, centre(*slider).y});
  lab.frames(2);
  CHECK(lab.at().row == 15);
}

TEST_CASE("causal and padding are switched, heads chosen, and the first 512 tokens said to be the first") {
  TilesLab lab;
  lab.click_item("efficient.causal");
  lab.settle();
  CHECK(lab.shows("16 tiles, none is masked"));
  CHECK(lab.steps() == 1);
  lab.click_item("efficient.padding");
  lab.settle();
  CHECK(lab.document().layer().masks.size() == 1);
  CHECK(lab.shows("the layer of the Pipeline, 16 tokens"));
}

TEST_CASE("the pinned row of a query is the row followed") {
  TilesLab lab;
  lab.view().pinned = Spot{"scores", {0, 6, 2}};
  lab.frames(2);
  CHECK(lab.on_tile("1, 1", 6));
  lab.press_key(GLFW_KEY_DOWN);
  CHECK(lab.view().pinned->cell.row == 7);
}

TEST_CASE("a row without keys, a layer of masked keys alone, and what flash attention cannot compute") {
  Document document = tiled_tokens(8, false);
  std::vector<float> hidden(64, 0);
  for (std::size_t key = 0; key < 8; ++key) hidden[5 * 8 + key] = 1;
  document.layer().mask = Tensor({1, 8, 8}, hidden);
  TilesLab lab(document);
  lab.at().row = 5;
  lab.frames(2);
  CHECK(lab.shows("no key left: l = 0, o = 0"));
  CHECK_FALSE(lab.shows("NaN or ∞"));
  document.layer().mask = Tensor({1, 8, 8}, std::vector<float>(64, 1));
  TilesLab none(document);
  CHECK(none.shows("4 of 4 tiles are masked: skipped"));
  CHECK(none.shows("no key left: l = 0, o = 0"));
  none.press_key(GLFW_KEY_RIGHT);
  none.press_key(GLFW_KEY_SPACE);
  none.frames(34);
  document.layer().mask = {};
  document.layer().dropout = 0.5;
  TilesLab dropped(document);
  CHECK(dropped.text_in({{0, 0}, {1600, 1000}})
            .find("cannot compute this layer: dropout is drawn for each weight") != std::string::npos);
}

TEST_CASE("many lines scroll, with the present one in sight, and 512 tokens are drawn" *
          doctest::test_suite("unsanitized")) {
  TilesLab lab(tiled_tokens(600));
  lab.settle();
  CHECK(lab.shows("of 600"));
  lab.at().row = 500, lab.at().tile_column = 0;
  lab.frames(3);
  CHECK(lab.find_text("125, 0"));
  lab.at().tile_column = 125;
  lab.frames(4);
  CHECK(lab.find_text("125, 125"));
  CHECK_FALSE(lab.find_text("125, 0"));
  lab.settle();
  CHECK(lab.shows("all 512 rows: "));
}

TEST_CASE("numbers held are counted at this n and at that of the measurement") {
  TilesLab lab;
  // 4·4 + 4·(2 + 3); 16·3; 16².
  for (const char* number : {"36", "48", "256"}) CHECK(lab.find_text(number));
  CHECK(lab.find_text("16\u2009777\u2009216"));  // a space is read as the widest that it may be
}

TEST_CASE("a picture looks at a tile, or is told which there are") {
  const TemporaryFolder folder;
  const std::string file = folder / "tiles.png";
  const auto at = [&](const char* place) {
    return run_words({"render", "the-cat-sat-on-mat-causal", "--workspace", "efficient", "--at", place, "-o",
                      file, "--device", "reference"});
  };
  CHECK(at("0,0").status == 0);
  const Outcome outside = at("3,0");
  CHECK(outside.status != 0);
  CHECK(outside.err.find("there is no tile 3,0: there are 1 × 1, counted from 0") != std::string::npos);
  CHECK(at("0.5,0").err.find("whole numbers") != std::string::npos);
}

TEST_CASE("no words of the tiles lie on others, whatever the window") {
  for (const auto& [size, scale] : {std::pair{ImVec2(1600, 1000), 1.0f}, std::pair{ImVec2(1024, 640), 1.0f},
                                    std::pair{ImVec2(3200, 2000), 2.0f}}) {
    CAPTURE(size.x);
    TilesLab lab(tiled_tokens(64), size, scale);
    const Layout layout = check_words_fit(lab, size, scale);
    check_words_apart(lab, layout.canvas);
  }
}
