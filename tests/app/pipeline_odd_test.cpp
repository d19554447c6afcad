// Every panel with documents that are small, large, broken or unusual, at three sizes and two scales: nothing
// asserts, and what there is to see is seen.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "app/host/headless.h"
#include "app/input.h"

using namespace attn;

namespace {

Tensor filled(Shape shape) {
  std::vector<float> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 31) % 17) / 8 - 1;
  return {shape, std::move(values)};
}

Document projected(std::size_t tokens, std::size_t width, std::size_t heads) {
  Document document;
  LayerSpec& layer = document.layer;
  layer.x = filled({1, tokens, width});
  layer.w_q = filled({1, width, width}), layer.w_k = filled({1, width, width});
  layer.w_v = filled({1, width, width}), layer.w_o = filled({1, width, width});
  layer.heads = layer.kv_heads = heads;
  return document;
}

Document with_nan() {
  Document document = read_document("the-cat-sat-on-mat");
  document.layer.x = with_value(document.layer.x, {0, 1, 1}, std::numeric_limits<float>::quiet_NaN());
  document.layer.x = with_value(document.layer.x, {0, 3, 2}, std::numeric_limits<float>::infinity());
  return document;
}

Document all_masked() {
  Document document = read_document("the-cat-sat-on-mat");
  document.layer.padding = {0};
  return document;
}

Document cross() {
  Document document = projected(3, 4, 2);
  document.layer.memory = filled({1, 6, 4});
  document.layer.kv_heads = 1;
  document.layer.w_k = filled({1, 4, 2}), document.layer.w_v = filled({1, 4, 2});
  document.layer.causal = CausalAlign::lower_right;
  document.layer.bias = filled({1, 3, 6});
  return document;
}

Document direct() {
  Document document;
  LayerSpec& layer = document.layer;
  layer.direct = true;
  layer.q = filled({2, 4, 3}), layer.k = filled({2, 5, 3}), layer.v = filled({2, 5, 2});
  layer.dropout = 0.3;
  return document;
}

void check_at_all_sizes(const Document& document, const char* title) {
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1024, 640}, ImVec2{2560, 1440}})
    for (const float scale : {1.0f, 2.0f}) {
      CAPTURE(size.x);
      CAPTURE(scale);
      Headless lab({.document = document, .size = size, .scale = scale});
      lab.view().show_parameters = lab.view().open_softmax = true;
      lab.frames(2);
      CHECK(lab.shows(title));
      lab.view().step = 3;
      lab.view().zoom = 3;
      lab.frames(2);
      lab.move({size.x / 2, size.y / 2});
      lab.view().zoom = 0.3f;
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
  const float right = centre(*lab.item("##left")).x;
  for (const char* id : {"##tokens", "tokens-", "tokens+", "##keys", "##width"}) {
    const std::optional<Rect> box = lab.item(id);
    REQUIRE_MESSAGE(box, id);
    CHECK(box->min.x >= 0);
    CHECK(box->max.x <= right);
  }
  CHECK(right > 2 * 120);
}
