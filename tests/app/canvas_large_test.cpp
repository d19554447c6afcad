// Layers of many tokens: every stage in sight from the start, the strongest of too many arcs, and colours
// that reach as far as the weights.
#include <algorithm>
#include <span>

#include "app/program/input.h"
#include "tests/app/grid_lab.h"
#include "tests/app/odd_documents.h"
#include "tests/sanitized.h"

using namespace attn;
using namespace attn::tests;

namespace {

const ImVec2 kLargeSizes[] = {{1600, 1000}, {1024, 640}, {2560, 1440}};

// What the canvas shows: matrices, arcs and maps of heads.
std::vector<Item> pictures(const Headless& lab) {
  std::vector<Item> found;
  for (const Item& item : lab.items())
    if (item.path.ends_with("/cells") || item.path.ends_with("/arcs") ||
        item.path.find("heads/head ") != std::string::npos)
      found.push_back(item);
  return found;
}

float area(const Rect& r) {
  return r.width() * r.height();
}

// A window of 512 × 320 points has no room for all of it: there the canvas scrolls.
void check_all_in_sight(Headless& lab) {
  REQUIRE(lab.item("empty"));
  const bool roomy = ImGui::GetIO().DisplaySize.y / lab.theme().scale >= 500;
  const Rect canvas = *lab.item("empty");
  const std::vector<Item> all = pictures(lab);
  CHECK(all.size() >= (roomy ? 8 : 4));
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i].path);
    if (roomy) {
      CHECK(all[i].box.min.x >= canvas.min.x);
      CHECK(all[i].box.max.x <= canvas.max.x);
      CHECK(all[i].box.min.y >= canvas.min.y);
      CHECK(all[i].box.max.y <= canvas.max.y);
    }
    CHECK(area(all[i].box) > 16);
    for (std::size_t j = 0; j < i; ++j) {
      CAPTURE(all[j].path);
      CHECK_FALSE(overlap(all[i].box, all[j].box));
    }
  }
  if (!roomy) return;
  const Rect weights = *lab.item("weights/cells");
  for (const Item& item : all)
    if (item.path.ends_with("/cells")) CHECK_MESSAGE(area(item.box) <= area(weights), item.path);
}

void check_at_all_sizes(const Document& document) {
  for (const ImVec2 size : kLargeSizes)
    for (const float scale : {1.0f, 2.0f}) {
      CAPTURE(size.x);
      CAPTURE(scale);
      GridLab lab(document, size, scale);
      CHECK(lab.view().canvas().all_in_sight);
      check_all_in_sight(lab);
      for (const char* title : {"X", "Q", "K", "V"}) CHECK_MESSAGE(lab.find_text(title), title);
    }
}

// The range next to the colour bar of a stage, and what is offered there.
std::string text_at_colour_bar(GridLab& lab, const std::string& stage) {
  const Rect cells = lab.cells(stage);
  return lab.text_in({{cells.min.x - 2, cells.max.y}, {cells.min.x + 600, cells.max.y + 22}});
}

}  // namespace

TEST_CASE("thirty tokens of sixteen features are all in sight") {
  check_at_all_sizes(projected(30, 16, 1));
}

TEST_CASE("eight heads of 64 tokens are all in sight") {
  check_at_all_sizes(projected(64, 512, 8));
}

TEST_CASE("eight heads of 1024 tokens are all in sight" * doctest::test_suite("unsanitized")) {
  Document document = projected(1024, 512, 8);
  for (const ImVec2 size : std::span(kLargeSizes).first(kSanitized ? 1 : std::size(kLargeSizes))) {
    CAPTURE(size.x);
    GridLab lab(document, size);
    check_all_in_sight(lab);
    lab.set_scale(2);
    lab.frames(2);
    check_all_in_sight(lab);
  }
}

TEST_CASE("up to 24 tokens a canvas starts with numbers to be read") {
  GridLab few(projected(24, 8, 1)), many(projected(25, 8, 1));
  CHECK_FALSE(few.view().canvas().all_in_sight);
  CHECK(many.view().canvas().all_in_sight);
}

TEST_CASE("many keys of few queries are all in sight as well") {
  Document document = cross();
  document.layer().memory = projected(40, 4, 1).layer().x;
  document.layer().bias = {};
  GridLab lab(document);
  CHECK(lab.view().canvas().all_in_sight);
}

