// The descent of the workspace of gradients without a screen, for its tests.
#pragma once

#include <set>

#include "app/workspaces/gradients/view.h"
#include "core/gradients/descent.h"
#include "core/gradients/graph.h"
#include "tests/app/workspace_lab.h"

namespace attn::tests {

// So tall that every part is in sight.
class DescentLab : public WorkspaceLab {
 public:
  explicit DescentLab(Document document = read_document("the-cat-sat-on-mat-causal"),
                      ImVec2 size = {1600, 1400})
      : WorkspaceLab(kGradientsPlan.name,
                     {.document = std::move(document), .settings = Settings{}, .size = size}) {}

  const GradientsPlaces& places() { return *results()->places.as<GradientsPlaces>(); }
  const GradientsSpec& spec() const { return document().gradients; }
  GradientsView& at() { return view().of<GradientsView>(); }
  ImVec2 cell(std::size_t row, std::size_t column) {
    const auto box = item("wanted/cells");
    REQUIRE(box);
    const Shape shape = results()->graph.stages[places().wanted].shape;
    return {
        box->min.x + box->width() * (static_cast<float>(column) + 0.5f) / static_cast<float>(shape.columns),
        box->min.y + box->height() * (static_cast<float>(row) + 0.5f) / static_cast<float>(shape.rows)};
  }
  std::vector<float> row(std::size_t query) const {
    const Tensor& wanted = spec().wanted;
    const auto numbers = wanted.values().subspan(query * wanted.columns(), wanted.columns());
    return {numbers.begin(), numbers.end()};
  }
  void rest() {
    settle();
    frames(2);
  }
  // Painted as in the picture: the token before.
  // The runs that the plot has a curve of, as they are called while the pointer is near one.
  std::set<std::string> runs() {
    std::set<std::string> found;
    const Rect box = plot("descent");
    for (float y = box.min.y; y < box.max.y; y += 4) {
      move({box.min.x + 0.62f * box.width(), y});
      frames(2);
      for (const DrawnText& text : texts())
        if (const auto end = text.text.find(": at step "); end != std::string::npos)
          found.insert(text.text.substr(0, end));
    }
    return found;
  }
  void begin() {
    run("gradients.descend");
    rest();
  }
  Descent alone() {
    const auto backend = make_reference_backend();
    Descender descender(descent_task(document(), view().layer.head));
    Descent found;
    while (!descender.step(found, *backend)) {
    }
    return found;
  }
};

}  // namespace attn::tests
