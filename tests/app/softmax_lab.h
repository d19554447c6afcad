// The workspace of the softmax without a screen, for its tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/workspaces/softmax/view.h"
#include "core/softmax/graph.h"
#include "tests/app/workspace_lab.h"

namespace attn::tests {

inline Document row_of(const std::vector<float>& scores, Labels labels = {}) {
  Document document = read_document("the-cat-sat-on-mat");
  own_row(document.softmax, scores, std::move(labels));
  return document;
}

// So tall that every part is in sight.
class SoftmaxLab : public WorkspaceLab {
 public:
  explicit SoftmaxLab(Document document = read_document("the-cat-sat-on-mat"), ImVec2 size = {1600, 2400},
                      float scale = 1)
      : WorkspaceLab(
            kSoftmaxPlan.name,
            {.document = std::move(document), .settings = Settings{}, .size = size, .scale = scale}) {}
  static const Workspace& workspace(std::string_view name = kSoftmaxPlan.name) {
    return WorkspaceLab::workspace(name);
  }
  const SoftmaxSpec& spec() const { return document().softmax; }
  SoftmaxView& at() { return view().of<SoftmaxView>(); }
  std::vector<float> output(const std::string& stage) {
    const Tensor tensor = results()->output(stage);
    INFO(stage);
    REQUIRE_FALSE(tensor.empty());
    return {tensor.values().begin(), tensor.values().end()};
  }
  // Where a plot has a value of its upright axis, by two of the numbers at it.
  float pixel_of(const std::string& id, double value) {
    const Rect box = plot(id);
    std::vector<std::pair<double, float>> ticks;
    for (const DrawnText& text : texts()) {
      if (!box.contains(centre(text.box)) || centre(text.box).x > box.min.x + 45) continue;
      std::string digits = text.text;
      if (const auto minus = digits.find("−"); minus != std::string::npos) digits.replace(minus, 3, "-");
      char* end = nullptr;
      const double number = std::strtod(digits.c_str(), &end);
      if (end != digits.c_str() && *end == 0) ticks.emplace_back(number, centre(text.box).y);
    }
    std::ranges::sort(ticks);
    REQUIRE(ticks.size() >= 2);
    const auto [low, at_low] = ticks.front();
    const auto [high, at_high] = ticks.back();
    return at_low + static_cast<float>((value - low) / (high - low)) * (at_high - at_low);
  }
  // The end of a key's bar; names of keys stand below the plot.
  ImVec2 bar(const std::string& name, double value, const std::string& id = "row") {
    const Rect box = plot(id);
    for (const DrawnText& text : texts())
      if (text.text == name && box.contains(centre(text.box)) && centre(text.box).y > box.max.y - 30)
        return {centre(text.box).x, pixel_of(id, value)};
    FAIL("no key " << name << " below the plot " << id);
    return {};
  }
};

}  // namespace attn::tests
