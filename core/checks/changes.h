// What has changed from one computation to a later one, number by number.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/evaluate/results.h"

namespace attn {

// Of one row the columns from a changed number to another, half-open. Gaps of up to a 256th of a row are in
// it, so that a row has 128 runs at most: in rows of up to 255 numbers all of a run have changed.
struct ChangedRun {
  std::size_t head = 0, row = 0, begin = 0, end = 0;
  bool operator==(const ChangedRun&) const = default;
};

struct StageChange {
  StageIndex stage = 0;             // of the later graph
  std::optional<Shape> shape = {};  // that it had before, where that was another one: nothing is counted
  bool fresh = false;               // there was no such stage, or nobody asked for it
  std::size_t count = 0;            // numbers that changed
  double largest = 0;         // |now − before|; ∞ where NaN or ∞ in one is not the same in the other
  Cell at = {};               // where
  float before = 0, now = 0;  // there
  std::vector<ChangedRun> runs = {};  // that hold the changed numbers, in order
};

struct Changes {
  std::vector<StageChange> stages;  // those a person can see that are not as they were, in the graph's order
  std::size_t count = 0;            // numbers in all of them

  // Null: this stage is as it was.
  const StageChange* of(StageIndex stage) const;
  // The largest change: the first stage that has it. Null: no number changed.
  const StageChange* largest() const;
};

// Whether a number is another one: two NaN are the same, and so are 0 and −0.
bool is_changed(float before, float now);

// Stages are the same where their ids are. Reads every number of tensors that are not shared.
Changes changes(const Results& before, const Results& now);

}  // namespace attn
