// What of two layers is looked at. A part of the View.
#pragma once

namespace attn {

struct CompareView {
  bool controls_a = false;  // the controls are those of A, else of the layer beside it
  bool operator==(const CompareView&) const = default;
};

}  // namespace attn
