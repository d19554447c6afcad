// Before and after in large matrices: what is outlined is what changed, cell by cell where cells can be told
// from each other.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/app/grid_lab.h"
#include "tests/app/odd_documents.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct Triangle {
  ImVec2 a, b, c;
};

float side(ImVec2 p, ImVec2 q, ImVec2 at) {
  return (q.x - p.x) * (at.y - p.y) - (q.y - p.y) * (at.x - p.x);
}

bool holds(const Triangle& t, ImVec2 p) {
  const float u = side(t.a, t.b, p), v = side(t.b, t.c, p), w = side(t.c, t.a, p);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

// What is drawn in the colour of changes within an area.
std::vector<Triangle> drawn(GridLab& lab, Rect area) {
  std::vector<Triangle> found;
  const ImU32 colour = lab.theme().warning;
  const ImDrawData& data = lab.draw_data();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer)
      for (unsigned at = 0; at + 2 < command.ElemCount; at += 3) {
        const auto vertex = [&](unsigned k) -> const ImDrawVert& {
          const auto index = list.IdxBuffer[static_cast<int>(command.IdxOffset + at + k)];
          return list.VtxBuffer[static_cast<int>(command.VtxOffset + index)];
        };
        const Triangle t{vertex(0).pos, vertex(1).pos, vertex(2).pos};
        const bool near = area.contains(t.a) || area.contains(t.b) || area.contains(t.c);
        if (vertex(0).col == colour && near) found.push_back(t);
      }
  }
  return found;
}

bool covers(const std::vector<Triangle>& lines, ImVec2 p) {
  return std::ranges::any_of(lines, [&](const Triangle& t) { return holds(t, p); });
}

// `tokens` with 8 features; causal: what a key changes, it changes of the rows below alone.
Document tokens_of(std::size_t tokens) {
  Document document = projected(tokens, 8, 1);
  set_causal(document.layer(), CausalAlign::lower_right);
  return document;
}

void pin_and_change(GridLab& lab, const std::vector<Cell>& cells) {
  lab.settle();
  lab.key(GLFW_KEY_B);
  lab.frames(2);
  Document document = lab.document();
  for (const Cell cell : cells) document.layer().x = with_value(document.layer().x, cell, 3);
  lab.app().change(document);
  lab.settle();
  lab.frames(2);
}

Rect grown(Rect box, float by) {
  return {{box.min.x - by, box.min.y - by}, {box.max.x + by, box.max.y + by}};
}

// Between two neighbours there is a line just where one of them changed: on the side of the other.
void check_lines(GridLab& lab, const std::string& stage, const std::vector<std::vector<bool>>& changed) {
  const std::vector<Triangle> lines = drawn(lab, grown(lab.cells(stage), 20));
  const auto line_on = [&](std::size_t row, std::size_t column, ImVec2 towards) {
    const Rect box = lab.cell(stage, row, column);
    const ImVec2 middle = centre(box);
    const float x = box.width() / 2 - 0.5f, y = box.height() / 2 - 0.5f;
    return covers(lines, {std::round(middle.x + towards.x * x - 0.5f) + 0.5f,
                          std::round(middle.y + towards.y * y - 0.5f) + 0.5f});
  };
  const std::size_t rows = changed.size(), columns = changed[0].size();
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      INFO(stage << "[" << r << ", " << c << "]");
      CHECK_FALSE(covers(lines, centre(lab.cell(stage, r, c))));
      if (changed[r][c]) continue;
      if (c + 1 < columns) CHECK(line_on(r, c, {1, 0}) == changed[r][c + 1]);
      if (c > 0) CHECK(line_on(r, c, {-1, 0}) == changed[r][c - 1]);
      if (r + 1 < rows) CHECK(line_on(r, c, {0, 1}) == changed[r + 1][c]);
      if (r > 0) CHECK(line_on(r, c, {0, -1}) == changed[r - 1][c]);
    }
}

}  // namespace

