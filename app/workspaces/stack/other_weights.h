// What the parts of "weights are not an explanation" share: a row of a head's weights, and others with the
// same output. Private to app/workspaces/stack.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/workspaces/stack/scene.h"
#include "core/stack/kept_output.h"
#include "core/stack/other_weights.h"

namespace attn {

// Which row, of what numbers: as they were computed, before any are typed over them.
struct OtherPlace {
  StackRows rows = StackRows::encoder;
  std::size_t layer = 0, head = 0, row = 0;
  StageIndex weights = 0, mixed = 0;            // as shown
  TensorId computed = 0, values = 0, mask = 0;  // 0: no mask
  bool operator==(const OtherPlace&) const = default;
};

// What is found of it, and what it is called.
struct OtherFound {
  OtherPlace place = {};
  MixedRow row = {};
  OtherWeights others = {};
  std::string query = {};  // its token
  std::vector<std::string> keys = {};
};

struct OtherScene {
  StackScene& scene;
  const OtherFound& found;
  bool stale = false;               // of another row: the one that is looked at now is still to be found
  bool typed = false;               // numbers of the row are typed over
  PlanePoint at = {};               // that is shown
  std::vector<double> others = {};  // the weights there, or those that are typed

  // Whether there are any to be shown.
  bool other() const { return typed || !found.others.only_ones(); }
  ImU32 ink(ImU32 colour) const { return stale ? with_alpha(colour, kLagging) : colour; }
};

// None: its box is off, its numbers are not here, or nothing is found yet.
std::optional<OtherPlace> other_place(const StackScene& scene);
Study<OtherFound> study_others(const StackScene& scene, const OtherPlace& place);
// What typing others changes downstream; of rows with typed numbers alone.
Study<KeptOutput> study_kept(const StackScene& scene, const OtherPlace& place);

// Colours of the weights as they are and of the others.
ImU32 here_colour(const Theme& theme);
ImU32 others_colour(const Theme& theme);

void draw_other_bars(const OtherScene& others, Rect area);
// The polygon with the point in it; drags and arrows move the point.
void draw_other_plane(const OtherScene& others, Rect area);

}  // namespace attn
