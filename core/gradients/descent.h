// Descent: what may learn of a layer moves until a head's weights are those that are wanted, by Adam (Kingma,
// Ba 2015). Step by step, so that somebody can watch.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/attention/layer.h"
#include "core/backend/backend.h"
#include "core/document/document.h"

namespace attn {

inline constexpr std::size_t kDescentSteps = 200;

// What it is about.
struct DescentTask {
  LayerSpec layer = {};
  std::vector<StageOverride> typed = {};  // over the layer's numbers
  Tensor wanted = {};                     // 1×n×m, rows of zeros are not asked
  std::size_t head = 0;
  bool learn_x = false, learn_q = false, learn_k = false;
  double rate = 0;
  bool operator==(const DescentTask&) const = default;

  // The layer, the head and what is wanted: what makes two losses comparable.
  bool same_question(const DescentTask& other) const;
};
DescentTask descent_task(const Document& document, std::size_t head);

// What may learn; of a direct layer Q and K themselves.
struct Learner {
  Tensor LayerSpec::*tensor;
  Role role;  // of its stage
  const char* name;
  bool DescentTask::*may;
};
std::vector<Learner> learners(const DescentTask& task);
std::string learner_words(const DescentTask& task);  // "X + W_Q"; empty: nothing

// Why its weights cannot be learnt, and what would do; empty: they can.
std::string descent_refusal(const LayerSpec& layer);

// −Σ wanted · ln A, the mean over the rows that are asked, and what it asks of the scores, A of these scores
// by softmax or softmax-1: (A·Σ wanted − wanted) ÷ rows asked.
struct WantedLoss {
  double loss = 0;
  std::vector<double> weights, upstream;  // A, and dL/dscores; n·m numbers each
};
WantedLoss wanted_loss(const Tensor& scores, const Tensor& wanted, Weighting weighting);

struct DescentStep {
  Tensor weights = {};              // 1×n×m, of the head
  std::vector<Tensor> learnt = {};  // as learners() has them
};

// What is found; copied for whoever watches, so that the steps are shared.
struct Descent {
  std::vector<double> losses = {};  // of step 0 on
  std::size_t every = 1;            // which steps are kept: a divisor of kDescentSteps
  std::vector<std::shared_ptr<const DescentStep>> kept = {};
  std::string ended = {};  // why it did not come to the last step

  // The last kept one that is not behind `step`; there is one as soon as there is a loss.
  std::size_t kept_step(std::size_t step) const;
  std::size_t bytes() const;
  const DescentStep& at(std::size_t step) const { return *kept[kept_step(step) / every]; }
};

// Makes the graph; throws Error, saying what would do, where there is none to go down on.
class Descender {
 public:
  explicit Descender(DescentTask task);
  ~Descender();
  Descender(const Descender&) = delete;
  Descender& operator=(const Descender&) = delete;

  // One step; whether it was the last.
  bool step(Descent& found, Backend& backend);

 private:
  struct Way;
  std::unique_ptr<Way> way_;
};

// A layer with what was learnt put in.
LayerSpec with_learnt(LayerSpec layer, const DescentTask& task, const DescentStep& step);

}  // namespace attn
