// The sizes of gradients as rows of the plot: what they are, what they would be otherwise, what is said of
// them. Private to app/workspaces/gradients.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/workspaces/gradients/scene.h"
#include "core/gradients/sizes.h"
#include "core/gradients/what_if.h"

namespace attn {

struct WhatIfsFound {
  std::vector<WhatIfSizes> all = {};
};

// One after the other; nothing where none is asked for. Stale ones may be of what is asked no more.
Study<WhatIfsFound> study_what_ifs(const GradientsScene& scene);

// Of the results on screen.
const GradientSizes& sizes_on_screen(const GradientsScene& scene);

// One bar, or one of several tokens that stand for all of them: the largest.
struct SizeRow {
  std::string name, id;
  double part = 0;
  ImU32 colour = 0;
  std::string about = {};                             // what it is, in words
  std::vector<std::pair<WhatIf, double>> ticks = {};  // with one thing otherwise
  Spot spot = {};                                     // that a click pins; in its row, where it is one
  std::optional<std::size_t> token = {};
};

std::vector<SizeRow> stage_rows(const GradientsScene& scene, const GradientSizes& sizes,
                                const std::vector<WhatIfSizes>& what_ifs);
// As many as there are lines for; of more the largest of each few.
std::vector<SizeRow> token_rows(const GradientsScene& scene, const GradientSizes& sizes,
                                const std::vector<WhatIfSizes>& what_ifs, std::size_t most);

// Two digits.
std::string size_text(double part);
std::string about_size(const GradientsScene& scene, const SizeRow& row);
// Pins the largest number that it is of, in the head that is shown, and scrolls it into sight.
void go_to_largest(GradientsScene& scene, const SizeRow& row);

}  // namespace attn
