// CostStudy: what the workspace of costs is about: one shape, and the mechanisms that are compared in it. A
// plain value.
#pragma once

#include <vector>

#include "core/measure/kinds.h"

namespace attn {

struct CostSpec;
struct Preset;

// Its fields, and all that is said about them, are listed in fields.h. Begins as GPT-2 small.
struct CostStudy {
  std::size_t n = 4096;
  std::size_t d = 768, heads = 12, kv_heads = 12;
  std::size_t feed_forward = 0;  // inner width; 0: 4·d
  bool gated = false;
  Biases biases = Biases::all;
  std::size_t layers = 12, batch = 1;
  std::size_t vocabulary = 50257;  // of the embedding, which tells models of one shape apart
  StoredFormat format = StoredFormat::float16;
  bool causal = true;
  bool backward = false;
  std::vector<MechanismKind> mechanisms{MechanismKind::full,   MechanismKind::flash,
                                        MechanismKind::window, MechanismKind::strided,
                                        MechanismKind::linear, MechanismKind::recurrent};
  std::size_t window = kUsualWindow;
  std::size_t stride = 0;  // 0: ⌈√n⌉

  bool operator==(const CostStudy& other) const;
};

// What is counted of one mechanism.
CostSpec spec_of(const CostStudy& study, MechanismKind kind);
Mechanism mechanism_of(const CostStudy& study, MechanismKind kind);
// Throws Error as check_cost does.
void check_study(const CostStudy& study);

// Edits. Each throws Error, with nothing changed, where the shape cannot be.
//
// Key/value heads stay as many for each head as they are where that divides, else each has its own.
void set_heads(CostStudy& study, std::size_t heads);
void set_kv_heads(CostStudy& study, std::size_t kv_heads);
// Heads that don't divide it any more are refused.
void set_width(CostStudy& study, std::size_t d);
void set_feed_forward(CostStudy& study, std::size_t width);
// Adds it to the others or takes it away; one stays.
void toggle_mechanism(CostStudy& study, MechanismKind kind);
// Its shape, biases and vocabulary; the tokens, the format and what is counted stay.
void take_preset(CostStudy& study, const Preset& preset);
// The one whose shape this is; null: the person's own.
const Preset* preset_of(const CostStudy& study);

}  // namespace attn
