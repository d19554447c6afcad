// What a frame needs to know of a tensor without reading it: computed once, with the results.
#pragma once

#include <memory>
#include <vector>

#include "core/evaluate/texels.h"

namespace attn {

// The finite numbers of a matrix lie between them, and so does 0.
struct Bounds {
  float least = 0, most = 0;
};

// The numbers of a matrix that stand out: the largest of every row, then the largest of all, above 0.
struct Strongest {
  struct Link {
    std::size_t row = 0, column = 0;
    float value = 0;
  };
  std::vector<Link> links = {};  // the largest first, at most kMostLinks
  std::size_t of = 0;            // numbers above 0 that there are
};
inline constexpr std::size_t kMostLinks = 64;
// A matrix of more numbers has too many to draw a line for each.
inline constexpr std::size_t kManyLinks = 32 * 32;

struct Summary {
  std::vector<Bounds> matrices = {};  // of each matrix of the stack
  Bounds all = {};
  bool finite = true;  // all are
  bool whole = true;   // all finite ones are whole numbers below 1000: written without decimals
  std::shared_ptr<const Pools> pools = {};  // of a large stack
  std::vector<Strongest> strongest = {};    // of each matrix of many weights; empty where nobody draws them

  float largest() const { return all.most > -all.least ? all.most : -all.least; }  // magnitude
};

// Of each matrix of a stack that has more than kManyLinks numbers; else nothing.
std::vector<Strongest> strongest_of(const Tensor& weights);

// Takes in what was seen of other rows of the same matrices.
void merge(Summary& summary, const Summary& of_rows);

// `mask`: what hides cells of it in pictures; may be empty. `pooled`: a picture of it may be asked for.
Summary summarize(const Tensor& values, const Tensor& mask = {}, bool pooled = false);

}  // namespace attn
