// What a layer is asked behind its results: the same layer with its tokens in another order, and with the
// same content at every token. What comes out tells whether its outputs know order, and whether its weights
// look at content or at places. Pure functions; the worker runs the pieces.
#pragma once

#include <string>
#include <vector>

#include "core/document/layer_plan.h"
#include "core/evaluate/results.h"

namespace attn {

// Which piece is which: the outputs in another order, the weights of the same content.
inline constexpr std::size_t kOtherOrder = 0, kSameContent = 1;

// Weights, and outputs, of a layer that is asked: few enough to be run again after each edit, and to be
// compared while a frame is drawn.
inline constexpr std::size_t kMostProbed = 1 << 12;

// The two pieces; none of a larger layer.
std::vector<DeferredGraph> layer_probes(const Document& document, const Places& = {});

// The Pipeline's plan with them.
inline constexpr Plan kProbedPipeline{kLayerPlan.name, build_layer, given_layer, layer_probes, true};

// Every second token first (second_order), on both sides where keys are tokens of their own. What belongs to
// tokens goes along (numbers, labels, painted masks, biases, overrides); what belongs to places stays.
Document in_other_order(const Document& document);
// Every row of what the weights read (X and the memory, or Q and K where these are given) becomes the mean of
// its matrix's rows.
Document with_same_content(const Document& document);
// Whether that changes anything: of equal tokens it doesn't.
bool has_content(const LayerSpec& layer);

// The largest |a − b| over two tensors: 0 for two NaN, ∞ where only one of the numbers is finite.
struct LargestDifference {
  double size = 0;
  Cell at;               // in the results' own order
  bool rounding = true;  // accepted_distance() explains it, everywhere
  bool finite = true;    // all numbers of both are: of NaN and ∞ no likeness can be told
};
// Between the results' outputs and those of the other order, moved back with their tokens.
LargestDifference order_difference(const Results& results, const Tensor& reordered);
// Between the results' weights, before chance, and those of the same content.
LargestDifference content_difference(const Results& results, const Tensor& weights);

// What in the layer belongs to places, in words: "the position encoding", "the causal mask". None: outputs
// move with their tokens, whatever their order.
std::vector<std::string> what_tells_order(const LayerSpec& layer);

}  // namespace attn
