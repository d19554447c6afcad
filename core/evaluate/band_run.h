// Rows of large layers: those that are looked at, and all of them, band by band.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/evaluate/bands.h"

namespace attn {

// These rows of what `large` makes by bands, as results of a graph of their own (cut_rows), small. Throws
// what the backend throws. `wanted`: stages that are read back, and masks are; empty: all that bands make.
Results rows_of(Backend& backend, const Results& large, const RowRange& rows,
                std::span<const std::string> wanted = {});

// Until the bands come, pictures of what they make are those of the results before, of the same shapes.
void show_before(Results& results, const Results& before);

// What rows_of() made, and of which rows.
struct LookedAt {
  RowRange rows;
  Results results;
};
// `large` with these of what it does not keep, in part, and no others; of what bands have not put together
// yet, besides what has come.
Results with_rows(const Results& large, std::span<const LookedAt> looked);

// What a run tells of: weights and what comes of them, or the rest.
enum class BandPart { first, rest };

// Goes through all rows once, from the first on. What passes stays on the device: what its blocks hold is
// enough.
class BandRun {
 public:
  // `results`: as the evaluator made them, with bands; of the rest, as the first run has left them.
  BandRun(std::shared_ptr<const Results> results, BandPart part);
  ~BandRun();

  // The next band. Throws what the backend throws.
  void step(Backend& backend);
  bool done() const { return next_ >= rows_; }
  BandPart part() const { return part_; }
  double progress() const { return static_cast<double>(next_) / static_cast<double>(rows_); }
  // With what the bands so far have shown: numbers that are kept are here once all are done, until then in
  // part.
  Results seen() const;

 private:
  struct Collected;
  std::shared_ptr<const Results> results_;
  BandPart part_;
  bool fused_;
  std::size_t rows_ = 0, next_ = 0;
  double seconds_ = 0;
  std::vector<Collected> collected_;
};

}  // namespace attn
