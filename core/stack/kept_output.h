// Whether what is downstream of a row of weights stays when others are typed over it: the stack with and
// without what is typed.
#pragma once

#include <memory>
#include <string>

#include "core/backend/backend.h"
#include "core/evaluate/results.h"
#include "core/graph/graph.h"

namespace attn {

// Of a head's row of the weights, as the results have them: its cells that are typed over.
std::size_t typed_in_row(const Document& document, std::string_view weights, std::size_t head,
                         std::size_t row);
// All of them are given back.
void give_row_back(Document& document, std::string_view weights, std::size_t head, std::size_t row);

// The largest differences of a number: of what the head collects, and of what comes out of the stack (its
// probabilities, where it has a head).
struct KeptOutput {
  double head = 0, stack = 0;
};

// What finds them, a stage at a time: the stack without what is typed over that row is computed anew, and
// held against the results.
class KeptOutputRun {
 public:
  // `mixed`: what the head collects.
  KeptOutputRun(const Results& results, StageIndex weights, StageIndex mixed, std::size_t head,
                std::size_t row);
  ~KeptOutputRun();
  KeptOutputRun(const KeptOutputRun&) = delete;
  KeptOutputRun& operator=(const KeptOutputRun&) = delete;

  // The next stage; whether it was the last. Throws what the backend throws.
  bool step(KeptOutput& found, Backend& backend);

 private:
  struct Way;
  std::unique_ptr<Way> way_;
};

// What comes out of a stack last: logits, else the output of the last side.
StageIndex comes_out(const Results& results);

}  // namespace attn
