// Before and after: results that a person has pinned, held against those of now.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/frame/frame.h"
#include "core/checks/changes.h"

namespace attn {

// From now on these are those of before.
void pin_before(View& view, std::shared_ptr<const Results> results);

// What has changed since, worked out once for each results; null where nothing of this workspace is pinned.
const Changes* changes_since(const Frame& frame);

// Of one stage; null where it is as it was.
const StageChange* change_of(const Frame& frame, std::string_view stage);

// The pinned results, where they are of this workspace.
const Results* results_before(const Frame& frame);

// A stage's result of then, where all of it is here and has the same shape; else one not kept.
StageResult result_before(const Frame& frame, std::string_view stage, const Shape& shape);

// What a number of the results on screen was, where it is another one now.
std::optional<float> number_before(const Frame& frame, const Spot& spot);

// For the title of a matrix: "7 changed", "before: 6×6" of another shape; empty: nothing is pinned, or it
// is as it was.
std::string change_words(const StageChange& change);

}  // namespace attn
