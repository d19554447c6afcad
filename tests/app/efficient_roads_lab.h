// The table of roads without a screen, for its tests.
#pragma once

#include "app/workspaces/efficient/view.h"
#include "core/measure/measured_layer.h"
#include "tests/app/workspace_lab.h"

namespace attn::tests {

inline Document roads_document(std::size_t tokens = 64) {
  Document document = measured_layer(tokens, 16, 1);
  document.layer().masks = {{.rule = CausalRule{}}};
  return document;
}

struct RoadsLab : WorkspaceLab {
  explicit RoadsLab(Document document = roads_document())
      : WorkspaceLab("efficient", {.document = std::move(document), .size = {1600, 1400}}) {}
  EfficientView& at() { return view().of<EfficientView>(); }
  Rect row(const std::string& name) {
    const auto box = item("roads/road " + name);
    INFO(name);
    REQUIRE(box);
    return *box;
  }
  // What the row says, with usual spaces.
  std::string said(const std::string& name) {
    std::string text = text_in(row(name)), plain;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text.compare(i, 3, "\u202f") == 0)
        plain += ' ', i += 2;
      else
        plain += text[i];
    return plain;
  }
  bool says(const std::string& name, const std::string& part) {
    INFO(said(name));
    return said(name).find(part) != std::string::npos;
  }
  // Of the number in the column of this head.
  ImVec2 cell(const std::string& name, const std::string& head) {
    const Rect column = *item("roads/sort " + head);
    return {column.max.x - 4, centre(row(name)).y};
  }
  ImU32 colour(const std::string& name, const std::string& head) {
    const ImVec2 at = cell(name, head);
    for (const DrawnText& text : texts())
      if (text.box.contains({at.x, at.y})) return text.colour;
    FAIL("nothing of " << name << " under " << head);
    return 0;
  }
  void sort(const std::string& column) {
    click_item("roads/sort " + column);
    frames(2);
  }
};

}  // namespace attn::tests
