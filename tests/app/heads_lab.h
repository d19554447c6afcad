// The workspace of heads without a screen, for its tests.
#pragma once

#include "core/heads/plan.h"
#include "tests/app/workspace_lab.h"

namespace attn::tests {

// So tall that every part is in sight.
class HeadsLab : public WorkspaceLab {
 public:
  explicit HeadsLab(Document document = read_document("eight-heads"), ImVec2 size = {1600, 1700},
                    float scale = 1, Settings settings = {})
      : WorkspaceLab(kHeadsPlan.name, {.document = std::move(document),
                                       .settings = std::move(settings),
                                       .size = size,
                                       .scale = scale}) {}
  static const Workspace& workspace(std::string_view name = kHeadsPlan.name) {
    return WorkspaceLab::workspace(name);
  }
  HeadsPlaces places() { return *results()->places.as<HeadsPlaces>(); }
  Tensor numbers(StageIndex stage) { return results()->outputs[stage].whole(); }
  std::size_t head() { return view().layer.head; }
  Rect map(std::size_t head) {
    const auto box = item("maps/head " + std::to_string(head));
    INFO(head);
    REQUIRE(box);
    return *box;
  }
  // The maps in the order that they are read.
  std::vector<std::size_t> order(std::size_t heads) {
    std::vector<std::size_t> found;
    for (std::size_t r = 0; r < heads; ++r) found.push_back(r);
    std::ranges::sort(found, {}, [&](std::size_t r) {
      const Rect box = map(r);
      return std::pair(box.min.y, box.min.x);
    });
    return found;
  }
  void press_key(int key) {
    this->key(key);
    settle();
    frames(2);
  }
};

}  // namespace attn::tests
