// The matrices of the workspace of gradients and their sizes without a screen, for their tests.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/workspaces/gradients/view.h"
#include "core/gradients/graph.h"
#include "tests/app/workspace_lab.h"
#include "tests/random_layer.h"

namespace attn::tests {

class MatricesLab : public WorkspaceLab {
 public:
  explicit MatricesLab(Document document = read_document("the-cat-sat-on-mat-causal"),
                       ImVec2 size = {1600, 1000}, float scale = 1)
      : WorkspaceLab(
            kGradientsPlan.name,
            {.document = std::move(document), .settings = Settings{}, .size = size, .scale = scale}) {}
  const GradientsPlaces& places() { return *results()->places.as<GradientsPlaces>(); }
  GradientsView& gradients() { return view().of<GradientsView>(); }
  std::string id(StageIndex stage) { return results()->graph.stages[stage].id; }
  std::string id_beneath(StageIndex stage) { return id(*places().beneath(stage)); }
  Tensor numbers(const std::string& stage) { return results()->output(stage); }
  StageIndex of_role(Role role) { return *results()->graph.find(role, places().part); }
  std::vector<StageIndex> shown() {
    std::vector<StageIndex> all;
    for (const auto& some : {places().tokens, places().projected, places().attention})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }
  Rect cells(const std::string& stage) {
    const auto box = item(stage + "/cells");
    INFO(stage);
    REQUIRE(box);
    return *box;
  }
  Rect cell(const std::string& stage, std::size_t row, std::size_t column) {
    const Rect all = cells(stage);
    const Shape shape = results()->result(stage).shape();
    const float width = all.width() / static_cast<float>(shape.columns),
                height = all.height() / static_cast<float>(shape.rows);
    const ImVec2 min{all.min.x + width * static_cast<float>(column),
                     all.min.y + height * static_cast<float>(row)};
    return {min, {min.x + width, min.y + height}};
  }
  std::string number_in(const std::string& stage, std::size_t row, std::size_t column) {
    return text_in(cell(stage, row, column));
  }
  ImU32 ink_in(const std::string& stage, std::size_t row, std::size_t column) {
    const Rect box = cell(stage, row, column);
    for (const DrawnText& text : texts())
      if (box.contains(centre(text.box))) return text.colour;
    FAIL("no number in " << stage);
    return 0;
  }
  std::size_t texts_with(const std::string& part) {
    const std::vector<DrawnText> all = texts();
    return static_cast<std::size_t>(std::ranges::count_if(
        all, [&](const DrawnText& text) { return text.text.find(part) != std::string::npos; }));
  }
  // Whether that cell has an outline of that colour.
  bool outlined(const std::string& stage, std::size_t row, std::size_t column, ImU32 colour) {
    const Rect box = cell(stage, row, column);
    const ImDrawData& data = draw_data();
    const auto near_corner = [&](const ImDrawVert& vertex) {
      return vertex.col == colour && std::abs(vertex.pos.x - box.min.x) < 2 &&
             std::abs(vertex.pos.y - box.min.y) < 2;
    };
    for (int i = 0; i < data.CmdListsCount; ++i)
      if (std::ranges::any_of(data.CmdLists[i]->VtxBuffer, near_corner)) return true;
    return false;
  }
  Rect canvas() { return make_layout(ImGui::GetIO().DisplaySize, theme(), view().settings).canvas; }
  // Whether all of it is in sight.
  bool sees_whole(const std::string& path) {
    const auto box = item(path);
    return box && canvas().contains(box->min) && canvas().contains(box->max);
  }
  // What the pointer is told over a bar.
  bool bar_says(const std::string& bar, const std::string& words) {
    const auto box = item("sizes/" + bar);
    INFO(bar);
    REQUIRE(box);
    move(centre(*box));
    frames(40);
    return shows(words);
  }
};

// The largest magnitude of a matrix, or of one row of it.
inline Cell largest_in(const Tensor& numbers, std::optional<std::size_t> row = {}, std::size_t matrix = 0) {
  Cell most{matrix, row.value_or(0), 0};
  for (std::size_t i = 0; i < numbers.rows(); ++i)
    for (std::size_t j = 0; j < numbers.columns(); ++j)
      if ((!row || *row == i) && std::abs(numbers[{matrix, i, j}]) > std::abs(numbers[most]))
        most = {matrix, i, j};
  return most;
}

// Five tokens, eight heads of queries, four of which share keys and values.
inline Document grouped_document() {
  Random random(5);
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = normal(random, {1, 5, 16}), layer.w_q = normal(random, {1, 16, 16});
  layer.w_k = normal(random, {1, 16, 4}), layer.w_v = normal(random, {1, 16, 4});
  layer.heads = 8, layer.kv_heads = 2;
  return document;
}

}  // namespace attn::tests
