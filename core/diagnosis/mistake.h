// Known mistakes in code of attention (mechanics of each: assets/manual/check.md): our computation with one
// thing done wrong.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/layer.h"
#include "core/diagnosis/given.h"

namespace attn {

// What a picture of it shows.
enum class MistakePicture { scatter, heads, mask, axis, pairing };

// Lines of PyTorch, without and with the fix; several with \n.
struct Fix {
  std::string wrong = {}, right = {};
  bool operator==(const Fix&) const = default;
};

// A layer in which it is made, one of the ways in which it can be.
struct MistakenLayer {
  LayerSpec layer;
  std::string detail = {};      // which way, where there are several: "base 500,000", "T = 1.7", "W_K"
  std::optional<Fix> fix = {};  // where it is another than the mistake's: of this way alone
};

struct Mistake {
  std::string_view word;          // what `check` prints: "scale-by-d_k"
  std::string_view title;         // "scale 1/d_k, not 1/√d_k"
  std::string_view sentence;      // what the code does, and what comes of it: one or two sentences
  std::string_view wrong, right;  // lines of PyTorch, without and with the fix; several with \n
  MistakePicture picture = MistakePicture::scatter;
  // The layers with it, most likely first; none where the layer has nothing for it.
  std::vector<MistakenLayer> (*forms)(const LayerSpec& layer, const GivenNumbers& yours);
  // Why there are none: "no RoPE".
  std::string_view needs;
  // Its forms are told from yours beside ours: where something else is wrong too, beside ours with that.
  bool told = false;
};

// In the order of the list in the manual.
std::span<const Mistake> known_mistakes();
// Null where there is none of that word.
const Mistake* find_mistake(std::string_view word);

}  // namespace attn
