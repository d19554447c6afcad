// The regions of a frame that are drawn again: made of draw lists that differ in scattered places.
#include "app/host/damage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "app/theme/toolkit.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kTile = 32, kSide = 40 * kTile;  // of a tile and of the display

float area_of(Rect rect) {
  return rect.width() * rect.height();
}

// Of small squares in the middle of each of these places' tiles; within a running toolkit.
std::vector<Rect> regions(Damage& damage, const std::vector<ImVec2>& places, ImU32 colour) {
  ImDrawList list(ImGui::GetDrawListSharedData());
  list._ResetForNewFrame();
  list.PushClipRect({0, 0}, {kSide, kSide});
  for (const ImVec2 at : places) list.AddRectFilled(at, {at.x + 8, at.y + 8}, colour);
  ImDrawList* only = &list;
  ImDrawData data;
  set_list(data, only);
  data.DisplaySize = {kSide, kSide};
  return damage.restrict_to_changes(data, ~0u);
}

ImVec2 in_tile(int column, int row) {
  return {static_cast<float>(column) * kTile + 12, static_cast<float>(row) * kTile + 12};
}

// So many places in tiles of their own.
std::vector<ImVec2> scattered(std::size_t count, unsigned seed) {
  std::vector<ImVec2> all;
  for (int i = 0; i < 1600; ++i) all.push_back(in_tile(i % 40, i / 40));
  std::shuffle(all.begin(), all.end(), std::mt19937(seed));
  all.resize(count);
  return all;
}

float drawn_for(const std::vector<ImVec2>& places) {
  Damage damage;
  regions(damage, places, 0xff0000ff);
  float drawn = 0;
  for (const Rect region : regions(damage, places, 0xff00ff00)) drawn += area_of(region);
  return drawn;
}

}  // namespace

TEST_CASE("scattered changes are drawn in few regions that hold them all and do not overlap") {
  const Headless toolkit({.document = read_document("three-tokens"), .settings = Settings{}});
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::vector<ImVec2> places = scattered(1 + 3 * seed, seed);
    INFO(places.size(), " places");
    Damage damage;
    regions(damage, places, 0xff0000ff);
    const std::vector<Rect> changed = regions(damage, places, 0xff00ff00);
    CHECK(changed.size() <= 24);
    for (std::size_t i = 0; i < changed.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(changed[i], changed[j]));
    for (const ImVec2 place : places)
      CHECK(std::ranges::count_if(changed, [&](Rect region) {
              return overlap(region, {place, {place.x + 1, place.y + 1}});
            }) == 1);
  }
}

TEST_CASE("changes in two corners do not have all between them drawn again") {
  const Headless toolkit({.document = read_document("three-tokens"), .settings = Settings{}});
  std::vector<ImVec2> places;
  for (int i = 0; i < 40; ++i)  // a chequerboard of tiles in two corners
    for (const int corner : {0, 30})
      places.push_back(in_tile(corner + 2 * (i % 5) + i / 5 % 2, corner + i / 5));
  CHECK(drawn_for(places) <= 2 * 10 * 10 * kTile * kTile);
}

TEST_CASE("more changes than are worth joining one by one are drawn by squares and not all between them") {
  const Headless toolkit({.document = read_document("three-tokens"), .settings = Settings{}});
  std::vector<ImVec2> places;
  for (int i = 0; i < 200; ++i)  // a chequerboard of tiles in two corners
    for (const int corner : {0, 20})
      places.push_back(in_tile(corner + 2 * (i % 10) + i / 10 % 2, corner + i / 10));
  CHECK(drawn_for(places) <= 2 * 20 * 20 * kTile * kTile);
}

TEST_CASE("what changes below a large opaque rectangle is not drawn again and what reaches out of it is") {
  const Headless toolkit({.document = read_document("three-tokens"), .settings = Settings{}});
  const auto changes = [](ImVec2 at, ImU32 cover) {
    Damage damage;
    const auto frame = [&](ImU32 colour) {
      ImDrawList list(ImGui::GetDrawListSharedData());
      list._ResetForNewFrame();
      list.PushClipRect({0, 0}, {kSide, kSide});
      list.AddRectFilled(at, {at.x + 8, at.y + 8}, colour);
      list.AddRectFilled({100, 100}, {500, 500}, cover);
      ImDrawList* only = &list;
      ImDrawData data;
      set_list(data, only);
      data.DisplaySize = {kSide, kSide};
      return !damage.restrict_to_changes(data, ~0u).empty();
    };
    frame(0xff0000ff);
    return frame(0xff00ff00);
  };
  CHECK_FALSE(changes({200, 200}, 0xff000000));
  CHECK_FALSE(changes({100, 492}, 0xff000000));
  CHECK(changes({200, 200}, 0xfe000000));
  CHECK(changes({96, 200}, 0xff000000));
  CHECK(changes({492.5f, 200}, 0xff000000));
}
