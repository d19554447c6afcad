// Large layers: what has a number for each query and key, and would take more memory than it is worth, is
// made some rows at a time, looked at, and let go.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/evaluate/results.h"

namespace attn {

// Of the needed stages, whose results would take more than `most_kept` bytes; null where none of them is
// large, or what comes of one cannot be made by rows.
std::shared_ptr<const Bands> bands_of(const Graph& graph, const std::vector<bool>& needed,
                                      std::size_t most_kept);

// `bands` of the graph whose weights, and what comes of them, `fused` makes; null where it does not make all
// of that, or not by rows.
std::shared_ptr<const Bands> with_fused(const Bands& bands, const Graph& graph, Graph fused);

// Bytes of a stage that is not kept: a band of it, and the picture.
std::uint64_t band_bytes(const Stage& stage, const Bands& bands);
// Of what the fused graph makes at once.
std::uint64_t fused_bytes(const Bands& bands);

// These rows of what is made by bands (cut_rows), everything else that is known, of `outputs` by stage,
// given.
Graph graph_of_rows(const Graph& graph, const Bands& bands, std::span<const StageResult> outputs,
                    const RowRange& rows);
// A band in its place among the numbers of a whole of this shape.
void put_rows(std::span<float> values, const Shape& shape, std::size_t first, const Tensor& band);

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
// `large` with these of what it does not keep, in part, and no others.
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
