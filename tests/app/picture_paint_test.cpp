// Backgrounds are cleared instead of drawn (app/host/paint.h): nobody may see the difference.
#include <algorithm>

#include "tests/app/picture_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr ImU32 kRed = IM_COL32(200, 10, 20, 255), kBlue = IM_COL32(20, 40, 220, 255);

// The program with something drawn over it.
Picture drawn_over(const std::function<void(ImDrawList&)>& draw) {
  Offscreen screen(
      {.document = read_document("three-tokens"), .settings = Settings{}, .size = {1024, 640}, .on_top = [&] {
         draw(*ImGui::GetForegroundDrawList());
       }});
  screen.app().view().timeless = true;  // the badge would say how long it took
  screen.lab().settle();
  return screen.picture();
}

// The same rectangle in strips that are too small to be cleared; they meet at pixel borders.
void fill_in_strips(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour) {
  for (float y = min.y; y < max.y; y = std::floor(y) + 1)
    list.AddRectFilled({min.x, y}, {max.x, std::min(std::floor(y) + 1, max.y)}, colour);
}

}  // namespace

TEST_CASE("a large rectangle covers the same pixels as small ones wherever its corners lie") {
  // An edge through the centres of pixels (0.5) is left out: there OpenGL lets each implementation choose.
  for (const float part : {0.0f, 0.25f, 0.4f, 0.6f, 0.75f}) {
    const ImVec2 min{100 + part, 80 + part}, max{500 - part, 400 + part};
    CAPTURE(part);
    CHECK(drawn_over([&](ImDrawList& list) { list.AddRectFilled(min, max, kRed); }) ==
          drawn_over([&](ImDrawList& list) { fill_in_strips(list, min, max, kRed); }));
  }
}

TEST_CASE("a large rectangle stays inside its clip rectangle and the picture") {
  const auto clipped = [](const auto& fill) {
    return drawn_over([&](ImDrawList& list) {
      list.PushClipRect({200, 100}, {600, 300});
      fill(list, ImVec2{-50, -50}, ImVec2{2000, 1500}, kRed);
      list.PopClipRect();
    });
  };
  const Picture cleared =
      clipped([](ImDrawList& list, ImVec2 a, ImVec2 b, ImU32 colour) { list.AddRectFilled(a, b, colour); });
  CHECK(pixel_at(cleared, {200, 100}) == pixel_of(kRed));
  CHECK(pixel_at(cleared, {599, 299}) == pixel_of(kRed));
  CHECK(pixel_at(cleared, {199, 150}) != pixel_of(kRed));
  CHECK(pixel_at(cleared, {600, 150}) != pixel_of(kRed));
  CHECK(cleared == clipped(fill_in_strips));
}

TEST_CASE("what is drawn before a large rectangle is hidden and what is drawn after it is seen") {
  const Picture picture = drawn_over([](ImDrawList& list) {
    list.AddRectFilled({100, 100}, {130, 130}, kBlue);
    list.AddRectFilled({90, 90}, {400, 400}, kRed);
    list.AddRectFilled({200, 200}, {230, 230}, kBlue);
    list.AddRectFilled({300, 80}, {600, 300}, kBlue);
    list.AddRectFilled({310, 90}, {340, 120}, kRed);
  });
  CHECK(pixel_at(picture, {115, 115}) == pixel_of(kRed));
  CHECK(pixel_at(picture, {215, 215}) == pixel_of(kBlue));
  CHECK(pixel_at(picture, {350, 200}) == pixel_of(kBlue));
  CHECK(pixel_at(picture, {325, 105}) == pixel_of(kRed));
  CHECK(pixel_at(picture, {350, 350}) == pixel_of(kRed));
}

TEST_CASE("large rectangles over parts of each other look as small ones do, with what lies between them") {
  const auto stacked = [](const auto& fill) {
    return drawn_over([&](ImDrawList& list) {
      fill(list, ImVec2{100, 100}, ImVec2{700, 500}, kRed);
      list.AddRectFilled({150, 150}, {650, 450}, with_alpha(kBlue, 0.5f));
      fill(list, ImVec2{200.25f, 200.4f}, ImVec2{600.6f, 400}, kBlue);
      list.AddRectFilled({190, 190}, {400, 210}, with_alpha(kRed, 0.5f));
      fill(list, ImVec2{500, 50}, ImVec2{800, 300}, kRed);
      fill(list, ImVec2{300, 250}, ImVec2{420, 600}, kBlue);
    });
  };
  CHECK(stacked([](ImDrawList& list, ImVec2 a, ImVec2 b, ImU32 colour) {
          list.AddRectFilled(a, b, colour);
        }) == stacked(fill_in_strips));
}

TEST_CASE("rounded corners and what shines through are still drawn") {
  const Picture picture = drawn_over([](ImDrawList& list) {
    list.AddRectFilled({100, 100}, {400, 400}, kRed);
    list.AddRectFilled({100, 100}, {400, 400}, with_alpha(kBlue, 0.5f));
    list.AddRectFilled({500, 100}, {800, 400}, kBlue, 40);
  });
  const Pixel mixed = pixel_at(picture, {250, 250});
  CHECK(distance(mixed, pixel_of(mix(kRed, kBlue, 0.5f))) <= 2);  // half is 127 of 255, and both round
  CHECK(pixel_at(picture, {502, 102}) != pixel_of(kBlue));
  CHECK(pixel_at(picture, {650, 250}) == pixel_of(kBlue));
}

TEST_CASE("texts are read back from a frame that has been painted") {
  Offscreen screen({.document = read_document("three-tokens"), .settings = Settings{}});
  const Headless plain({.document = read_document("three-tokens"), .settings = Settings{}});
  screen.app().view().timeless = true;
  screen.lab().settle();
  CHECK(screen.lab().find_text("weights"));
  CHECK(plain.find_text("weights"));
}
