// The tiles of flash attention without a screen, for their tests.
#pragma once

#include "app/workspaces/efficient/view.h"
#include "core/efficient/graph.h"
#include "tests/app/workspace_lab.h"
#include "tests/random_layer.h"

namespace attn::tests {

// So many tokens of four numbers, causal or not, whose tiles are 4×4.
inline Document tiled_tokens(std::size_t n, bool causal = true) {
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = drawn({1, n, 4}, 7);
  layer.w_q = drawn({1, 4, 4}, 8), layer.w_k = drawn({1, 4, 4}, 9), layer.w_v = drawn({1, 4, 3}, 10);
  if (causal) set_causal(layer, CausalAlign::lower_right);
  document.efficient.tile_rows = document.efficient.tile_columns = 4;
  return document;
}

class TilesLab : public WorkspaceLab {
 public:
  explicit TilesLab(Document document = tiled_tokens(16), ImVec2 size = {1600, 1000}, float scale = 1)
      : WorkspaceLab(
            kEfficientPlan.name,
            {.document = std::move(document), .settings = Settings{}, .size = size, .scale = scale}) {
    at().row = 9, at().tile_column = 1;
    frames(2);
  }
  EfficientView& at() { return view().of<EfficientView>(); }
  bool on_tile(const std::string& tile, std::size_t row) {
    return find_text("tile " + tile + " · row " + std::to_string(row)).has_value();
  }
  Rect map() {
    const auto box = item("flash/tiles");
    REQUIRE(box);
    return *box;
  }
  // The middle of a tile, of so many a side.
  ImVec2 tile(std::size_t row, std::size_t column, std::size_t count = 4) {
    const Rect box = map();
    const auto at = [&](float from, float length, std::size_t i) {
      return from + length * (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
    };
    return {at(box.min.x, box.width(), column), at(box.min.y, box.height(), row)};
  }
  void press_key(int key, Modifiers modifiers = {}) {
    this->key(key, modifiers);
    frames(2);
  }
};

}  // namespace attn::tests
