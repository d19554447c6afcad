// What the scale does to gradients: those of random queries, with ÷ √d_k and without it.
#pragma once

#include <cstddef>
#include <vector>

#include "core/gradients/part.h"
#include "core/graph/graph.h"

namespace attn {

struct NoiseStages {
  std::size_t part = 0;
  StageIndex weights = 0, d_q = 0;
};

// Appends, as a part of its own, one head of `noise_tokens` queries, keys and values of `noise_width` numbers
// from N(0, 1), its loss Σ G ⊙ O ÷ numbers with G from N(0, 1), and dQ.
NoiseStages append_noise(Graph& graph, const GradientsSpec& spec, bool scaled);

// The middle one of |x|, of an even number the mean of the two; 0 of none.
double median_size(const Tensor& numbers);
// The largest power of ten that no |x| but 0 is below; 1 where all are 0.
double power_below(const Tensor& numbers);

// A row of weights is saturated when one key has more than so much.
inline constexpr double kSaturated = 0.9;

// What is said of a dQ, one head, and the weights that it came through.
struct NoiseFigures {
  std::vector<std::size_t> bins = {};  // of |x|, each from its edge up to the next; the last with its end
  std::size_t zeros = 0;               // in no bin
  double below = 0;                    // the part of the numbers, zeros too, that are smaller than the line
  double saturated = 0;                // the part of the rows
  double norm = 0, least = 0;          // of the whole; of the row that has the smallest
  std::size_t least_row = 0;
};

// Bins between which |x| grows by the same factor.
struct LogBins {
  double low = 1, high = 10;
  std::size_t count = 1;
  double ratio() const;  // of a bin's ends
};
NoiseFigures noise_figures(const Tensor& d_q, const Tensor& weights, double line, const LogBins& bins);

}  // namespace attn
