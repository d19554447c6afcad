// The fields of a session's layer: one list for reading and writing, in the order of the file.
#pragma once

#include "core/attention/layer.h"
#include "core/attention/words.h"

namespace attn {

inline constexpr std::string_view kSessionFormat = "attention-lab session";
inline constexpr unsigned kSessionVersion = 1;

// Calls visitor.field(key, member) or visitor.word(key, member, words) for each; `scale` is a word or a
// number.
template <class Visitor>
void visit_layer_fields(Visitor& visitor) {
  visitor.field("tokens", &LayerSpec::tokens);
  visitor.field("memory_tokens", &LayerSpec::memory_tokens);
  visitor.field("direct", &LayerSpec::direct);
  visitor.field("q", &LayerSpec::q);
  visitor.field("k", &LayerSpec::k);
  visitor.field("v", &LayerSpec::v);
  visitor.field("x", &LayerSpec::x);
  visitor.field("memory", &LayerSpec::memory);
  visitor.field("sinusoidal_base", &LayerSpec::sinusoidal_base);
  visitor.field("heads", &LayerSpec::heads);
  visitor.field("kv_heads", &LayerSpec::kv_heads);
  visitor.field("muted_heads", &LayerSpec::muted_heads);
  visitor.field("w_q", &LayerSpec::w_q);
  visitor.field("w_k", &LayerSpec::w_k);
  visitor.field("w_v", &LayerSpec::w_v);
  visitor.field("w_o", &LayerSpec::w_o);
  visitor.field("b_q", &LayerSpec::b_q);
  visitor.field("b_k", &LayerSpec::b_k);
  visitor.field("b_v", &LayerSpec::b_v);
  visitor.field("b_o", &LayerSpec::b_o);
  visitor.word("scoring", &LayerSpec::scoring, kScoringWords);
  visitor.scale("scale", "scale_number");
  visitor.field("temperature", &LayerSpec::temperature);
  visitor.field("bias", &LayerSpec::bias);
  visitor.word("causal", &LayerSpec::causal, kAlignWords);
  visitor.field("padding", &LayerSpec::padding);
  visitor.field("mask", &LayerSpec::mask);
  visitor.word("fill", &LayerSpec::fill, kFillWords);
  visitor.word("empty_row", &LayerSpec::empty_row, kEmptyRowWords);
  visitor.field("dropout", &LayerSpec::dropout);
  visitor.field("dropout_seed", &LayerSpec::dropout_seed);
  visitor.field("overrides", &LayerSpec::overrides);
}

}  // namespace attn
