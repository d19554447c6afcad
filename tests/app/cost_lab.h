// The workspace of costs without a screen, for its tests.
#pragma once

#include <functional>
#include <map>

#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/cost/view.h"
#include "core/cost/plan.h"
#include "tests/app/workspace_lab.h"

namespace attn::tests {

// So tall that every part is in sight.
class CostLab : public WorkspaceLab {
 public:
  explicit CostLab(CostStudy study = {}, ImVec2 size = {1600, 1700}, float scale = 1)
      : CostLab(with(std::move(study)), {.document = {}, .size = size, .scale = scale}) {}
  CostLab(Document document, Options options)
      : WorkspaceLab(kCostPlan.name, filled(std::move(document), std::move(options))) {}

  const CostStudy& study() const { return document().cost; }
  CostView& at() { return view().of<CostView>(); }

  // The marker n of a plot, by its label.
  ImVec2 marker(const std::string& id = "time") {
    const Rect box = plot(id);
    for (const DrawnText& text : texts())
      if (text.text.starts_with("n ") && text.text.find(':') == std::string::npos &&
          box.contains(centre(text.box)))
        return centre(text.box);
    FAIL("no marker n in the plot " << id);
    return {};
  }
  // A number below the plot, spaces aside.
  float tick(const std::string& number, const std::string& id = "time") {
    const Rect box = plot(id);
    for (const DrawnText& text : texts())
      if (plain(text.text) == number && box.contains(centre(text.box)) && centre(text.box).y > box.max.y - 45)
        return centre(text.box).x;
    FAIL("no " << number << " below the plot " << id);
    return 0;
  }
  void drag_marker_to(const std::string& number, const std::string& id = "time") {
    const ImVec2 from = marker(id);
    drag(from, {tick(number, id), from.y});
    settle();
    frames(2);
  }
  // Whatever line it is broken into.
  bool says(const std::string& part) const {
    std::string all;
    for (const DrawnText& text : texts()) all += plain(text.text) + ' ';
    return all.find(part) != std::string::npos;
  }
  // Without the thin spaces in numbers.
  static std::string plain(std::string text) {
    for (const char* space : {"\u2009", "\u202f"})
      for (std::size_t at = 0; (at = text.find(space)) != std::string::npos;) text.erase(at, 3);
    return text;
  }

 private:
  static Document with(CostStudy study) {
    Document document = read_document("the-cat-sat-on-mat");
    document.cost = std::move(study);
    return document;
  }
  static Options filled(Document document, Options options) {
    options.document = std::move(document);
    if (!options.settings) options.settings = Settings{};
    return options;
  }
};

}  // namespace attn::tests
