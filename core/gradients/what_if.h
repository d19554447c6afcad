// What if: the gradients of the same loss, were one thing of the layer otherwise.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/evaluate/run.h"
#include "core/gradients/sizes.h"

namespace attn {

enum class WhatIf { scale_off, cold, no_mask, large_inputs };

// Those that a person asks for, in this order.
std::vector<WhatIf> what_ifs_of(const GradientsSpec& spec);
std::string_view title_of(WhatIf what);

// What the sizes depend on and what is asked for, with nothing else of the document.
Document what_ifs_about(const Document& document, Address address = kLayerA);

// The document with one thing otherwise: scores not divided, the softmax at T = 0.1, no mask, or X and M (of
// a direct layer Q, K and V) ten times as large.
Document otherwise(Document document, WhatIf what, Address address = kLayerA);

// The graph of that. The loss stays what it was: a target or labels that were made from X are those of the
// X of now.
Built build_what_if(const Document& document, WhatIf what, Address address = kLayerA);

// The sizes of its gradients, by stages of its own graph: their ids tell which is which.
struct WhatIfSizes {
  WhatIf what = WhatIf::scale_off;
  std::vector<std::pair<std::string, double>> stages =
      {};  // the id of what the gradient is of; StageSize::part
  std::vector<double> tokens = {};
  std::string error = {};  // why there are none
};

// What finds them, a stage at a time: each may have another backend.
class WhatIfRun {
 public:
  WhatIfRun(const Document& document, WhatIf what, Address address = kLayerA);
  WhatIfRun(const WhatIfRun&) = delete;
  WhatIfRun& operator=(const WhatIfRun&) = delete;

  // The next stage. Throws Error where all of them do not fit the memory, and what the backend throws.
  void step(Backend& backend);
  bool done() const { return run_ && run_->done(); }
  WhatIfSizes sizes() const;

 private:
  void begin(Backend& backend);
  void measure(StageIndex stage, const Tensor& numbers);

  WhatIf what_;
  Built built_;
  const GradientsPlaces& places_;
  std::vector<bool> told_;             // gradients
  std::vector<double> norms_ = {};     // of those
  std::vector<double> tokens_ = {};    // norms of the rows of dX
  std::optional<StagesRun> run_ = {};  // none before the first step
};

}  // namespace attn
