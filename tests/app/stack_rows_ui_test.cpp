// The rows of a stack's layers as a person uses them: maps, what is measured beside them, the layer that is
// looked at.
#include <cmath>

#include "core/edits/edit.h"
#include "core/transformer/made.h"
#include "tests/app/stack_rows_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document dates_of(StackSizes sizes) {
  Document document = dates_document();
  document.transformer = made_stack(document.transformer, sizes, 7);
  return document;
}

void keep_tokens(StackSide& side, std::size_t count) {
  side.tokens.resize(count);
  std::vector<float> ids(side.ids.values().begin(),
                         side.ids.values().begin() + static_cast<std::ptrdiff_t>(count));
  side.ids = Tensor({1, count, 1}, std::move(ids));
}

}  // namespace

TEST_CASE("a click on a map of a stack pins its head, its layer and the row in it") {
  StackRowsLab lab;
  lab.click(StackRowsLab::cell(lab.map(1, 3), 11, 11, 4, 10));
  lab.frames(2);
  CHECK(lab.view().layer.head == 3);
  CHECK(lab.look().layer == 1);
  CHECK(lab.look().row == 4);
  CHECK(lab.view().pinned == Spot{"encoder.1.weights", {3, 4, 10}});
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK_FALSE(lab.view().pinned);
  CHECK(lab.look().row == 4);
}

TEST_CASE("maps of many tokens are clicked as small ones are") {
  Document document = read_document("the-cat-sat-on-mat");
  set_token_count(document, 120);
  StackRowsLab lab(document);
  lab.click(StackRowsLab::cell(lab.map(1, 0), 120, 120, 57, 3));
  lab.frames(2);
  CHECK(lab.look().layer == 1);
  REQUIRE(lab.view().pinned);
  CHECK(lab.view().pinned->stage == "encoder.1.weights");
  // A row is less than a pixel high.
  CHECK(std::abs(static_cast<int>(lab.look().row) - 57) <= 2);
}

TEST_CASE("a map of a stack is pressed by the keyboard") {
  StackRowsLab lab;
  for (int i = 0; i < 200 && lab.look().layer != 2; ++i) {
    lab.key(GLFW_KEY_TAB);
    if (i % 8 == 7) lab.key(GLFW_KEY_ENTER);
    if (lab.view().layer.head != 0 || lab.look().layer != 0) break;
  }
  CHECK((lab.view().layer.head != 0 || lab.look().layer != 0));
}

TEST_CASE("the pointer over a map of a stack says the weight with its tokens") {
  StackRowsLab lab;
  lab.move(StackRowsLab::cell(lab.map(1, 3), 11, 11, 4, 10));
  lab.frames(60);
  CHECK(lab.shows("“a” → “7”: 0.1069"));
  CHECK(lab.shows("entropy 1.905 nats"));
  CHECK(lab.view().hovered == Spot{"encoder.1.weights", {3, 4, 10}});
}

TEST_CASE("what is measured of every layer of the dates is numpy's") {
  StackRowsLab lab;
  const char* const rows[][12] = {
      {"1.89", "2.00", "2.05", "1.90", "0.14", "0.13", "0.17", "0.18", "5.07", "×1.91", "0.02", "+0.06"},
      {"1.91", "2.15", "1.90", "1.90", "0.20", "0.14", "0.17", "0.17", "6.94", "×1.37", "0.04", "+0.01"},
      {"1.88", "1.75", "2.08", "2.21", "0.15", "0.20", "0.16", "0.16", "8.64", "×1.24", "0.05", "+0.01"},
      {"1.99", "2.02", "1.84", "1.90", "0.15", "0.16", "0.16", "0.14", "9.74", "×1.13", "0.00", "−0.04"}};
  for (std::size_t layer = 0; layer < 4; ++layer) {
    const std::string text = " " + lab.text_in(lab.row(layer)) + " ";
    INFO(text);
    for (const char* number : rows[layer]) {
      INFO(number);
      CHECK(text.find(std::string(" ") + number + " ") != std::string::npos);
    }
  }
}

TEST_CASE("all maps of a stack have one range at or above their largest weight") {
  StackRowsLab lab;
  float most = 0;
  const StackStages places = lab.places();
  for (const BlockStages& block : places.encoder->blocks) {
    const Tensor weights = lab.results()->outputs[block.boxes[0].layer->weights].whole();
    for (const float weight : weights.values()) most = std::max(most, weight);
  }
  CHECK(most <= 0.9f);
  CHECK(most > 0.8f);
  CHECK(lab.shows("weights of each head, 0…0.9"));
}

