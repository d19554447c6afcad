// Changes to a layer that teach something: what breaks it on purpose, and what two layers may differ in. One
// click makes one, another takes it back.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/document/document.h"

namespace attn {

struct LayerChange {
  std::string_view word;   // names it for tests and commands: "scale-off"
  std::string_view title;  // "scale off"
  std::string_view sentence;
  bool (*is_made)(const LayerSpec& layer);
  // Why it cannot be made of this layer, in words that go behind its title; empty: it can.
  std::string (*obstacle)(const LayerSpec& layer);
  // Makes it. Throws Error where the layer's parts would not fit.
  void (*make)(LayerAt in);
  // Takes it back: to what another layer of the same sizes has in its place, or what a layer usually has.
  void (*take_back)(LayerAt in, const LayerSpec& as);
};

// Mistakes that are easily made in code, each to be seen at work.
std::span<const LayerChange> mistakes();
// What a compared layer may differ from A in.
std::span<const LayerChange> differences();

// The change of that word in a list; null where there is none.
const LayerChange* find_change(std::span<const LayerChange> changes, std::string_view word);

}  // namespace attn
