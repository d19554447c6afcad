// The graph of the workspace of kernels: of each estimate the distances, what they count, the weights and the
// weighted values; and the leave-one-out errors of many widths.
#pragma once

#include <optional>
#include <vector>

#include "core/document/plan.h"
#include "core/kernels/deferred.h"
#include "core/kernels/part.h"

namespace attn {

// The stages of one estimate.
struct KernelStages {
  KernelCurve curve;
  std::size_t part = 0;                      // in Graph::parts
  StageIndex width = 0;                      // σ, for all, for each query or for each point
  std::optional<StageIndex> distances = {};  // u; none of the dot product, or without pairs
  std::optional<StageIndex> kernels = {};    // κ; of exponentials relative to the largest of the row
  std::optional<StageIndex> sum = {};
  std::optional<StageIndex> weights = {};
  StageIndex estimate = 0;                // Σ weights · y
  std::optional<StageIndex> line = {};    // of the local line
  std::optional<StageIndex> errors = {};  // the mean squared leave-one-out error of each candidate: s×1×1
};

// The same weights as those of an attention layer over the points.
struct KernelsLayer {
  std::size_t curve = 0;  // the Gaussian one
  std::size_t part = 0;   // of the layer
  StageIndex weights = 0, output = 0;
  StageIndex difference = 0, apart = 0;  // of the weights, and of the estimates
};

struct KernelsPlaces {
  StageIndex points = 0;                         // as given, in the person's order
  StageIndex queries = 0, keys = 0, values = 0;  // keys and values in the order of x
  std::vector<KernelStages> curves;              // as curves_of
  KernelPoints sorted = {};                      // what keys and values are
  std::optional<KernelsLayer> layer = {};
};

// Pairs of a query and a key up to which each is a number to look at; beyond, there are estimates alone. Four
// estimates of so many, with their five stages, take about a frame on two slow cores.
inline constexpr std::size_t kMostPairs = std::size_t{1} << 17;
// Points up to which the errors of all candidates are computed along, in about the same time; those of more
// are for a job of their own (append_kernels).
inline constexpr std::size_t kMostLeftOut = 250;

// What of it is wanted, where not all is.
struct KernelsWanted {
  bool pairs = true;      // every stage between the points and the estimates
  bool errors = true;     // of leaving points out
  bool layer = false;     // with a Gaussian and its pairs, the attention layer that does the same
  std::size_t every = 1;  // each so-manieth query alone, and the last
};
// Appends to an empty graph. Throws Error where the spec says what cannot be.
KernelsPlaces append_kernels(Graph& graph, const KernelsSpec& spec, KernelsWanted wanted);

// Its places are KernelsPlaces.
Built build_kernels(const Document& document, Address = kLayerA);
Graph given_kernels(const Document& document);

inline constexpr Plan kKernelsPlan{"kernels", build_kernels, given_kernels, deferred_kernels};

}  // namespace attn
