// The checks of a large layer, whose bands are made once more for them.
#pragma once

#include <memory>

#include "core/backend/backend.h"
#include "core/checks/checks.h"

namespace attn {

class BandChecks {
 public:
  // `large`: with the summaries of all that its bands make (BandRun).
  explicit BandChecks(std::shared_ptr<const Results> large);
  ~BandChecks();

  // The next rows. Throws what the backend throws.
  void step(Backend& backend);
  bool done() const { return next_ >= rows_; }
  double progress() const { return static_cast<double>(next_) / static_cast<double>(rows_); }
  // Of the rows so far.
  Checks seen() const;

 private:
  struct Found;
  std::shared_ptr<const Results> large_;
  std::vector<std::string> reads_;  // stages
  std::size_t rows_ = 0, next_ = 0;
  std::unique_ptr<Found> found_;
};

}  // namespace attn
