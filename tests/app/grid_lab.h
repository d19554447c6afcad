// A headless window with the start example, for the tests of the matrix grid.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "app/host/headless.h"
#include "app/theme/toolkit.h"
#include "core/edits/edit.h"
#include "tests/layers.h"

namespace attn::tests {

// Four tokens of four features, one head, a causal mask.
inline Document small_document() {
  Document document;
  LayerSpec& layer = document.layer();
  std::vector<float> x(16), w(16);
  for (std::size_t i = 0; i < 16; ++i) {
    x[i] = 0.25f * static_cast<float>(i % 7) - 0.5f;
    w[i] = 0.5f - 0.125f * static_cast<float>(i % 5);
  }
  layer.x = Tensor({1, 4, 4}, x);
  layer.w_q = layer.w_k = layer.w_v = Tensor({1, 4, 4}, w);
  layer.tokens = {"a", "b", "c", "d"};
  set_causal(layer, CausalAlign::lower_right);
  return document;
}

inline bool overlap(const Rect& a, const Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

class GridLab : public Headless {
 public:
  explicit GridLab(Document document = small_document(), ImVec2 size = {1600, 1000}, float scale = 1)
      : Headless({.document = std::move(document), .settings = Settings{}, .size = size, .scale = scale}) {}

  const LayerSpec& layer() const { return document().layer(); }
  std::size_t steps() { return app().history().steps().size() - 1; }
  std::string step_name() { return app().history().steps().back().name; }

  // All cells of a stage on screen.
  Rect cells(const std::string& stage) {
    const auto box = item(stage + "/cells");
    INFO(stage);
    REQUIRE(box);
    return *box;
  }
  Rect cell(const std::string& stage, std::size_t row, std::size_t column) {
    const Rect all = cells(stage);
    const Shape shape = shape_of(stage);
    const float width = all.width() / static_cast<float>(shape.columns);
    const float height = all.height() / static_cast<float>(shape.rows);
    const ImVec2 min{all.min.x + width * static_cast<float>(column),
                     all.min.y + height * static_cast<float>(row)};
    return {min, {min.x + width, min.y + height}};
  }
  ImVec2 at(const std::string& stage, std::size_t row, std::size_t column) {
    return centre(cell(stage, row, column));
  }
  // Of what is drawn: inputs are the document's, the rest are results.
  Shape shape_of(const std::string& stage) {
    if (const Tensor* input = input_tensor(document(), stage)) return input->shape();
    return results()->result(stage).shape();
  }
  float x(std::size_t row, std::size_t column) const { return layer().x[{0, row, column}]; }
  float computed(const std::string& stage, std::size_t row, std::size_t column) {
    return results()->result(stage)[{0, row, column}];
  }
  std::optional<Spot> selected() {
    if (!view().grid.selection) return std::nullopt;
    return Spot{view().grid.selection->anchor.stage, view().grid.selection->cursor};
  }
};

inline Spot spot(const std::string& stage, std::size_t row, std::size_t column) {
  return {stage, {0, row, column}};
}

}  // namespace attn::tests