TEST_CASE("outlines in a large matrix follow the cells that changed and no others") {
  GridLab lab(tokens_of(40), {2400, 2400});
  lab.view().canvas().filled = "x";
  pin_and_change(lab, {{0, 3, 1}, {0, 3, 4}, {0, 10, 0}, {0, 11, 0}, {0, 11, 1}, {0, 39, 7}});
  std::vector<std::vector<bool>> changed(40, std::vector<bool>(8, false));
  for (const auto& [row, column] : {std::pair(3, 1), {3, 4}, {10, 0}, {11, 0}, {11, 1}, {39, 7}})
    changed[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = true;
  REQUIRE(lab.cell("x", 0, 0).height() >= 8);
  check_lines(lab, "x", changed);
}

TEST_CASE("of large scores a changed token has its row and its column outlined") {
  GridLab lab(tokens_of(40), {2400, 2400});
  lab.view().canvas().filled = "scores";
  pin_and_change(lab, {{0, 17, 2}});
  std::vector<std::vector<bool>> changed(40, std::vector<bool>(40, false));
  for (std::size_t i = 0; i < 40; ++i) changed[17][i] = changed[i][17] = true;
  check_lines(lab, "scores", changed);
}

TEST_CASE("where cells are too small a changed triangle has one outline and nothing inside") {
  GridLab lab(tokens_of(400), {1600, 1000});
  lab.view().canvas().filled = "weights";
  pin_and_change(lab, {{0, 0, 2}});  // a key that every query sees
  const Rect cells = lab.cells("weights");
  REQUIRE(lab.cell("weights", 0, 0).height() < 3);
  const std::vector<Triangle> lines = drawn(lab, grown(cells, 20));
  const auto covered = [&](std::size_t row, std::size_t column) {
    return covers(lines, centre(lab.cell("weights", row, column)));
  };
  for (std::size_t row = 20; row < 400; row += 19)
    for (std::size_t column = 5; column + 10 < row; column += 13) CHECK_FALSE(covered(row, column));
  const float middle = (cells.min.y + cells.max.y) / 2;
  CHECK(covers(lines, {cells.min.x - 0.5f, middle}));                               // along column 0
  CHECK(covers(lines, {(3 * cells.min.x + cells.max.x) / 4, cells.max.y + 0.5f}));  // along the last row
  for (std::size_t i = 10; i < 390; i += 7) {  // and along the diagonal, within the pixels of a band
    INFO(i);
    const ImVec2 corner = lab.cell("weights", i, i).max;
    bool found = false;
    for (float x = -1.25f; x < 6; x += 0.5f)
      for (float y = -1.25f; y < 2; y += 0.5f) found = found || covers(lines, {corner.x + x, corner.y + y});
    CHECK(found);
  }
  CHECK_FALSE(covered(100, 300));
}

TEST_CASE("where cells are too small two changed columns have an outline each") {
  GridLab lab(tokens_of(400), {1600, 1000});
  lab.view().canvas().filled = "scores";
  pin_and_change(lab, {{0, 100, 2}, {0, 300, 2}});
  const Rect cells = lab.cells("scores");
  const float pitch = lab.cell("scores", 0, 0).height();
  REQUIRE(pitch < 3);
  const std::vector<Triangle> lines = drawn(lab, grown(cells, 20));
  const auto line_at = [&](std::size_t row, float x) {
    return covers(lines, {std::round(x) + 0.5f, centre(lab.cell("scores", row, 0)).y});
  };
  for (const std::size_t row : {50, 200, 350}) {
    INFO(row);
    for (const std::size_t column : {100, 300}) {
      const Rect cell = lab.cell("scores", row, column);
      CHECK(line_at(row, cell.min.x - 1));
      CHECK(line_at(row, cell.max.x));
    }
    CHECK_FALSE(line_at(row, cells.min.x));
    CHECK_FALSE(line_at(row, centre(cells).x));
    CHECK_FALSE(line_at(row, cells.max.x - 2));
  }
}
