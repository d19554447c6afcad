// Shapes that were published, with where, and what their parameters add up to.
#pragma once

#include <span>
#include <string_view>

#include "core/cost/cost.h"

namespace attn {

// What a model has besides its layers' attention and feed-forward.
struct OtherParameters {
  std::size_t vocabulary = 0;
  bool own_unembedding = false;  // else the embedding is used for the output too
  std::size_t positions = 0;     // learned
  std::size_t segments = 0;      // learned
  std::size_t norm = 2;          // rows of a norm: gain and bias, or gain alone
  std::size_t other_norms = 0;   // besides two in each layer
  bool pooler = false;           // d·d and a bias
  std::size_t decoder_layers =
      0;  // besides the layers: with attention to the encoder's output, and three norms
};

struct Preset {
  std::string_view word;    // "gpt2-xl"
  std::string_view title;   // "GPT-2 XL"
  std::string_view source;  // paper, or name of the configuration
  CostSpec shape;           // n is the length it was made for
  OtherParameters others;
  std::string_view published;  // its parameters as published: "1,557,611,200", "175B"
};

std::span<const Preset> presets();
// By word or title, letters and digits alone; null when there is none.
const Preset* find_preset(std::string_view name);

// All parameters of the model, part by part.
Quantity model_parameters(const Preset& preset);

}  // namespace attn
