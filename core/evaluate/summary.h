// What a frame needs to know of a tensor without reading it: computed once, with the results.
#pragma once

#include <limits>
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
  // From this row on the picture is that of the results before these (BandSummary).
  std::size_t of_before = std::numeric_limits<std::size_t>::max();
  std::vector<Strongest> strongest = {};  // of each matrix of many weights that are kept and drawn

  float largest() const { return all.most > -all.least ? all.most : -all.least; }  // magnitude
};

// Of each matrix of a stack that has more than kManyLinks numbers; else nothing.
std::vector<Strongest> strongest_of(const Tensor& weights);

// The same of a stack that comes some rows at a time and is not kept, by what its blocks hold.
class BandSummary {
 public:
  // `before`: of another stack of the shape; its picture stays where rows have not come yet.
  explicit BandSummary(const Shape& whole, Summary before = {});
  // BlockSummary of the rows from `first` on, which is a multiple of kCoarseBlock, as is their number but for
  // the last ones.
  void add(std::size_t first, const Tensor& blocks);
  // When so many rows have come. In the picture the others are as before, else as if they were masked.
  Summary seen(std::size_t rows) const;

 private:
  Shape whole_;
  Summary before_, summary_;
  std::vector<std::uint32_t> largest_;  // of each block
};

// `mask`: what hides cells of it in pictures; may be empty. `pooled`: a picture of it may be asked for.
Summary summarize(const Tensor& values, const Tensor& mask = {}, bool pooled = false);

}  // namespace attn