TEST_CASE("Shift and F go from all in sight to larger matrices and back") {
  GridLab lab(projected(64, 16, 1));
  const Rect small = lab.cells("x");
  lab.key(GLFW_KEY_F, {.shift = true});
  lab.frames(2);
  CHECK_FALSE(lab.view().canvas().all_in_sight);
  CHECK(area(lab.cells("x")) > area(small));
  lab.key(GLFW_KEY_F);
  lab.frames(2);
  CHECK_FALSE(lab.view().canvas().all_in_sight);  // F fits what there is
  lab.key(GLFW_KEY_F, {.shift = true});
  lab.frames(2);
  CHECK(area(lab.cells("x")) == area(small));
}

TEST_CASE("the chip of the controls shows all in sight and belongs to the work") {
  GridLab lab;
  CHECK_FALSE(lab.view().canvas().all_in_sight);
  lab.click_item("show all");
  lab.frames(2);
  CHECK(lab.view().canvas().all_in_sight);
  lab.app().open("three-tokens");
  lab.settle();
  CHECK_FALSE(lab.view().canvas().all_in_sight);
  lab.app().undo();
  lab.settle();
  CHECK(lab.view().canvas().all_in_sight);
}

TEST_CASE("a step leads to its stage where all in sight is zoomed") {
  GridLab lab(projected(64, 64, 8));
  lab.view().canvas().zoom = 4;
  lab.view().canvas().loose = true;
  lab.key(GLFW_KEY_END);
  lab.frames(20);
  CHECK(lab.view().canvas().scroll_y > 0);
}

TEST_CASE("of too many links the strongest of all rows are drawn and counted") {
  Document document = projected(64, 16, 1);
  document.layer().temperature = 1e3;  // no weight is 0
  GridLab lab(document);
  CHECK(lab.shows("64 of 4\u2009096"));
  const Rect arcs = *lab.item("arcs");
  bool found = false;
  for (float y = arcs.min.y; y < arcs.max.y && !found; y += 2) {
    lab.move({(arcs.min.x + arcs.max.x) / 2, y});
    found = lab.view().hovered && lab.view().hovered->stage == "weights";
  }
  CHECK(found);
}

TEST_CASE("a layer of few links draws them all and counts none") {
  GridLab lab(projected(30, 16, 1));
  CHECK_FALSE(lab.shows("strongest"));
}

TEST_CASE("a nearly black map offers its own range and takes it at a click") {
  Document document = projected(64, 16, 1);
  document.layer().temperature = 1e3;  // weights of 1/64
  GridLab lab(document);
  CHECK(text_at_colour_bar(lab, "weights").find("0…1") != std::string::npos);
  CHECK(text_at_colour_bar(lab, "weights").find("0.02") != std::string::npos);  // 1/64 in two digits
  lab.click_item("weights/own range");
  lab.frames(2);
  CHECK(lab.view().settings.weight_range == WeightRange::own);
  CHECK(text_at_colour_bar(lab, "weights").find("0…0.02") != std::string::npos);
  CHECK_FALSE(lab.item("weights/own range"));
}

TEST_CASE("a map that is not black offers nothing") {
  GridLab lab;
  CHECK_FALSE(lab.item("weights/own range"));
}

TEST_CASE("weights are coloured to one or to the largest of their head or of the layer") {
  const Document document = projected(40, 8, 2);
  GridLab lab(document);
  const Summary& summary = lab.results()->summaries[*lab.results()->graph.find("weights")];
  const auto range_of_head = [&](std::size_t head) {
    lab.view().layer.head = head;
    lab.frames(2);
    lab.click_item("weights/range");  // locked: the range is kept as it is
    REQUIRE(lab.view().grid.locked_ranges.size() == 1);
    const float range = lab.view().grid.locked_ranges[0].second;
    lab.click_item("weights/range");
    return range;
  };
  CHECK(range_of_head(1) == 1);
  lab.view().settings.weight_range = WeightRange::own;
  CHECK(range_of_head(0) == summary.matrices[0].most);
  CHECK(range_of_head(1) == summary.matrices[1].most);
  lab.view().settings.weight_range = WeightRange::shared;
  CHECK(range_of_head(0) == summary.all.most);
  CHECK(range_of_head(1) == summary.all.most);
}
