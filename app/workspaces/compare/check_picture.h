// What the pictures of mistakes share. Private to app/workspaces/compare/check_picture*.cpp.
#pragma once

#include <string>

#include "app/workspaces/compare/check_shown.h"
#include "core/attention/layer.h"

namespace attn {

struct PictureScene {
  Frame& frame;
  const Results& results;                  // ours, and yours beside them
  const Tried& tried;                      // what is shown of
  const Results* mistaken = nullptr;       // ours with it; null: not computed yet
  std::optional<StageVerdict> first = {};  // the stage that differs first
  Cell cell = {};                          // that is looked at

  const Theme& theme() const { return frame.theme; }
  ImDrawList& list() const { return *ImGui::GetWindowDrawList(); }
  const LayerSpec& ours() const { return results.document.layer(); }
  const LayerStages& places() const { return *results.graph.parts.front().stages; }
  const Stage& stage(StageIndex index) const { return results.graph.stages[index]; }
  // Words for a query's token, and a key's.
  std::string query(std::size_t row) const;
  std::string key(std::size_t column) const;
};

// Side by side, yours and ours, each under its caption; a line of words remains below.
struct PictureHalves {
  Rect yours, ours, words;
};
// Draws title and captions. Room that rows have for labels is kept at the left of each half. `most`: as high
// as the halves may be, in pixels; the words stand right below them.
PictureHalves picture_halves(const PictureScene& scene, Rect area, const std::string& title,
                             const std::string& yours, const std::string& ours, float most);
void draw_picture_words(const PictureScene& scene, Rect line, const std::string& words);
// Rows or columns that fit, with the one that is looked at among them.
struct PictureWindow {
  std::size_t first = 0, count = 0;
};
PictureWindow window_around(std::size_t of, std::size_t most, std::size_t at);

// Which of these is to be shown is told from what the mistakes change of the layer.
bool draws_heads(const PictureScene& scene);
void draw_heads_picture(PictureScene& scene, Rect area);
void draw_mask_picture(PictureScene& scene, Rect area);
void draw_axis_picture(PictureScene& scene, Rect area);
void draw_pairing_picture(PictureScene& scene, Rect area);
void draw_scatter_picture(PictureScene& scene, Rect area);

}  // namespace attn
