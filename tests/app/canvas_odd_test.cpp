// Every panel with documents that are small, large, broken or unusual, at three sizes and two scales: nothing
// asserts, and what there is to see is seen.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include "app/host/headless.h"
#include "tests/app/odd_documents.h"

using namespace attn;
using namespace attn::tests;

namespace {

void check_at_all_sizes(const Document& document, const char* title) {
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1024, 640}, ImVec2{2560, 1440}})
    for (const float scale : {1.0f, 2.0f}) {
      CAPTURE(size.x);
      CAPTURE(scale);
      Headless lab({.document = document, .size = size, .scale = scale});
      lab.view().layer.show_parameters = lab.view().layer.open_softmax = true;
      lab.frames(2);
      CHECK(lab.shows(title));
      lab.key(GLFW_KEY_HOME);
      lab.view().canvas().zoom = 3;
      lab.frames(2);
      lab.move({size.x / 2, size.y / 2});
      lab.view().canvas().zoom = 0.3f;
      lab.frames(2);
      CHECK(lab.draw_data().TotalVtxCount > 0);
    }
}

}  // namespace

TEST_CASE("one token with one feature is a layer") {
  check_at_all_sizes(projected(1, 1, 1), "X");
}

TEST_CASE("64 heads each have a map and a chip") {
  check_at_all_sizes(projected(6, 64, 64), "X");
  Headless lab({.document = projected(6, 64, 64), .size = {1600, 1600}});
  std::size_t maps = 0;
  for (const Item& item : lab.items()) maps += item.path.find("heads/head ") != std::string::npos;
  CHECK(maps == 64);
}

TEST_CASE("numbers that are none are shown") {
  check_at_all_sizes(with_nan(), "X");
}

TEST_CASE("a layer in which everything is masked is shown") {
  check_at_all_sizes(all_masked(), "X");
}

TEST_CASE("cross-attention with fewer key heads and a bias is shown") {
  check_at_all_sizes(cross(), "X");
  Headless lab({.document = cross(), .size = {2560, 1440}});
  for (const char* title : {"M", "bias", "biased", "masked", "concat"})
    CHECK_MESSAGE(lab.find_text(title), title);
}

TEST_CASE("queries and keys and values given directly are shown") {
  check_at_all_sizes(direct(), "Q");
  Headless lab({.document = direct(), .size = {2560, 1440}});
  CHECK_FALSE(lab.find_text("X"));
  CHECK(lab.find_text("dropped"));
}

TEST_CASE("two hundred tokens are shown as pictures") {
  check_at_all_sizes(projected(200, 16, 2), "X");
}

TEST_CASE("nothing of the controls leaves their panel at 1024 x 640 and scale 2") {
  Headless lab({.document = cross(), .size = {1024, 640}, .scale = 2});
  REQUIRE(lab.reveal("##tokens"));
  const float right = 2 * (34 + 262);  // a strip, and what is open next to it
  for (const char* id : {"##tokens", "tokens-", "tokens+", "##keys", "##width"}) {
    const std::optional<Rect> box = lab.item(id);
    REQUIRE_MESSAGE(box, id);
    CHECK(box->min.x >= 0);
    CHECK(box->max.x <= right);
  }
}
