// What the parts of the descent share: what it is about, what was found of it, and what was found before.
// Private to app/workspaces/gradients/descend*.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workspaces/gradients/scene.h"
#include "core/gradients/descent.h"
#include "core/gradients/wanted.h"

namespace attn {

// A descent that came to its end, of the same layer, head and wanted weights.
struct DescentRun {
  DescentTask task = {};
  Samples losses = {};
  std::size_t bytes() const { return losses.bytes(); }
};

// What is painted over and asked of a head, and what that was made from.
struct HeadAsked {
  struct Sources {
    TensorId wanted = 0, mask = 0;
    std::size_t head = 0;
    Shape shape = {};  // of the weights
    std::shared_ptr<const Labels> rows = {}, columns = {};
    bool operator==(const Sources&) const = default;
  };
  Sources from = {};
  PaintedHead head = {};
  std::size_t rows = 0;      // that ask; 0 where what is wanted is of another size
  std::string refusal = {};  // why they cannot
  std::size_t bytes() const { return head.mask.bytes(); }
};

inline constexpr const char* kDescentPlot = "descent";

// What is drawn, for the next frame and for commands.
struct DescendMemo {
  HeadAsked asked = {};
  std::optional<DescentTask> task = {};
  std::shared_ptr<const Descent> found = {};  // of it
  bool done = false;
  Samples losses = {};  // of `found`
  std::vector<DescentRun> earlier = {};
  TensorId summed = 0;  // weights that the summary is of
  Summary summary = {};
  std::size_t bytes() const { return bytes_of_all(asked, losses, earlier) + (found ? found->bytes() : 0); }
};

struct DescendScene {
  GradientsScene& scene;
  DescendMemo& memo;
  const DescentTask& task;
  const PaintedHead& head;
  bool painted = false;
  std::string words = {};  // why nothing moves; empty: it does, or has
  std::size_t step = 0;    // that is shown: the last that was found and kept, up to the view's
  Tensor weights = {};     // then, 1×n×m; none: nothing moves, they are the layer's

  bool moving() const { return memo.found && !memo.found->losses.empty(); }
};

// Of the looked-at head of results, as a person may paint it.
PaintedHead painted_head(const Results& results, std::size_t head);
// How a descent is called among others: "W_Q, 0.05".
std::string name_of_descent(const DescentTask& task);
// Goes on with the descent that the results ask for, and keeps those that it ended before.
DescendScene descend_scene(GradientsScene& scene);

void draw_wanted_map(DescendScene& scene, Rect area);
void draw_learnt_map(DescendScene& scene, Rect area);
// What the plot's place says while there is none: why, or patterns to begin with.
void draw_beginnings(DescendScene& scene, Rect area);
void draw_losses(DescendScene& scene, Rect area);

}  // namespace attn
