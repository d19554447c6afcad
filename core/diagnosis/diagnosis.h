// Which known mistakes, alone or together, make of our computation what another program computed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/diagnosis/mistake.h"

namespace attn {

// A stage of yours against ours.
struct StageVerdict {
  std::string id;
  bool same_shape = true, equal = true;
  double largest = 0;       // |yours − ours| over the cells that neither masks
  std::size_t at = 0;       // where, row-major
  double distance = 0;      // ‖yours − ours‖ ÷ ‖yours‖
  bool same_masked = true;  // −∞, or a fill, in the same cells
  std::string note = {};    // "−1e9 for −∞: same cells masked", "NaN first at head 0, row 1, column 2"
  bool compared = true;     // false: behind a NaN of yours
  bool follows = false;     // it is computed from the first that differs
};

// One or several mistakes made in ours.
struct Tried {
  std::vector<std::string> words = {};    // of the mistakes, in their order
  std::vector<std::string> details = {};  // beside each
  std::vector<Fix> fixes = {};            // of each
  LayerSpec layer = {};                   // with them
  double distance = 0;                    // mean over the given stages; ∞ where shapes differ or NaN comes
  std::vector<double> stages = {};        // the distance of each given stage
  bool reproduces = false;                // all given stages are within tolerance
};

struct Diagnosis {
  std::vector<StageVerdict> stages = {};      // in the order of a layer
  std::optional<std::size_t> first = {};      // the first that differs; none: equal
  double nothing_changed = 0;                 // the distance without a mistake
  std::vector<Tried> singles = {};            // the best form of each mistake, nearest first
  std::vector<Tried> together = {};           // the nearest pairs and triples, nearest first; few
  std::vector<std::string> not_here = {};     // words of mistakes that the layer has nothing for
  std::vector<std::size_t> reproducing = {};  // … of singles, or where no single does of `together`: all ties
  bool noise = false;                         // differs everywhere by about as much, without a pattern
  double noise_size = 0;                      // the relative size of it
  std::size_t tried = 0;                      // sets of mistakes, of
  std::size_t to_try = 0;
  bool done = false;

  bool equal() const { return done && !first; }
  // The set that reproduces yours: the words of the first tie; none where nothing does, or nothing differs.
  const Tried* found() const;
  // All that reproduce yours alike, that one first.
  std::vector<const Tried*> ties() const;
  // The others, alone or together, nearest first, without those whose distance is ∞.
  std::vector<const Tried*> nearest() const;
  // Whether a set leaves clearly less than nothing changed does: else it explains nothing.
  bool helps(const Tried& set) const { return set.distance < 0.9 * nothing_changed; }
};

struct DiagnosisRequest {
  LayerSpec ours;
  std::vector<GivenStage> yours;
  Tolerance tolerance = {};
  bool pairs = true, three = false;
  bool operator==(const DiagnosisRequest&) const = default;
};

// Works in steps of some milliseconds, so that it can be watched and stopped.
class Diagnoser {
 public:
  explicit Diagnoser(DiagnosisRequest request);
  ~Diagnoser();
  Diagnoser(Diagnoser&&) noexcept;
  // Takes the next step on that backend; whether it was the last. Throws Error where ours cannot be computed.
  bool step(Backend& backend);
  const Diagnosis& found() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace attn
