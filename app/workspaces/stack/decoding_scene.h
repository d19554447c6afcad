// What the parts of the decoding panel share. Private to app/workspaces/stack.
#pragma once

#include "app/workspaces/stack/scene.h"
#include "core/stack/decoding.h"
#include "core/stack/decoding_cost.h"

namespace attn {

// What a decoder with a cache has made of the document's tokens, step after step.
struct StackDecoded {
  std::vector<DecodedStep> steps = {};
  std::vector<double> apart = {};  // of each: from the document's own row, relative to its largest number
};

// What it would write on behind a step, the likeliest symbol each time.
struct StackWritten {
  std::vector<std::size_t> symbols = {};
};

// The rows of K and V up to a step, the heads side by side, and where the step looks, a row for each layer.
struct DecodingMaps {
  std::shared_ptr<const StackDecoded> of = {};
  std::size_t step = 0, layer = 0;
  Tensor keys = {}, values = {}, looks = {};
  std::size_t bytes() const { return keys.bytes() + values.bytes() + looks.bytes(); }
};

struct DecodingScene {
  StackScene& scene;
  std::shared_ptr<const StackDecoded> found;
  bool stale = false;                // it is of the document before: drawn faintly, taken for nothing
  std::size_t tokens = 0, room = 0;  // of the decoder; and it could have
  std::size_t step = 0;              // the token that goes in, from 0
  std::size_t layer = 0;             // whose rows of K and V are shown
  DecodingCost cost;

  const StackSide& side() const { return scene.spec().decoder; }
  // Whether the step is known, and what it made.
  bool known() const { return found && step < found->steps.size(); }
  const DecodedStep& now() const { return found->steps[step]; }
  float opacity() const { return stale ? 0.5f : 1; }
  // Whether its logits are of symbols, each of which can go in next.
  bool writes() const {
    const auto logits = scene.places().logits;
    return logits && !side().ids.empty() &&
           scene.stage(*logits).shape.columns <= scene.spec().embedding.rows();
  }
};

// Why there is nothing to decode; empty: there is.
std::string decoding_refusal(const StackScene& scene);
DecodingScene decoding_scene(StackScene& scene);
const DecodingMaps& decoding_maps(const DecodingScene& decoding);
// Goes on with what G asked for.
void follow_writing(const DecodingScene& decoding);

// A symbol of the stack, and a token of the decoder, as they are shown.
std::string symbol_name(const StackSpec& stack, std::size_t symbol);
std::string decoded_token(const DecodingScene& decoding, std::size_t token);

// The document's decoder with this symbol behind the step, which becomes the next one.
void take_symbol(const DecodingScene& decoding, std::size_t symbol);
// The character that is forced behind the step, in a field over its cell.
void draw_forced_symbol(const DecodingScene& decoding, Rect cell);

void draw_kept_rows(const DecodingScene& decoding, Rect keys, Rect values);
void draw_looks(const DecodingScene& decoding, Rect area);
void draw_decoding_cost(const DecodingScene& decoding, Rect area);
void draw_step_bars(const DecodingScene& decoding, Rect area);

}  // namespace attn
