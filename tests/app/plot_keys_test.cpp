// A plot without a mouse: focus, keys and the menu.
#include <algorithm>

#include "tests/app/plot_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Plot wave() {
  Plot plot{.id = "wave", .title = "wave"};
  plot.series = {function_curve("a", 50, 1, [](double x) { return 2 + std::sin(x); }),
                 function_curve("b", 50, 1, [](double x) { return 2 + std::cos(x); })};
  return plot;
}

// Tab has come to the plot.
void focus(PlotLab& lab) {
  lab->move({1590, 990});
  for (int i = 0; i < 3; ++i) lab->key(GLFW_KEY_TAB);
}

void choose(PlotLab& lab, const std::string& entry) {
  std::optional<Rect> found;  // the last one: menus are above everything
  for (const DrawnText& text : lab->texts())
    if (text.text == entry) found = text.box;
  INFO(entry);
  REQUIRE(found);
  lab->click(centre(*found));
  lab->frames(2);
}

void open_menu(PlotLab& lab) {
  lab->click(centre(lab.layout().inside), 1);
  lab->frames(2);
}

}  // namespace

TEST_CASE("keys do nothing to a plot without the focus") {
  PlotLab lab(wave());
  lab->move(centre(lab.layout().inside));
  for (const int key :
       {GLFW_KEY_LEFT, GLFW_KEY_UP, GLFW_KEY_EQUAL, GLFW_KEY_MINUS, GLFW_KEY_F, GLFW_KEY_ENTER})
    lab->key(key);
  CHECK_FALSE(lab.shown.view.x);
  CHECK_FALSE(lab.shown.view.y);
  CHECK_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_CASE("a plot is one stop of Tab and has a ring") {
  PlotLab lab(wave());
  const ImU32 ring = lab->theme().focus_ring;
  const auto has_ring = [&] {
    const ImDrawData& data = lab->draw_data();
    for (int i = 0; i < data.CmdListsCount; ++i)
      if (std::string_view(data.CmdLists[i]->_OwnerName) == "plots")
        for (const ImDrawVert& v : data.CmdLists[i]->VtxBuffer)
          if (v.col == ring) return true;
    return false;
  };
  CHECK_FALSE(has_ring());
  focus(lab);
  CHECK(has_ring());
}

TEST_CASE("arrows pan a focused plot by a tenth") {
  PlotLab lab(wave());
  const PlotRange x = lab.layout().x.range(), y = lab.layout().y.range();
  focus(lab);
  lab->key(GLFW_KEY_RIGHT);
  REQUIRE(lab.shown.view.x);
  CHECK(lab.shown.view.x->low == doctest::Approx(x.low + (x.high - x.low) / 10));
  CHECK_FALSE(lab.shown.view.y);
  lab->key(GLFW_KEY_LEFT);
  CHECK(lab.shown.view.x->low == doctest::Approx(x.low));
  lab->key(GLFW_KEY_UP);
  CHECK(lab.shown.view.y->low == doctest::Approx(y.low + (y.high - y.low) / 10));
  lab->key(GLFW_KEY_DOWN);
  CHECK(lab.shown.view.y->low == doctest::Approx(y.low));
}

TEST_CASE("plus and minus zoom a focused plot and F or Enter fits it") {
  for (const int fit : {GLFW_KEY_F, GLFW_KEY_ENTER}) {
    PlotLab lab(wave());
    const PlotRange x = lab.layout().x.range();
    focus(lab);
    lab->key(GLFW_KEY_EQUAL, {.shift = true});
    REQUIRE(lab.shown.view.x);
    CHECK(lab.shown.view.x->high - lab.shown.view.x->low == doctest::Approx((x.high - x.low) / 1.25));
    lab->key(GLFW_KEY_KP_SUBTRACT);
    lab->key(GLFW_KEY_MINUS);
    CHECK(lab.shown.view.x->high - lab.shown.view.x->low == doctest::Approx((x.high - x.low) * 1.25));
    lab->key(fit);
    CHECK_FALSE(lab.shown.view.x);
  }
}

TEST_CASE("the menu key opens the menu of a focused plot and Ctrl+C copies its data") {
  PlotLab lab(wave());
  focus(lab);
  lab->key(GLFW_KEY_C, {.control = true});
  CHECK(lab->clipboard.starts_with("x\ta\tx\tb\n0\t2\t0\t3\n"));
  lab->key(GLFW_KEY_F10, {.shift = true});
  CHECK(lab->shows("Copy the data"));
}

TEST_CASE("the menu of a plot copies and saves a picture and fits") {
  PlotLab lab(wave());
  open_menu(lab);
  choose(lab, "Copy the data");
  CHECK(lab->clipboard == plot_table(lab.shown.plot, lab.shown.view));
  open_menu(lab);
  lab.shown.all.clear();
  choose(lab, "Save as a picture…");
  const auto saved =
      std::ranges::find_if(lab.shown.all, [](const PlotEvents& e) { return e.picture.has_value(); });
  REQUIRE(saved != lab.shown.all.end());
  CHECK(saved->picture->area->min.x == 100);
  CHECK(saved->picture->area->max.y == 480);
  CHECK_FALSE(saved->picture->svg);
  open_menu(lab);
  lab.shown.all.clear();
  choose(lab, "Save as SVG…");
  CHECK(std::ranges::count_if(lab.shown.all,
                              [](const PlotEvents& e) { return e.picture && e.picture->svg; }) == 1);
  lab->wheel(centre(lab.layout().inside), 3);
  CHECK(lab.shown.view.x);
  open_menu(lab);
  choose(lab, "Fit to the data");
  CHECK_FALSE(lab.shown.view.x);
}

TEST_CASE("the menu of a plot makes axes logarithmic and linear again") {
  PlotLab lab(wave());
  lab->wheel(centre(lab.layout().inside), 2);
  open_menu(lab);
  choose(lab, "Logarithmic y axis");
  CHECK(lab.layout().y.log());
  CHECK_FALSE(lab.layout().x.log());
  CHECK_FALSE(lab.shown.view.y);
  open_menu(lab);
  choose(lab, "Logarithmic y axis");
  CHECK_FALSE(lab.layout().y.log());
  open_menu(lab);
  choose(lab, "Logarithmic x axis");
  CHECK(lab.layout().x.log());
  CHECK(lab.shows("2 samples not above 0"));
}

TEST_CASE("a locked range stays while data change until it is unlocked") {
  PlotLab lab(wave());
  const PlotRange before = lab.layout().y.range();
  open_menu(lab);
  choose(lab, "Lock the range");
  lab.shown.plot.series[0].y = samples({100, 200});
  lab->frames(2);
  CHECK(lab.layout().y.range() == before);
  lab->double_click(centre(lab.layout().inside));  // fits, and is locked there
  lab->frames(2);
  CHECK(lab.layout().y.range().high > 200);
  lab.shown.plot.series[0].y = samples({1, 2});
  lab->frames(2);
  CHECK(lab.layout().y.range().high > 200);
  open_menu(lab);
  choose(lab, "Lock the range");
  CHECK(lab.layout().y.range().high < 10);
}

TEST_CASE("the menu of a plot shows and hides series") {
  PlotLab lab(wave());
  open_menu(lab);
  choose(lab, "Show");
  choose(lab, "b");
  CHECK(lab.shown.view.hidden == std::set<std::string>{"b"});
  lab->key(GLFW_KEY_ESCAPE);
  lab->key(GLFW_KEY_ESCAPE);
  open_menu(lab);
  choose(lab, "Show");
  choose(lab, "all of them");
  CHECK(lab.shown.view.hidden.empty());
}
