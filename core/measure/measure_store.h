// Measurements kept from one start to the next, each for its device, its driver, this program's version and a
// shape.
#pragma once

#include <optional>
#include <string>

#include "core/measure/measured.h"

namespace attn {

// A file of kMostMeasured at most, the newest first. Two windows that keep something at the same moment: the
// later one's file stands, whole.
class MeasureStore {
 public:
  MeasureStore() = default;  // keeps nothing
  // `folder`: $XDG_CACHE_HOME/attention-lab or its like; made when there is something to keep.
  explicit MeasureStore(std::string folder) : folder_(std::move(folder)) {}

  // A damaged file is none; `note` says so, and is left alone else.
  std::optional<Measured> find(const MeasuredDevice& device, const MeasureShape& shape,
                               std::string& note) const;
  // In the place of one of the same device and shape, unless that has more points: one that was stopped does
  // not throw away one that was finished. A damaged file is replaced. Why it could not be kept, or empty.
  std::string keep(const Measured& measured) const;

  std::string file() const { return folder_ + "/measured.json"; }

 private:
  std::string folder_;
};

}  // namespace attn
