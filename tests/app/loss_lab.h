// The workspace of gradients without a screen, for tests of its controls.
#pragma once

#include "app/workspaces/gradients/view.h"
#include "core/gradients/graph.h"
#include "tests/app/controls_lab.h"
#include "tests/app/workspace_lab.h"

namespace attn::tests {

// So tall that every section is in sight.
class LossLab : public WorkspaceLab {
 public:
  explicit LossLab(Document document = read_document("the-cat-sat-on-mat-causal"), ImVec2 size = {1600, 1800},
                   float scale = 1)
      : WorkspaceLab(
            kGradientsPlan.name,
            {.document = std::move(document), .settings = Settings{}, .size = size, .scale = scale}) {}
  const GradientsSpec& spec() const { return document().gradients; }
  GradientsView& at() { return view().of<GradientsView>(); }
  const GradientsPlaces& places() { return *results()->places.as<GradientsPlaces>(); }
  double loss() { return static_cast<double>(results()->output("loss").values()[0]); }
  void press(std::string_view item) {
    click_item(item);
    settle();
    frames(2);
  }
  void hit(int key) {
    this->key(key);
    settle();
    frames(2);
  }
  // A cell of a matrix in the controls.
  ImVec2 cell(const std::string& stage, std::size_t row, std::size_t column) {
    REQUIRE(reveal(stage + "/cells"));
    const Rect box = *item(stage + "/cells");
    const Shape shape = results()->graph.stages[*results()->graph.find(stage)].shape;
    const auto middle = [](float from, float length, std::size_t at, std::size_t of) {
      return from + length * (static_cast<float>(at) + 0.5f) / static_cast<float>(of);
    };
    return {middle(box.min.x, box.width(), column, shape.columns),
            middle(box.min.y, box.height(), row, shape.rows)};
  }
  void type_into(const std::string& stage, std::size_t row, std::size_t column, const std::string& number) {
    click(cell(stage, row, column));
    enter(number);
  }
};

}  // namespace attn::tests
