// The workspace of gradients without a screen, for the tests of its proof and of its random tokens.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <utility>

#include "app/workspaces/gradients/view.h"
#include "core/gradients/graph.h"
#include "tests/app/workspace_lab.h"

namespace attn::tests {

inline constexpr const char* kCausal = "the-cat-sat-on-mat-causal";

class ProofLab : public WorkspaceLab {
 public:
  explicit ProofLab(Document document = read_document(kCausal), ImVec2 size = {1600, 1200}, float scale = 1)
      : WorkspaceLab(
            kGradientsPlan.name,
            {.document = std::move(document), .settings = Settings{}, .size = size, .scale = scale}) {}
  GradientsView& at() { return view().of<GradientsView>(); }
  const GradientsPlaces& places() { return *results()->places.as<GradientsPlaces>(); }
  void pin(const std::string& stage, Cell cell) {
    view().pinned = Spot{stage, cell};
    frames(2);
    settle();
  }
  // The id of the scores that the weights are made of.
  std::string scores() { return results()->graph.stages[places().attention.front()].id; }
  // Where the plot has this number on its upper or lower axis' line of numbers.
  float tick(const std::string& number) { return words("proof", number).x; }
};

inline std::string decimals(double value, int digits = 9) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  std::string found = text.data();
  if (found.front() == '-') found.replace(0, 1, "−");
  return found;
}

}  // namespace attn::tests