TEST_CASE("the wheel over the rows moves the layer as far as there are layers") {
  StackRowsLab lab;
  const ImVec2 at = centre(lab.map(0, 1));
  lab.wheel(at, -1);
  CHECK(lab.look().layer == 1);
  for (int i = 0; i < 6; ++i) lab.wheel(at, -1);
  CHECK(lab.look().layer == 3);
  lab.wheel(at, 1);
  CHECK(lab.look().layer == 2);
}

TEST_CASE("the wheel over the squares of the diagram moves the layer too") {
  StackRowsLab lab;
  const auto square = lab.item("layer 2");
  REQUIRE(square);
  lab.wheel(centre(*square), -1);
  CHECK(lab.look().layer == 1);
  lab.wheel(centre(*square), 1);
  CHECK(lab.look().layer == 0);
}

TEST_CASE("beside its maps a row is clicked as a whole") {
  StackRowsLab lab;
  const Rect row = lab.row(2);
  lab.click({row.min.x + 12, (row.min.y + row.max.y) / 2});
  lab.frames(2);
  CHECK(lab.look().layer == 2);
  CHECK(lab.view().layer.head == 0);
}

TEST_CASE("rows that have no room scroll to the layer that is looked at") {
  StackRowsLab lab(dates_of({.layers = 20, .heads = 16, .inner = 64}));
  CHECK(lab.item(StackRowsLab::map_path(0, 15)));
  CHECK_FALSE(lab.item(StackRowsLab::map_path(19, 0)));
  CHECK(lab.shows("of 20, wheel"));
  const ImVec2 at = centre(lab.map(0, 1));
  for (int i = 0; i < 19; ++i) lab.wheel(at, -1);
  lab.frames(2);
  CHECK(lab.look().layer == 19);
  CHECK(lab.item(StackRowsLab::map_path(19, 0)));
  CHECK_FALSE(lab.item(StackRowsLab::map_path(0, 0)));
}

TEST_CASE("a layer whose attention is off says so and has no maps") {
  Document document = dates_document();
  document.transformer.encoder.blocks[2].off = {0};
  StackRowsLab lab(document);
  CHECK_FALSE(lab.item(StackRowsLab::map_path(2, 0)));
  CHECK(lab.text_in(lab.row(2)).find("off") != std::string::npos);
  CHECK(lab.item(StackRowsLab::map_path(3, 0)));
}

TEST_CASE("cross-attention has a column for each key of the memory") {
  StackRowsLab lab;
  lab.show_rows(StackRows::cross);
  CHECK(lab.shows("decoder to encoder, layer by layer"));
  const Rect map = lab.map(0, 0);
  CHECK(std::abs(map.width() / map.height() - 1.1f) < 0.02f);  // 10×11
  lab.click(StackRowsLab::cell(map, 10, 11, 6, 3));
  CHECK(lab.view().pinned == Spot{"decoder.0.cross_weights", {0, 6, 3}});
}

TEST_CASE("a sink above one half is named by its token") {
  Document document = dates_document();
  keep_tokens(document.transformer.decoder,
              2);  // causal: the first key has all of one row and a part of the other
  StackRowsLab lab(document);
  lab.show_rows(StackRows::decoder);
  for (std::size_t layer = 0; layer < 4; ++layer)
    CHECK(lab.text_in(lab.row(layer)).find("‹s›") != std::string::npos);
}

TEST_CASE("of a stream that is no number nothing is measured as if it were") {
  Document document = dates_document();
  document.overrides.push_back({std::string(kStackPlan.name), "encoder.input", {{0, 1, 0}, std::nanf("")}});
  StackRowsLab lab(document);
  for (std::size_t layer = 0; layer < 4; ++layer) {
    INFO(lab.text_in(lab.row(layer)));
    const std::string text = lab.text_in(lab.part("rows/measures " + std::to_string(layer)));
    CHECK(text.find("–") != std::string::npos);
    CHECK(text.find_first_of("0123456789") == std::string::npos);
  }
}

TEST_CASE("of one token nothing is alike") {
  Document document = dates_document();
  keep_tokens(document.transformer.encoder, 1);
  StackRowsLab lab(document);
  CHECK(lab.text_in(lab.row(0)).find("–") != std::string::npos);
  CHECK(lab.shows("one token: rank 1 is all of it"));
}

TEST_CASE("no words of the rows lie on others at any size") {
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1024, 640}, ImVec2{2000, 1100}}) {
    StackRowsLab lab(dates_document(), size);
    INFO(size.x);
    lab.view().canvas().reveal = "encoder.0.weights";
    lab.frames(3);
    check_words_apart(lab, lab.row(0));
  }
}
