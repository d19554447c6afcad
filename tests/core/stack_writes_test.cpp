// The stream as the sum of all that was written to it, in double.
#include "core/transformer/writes.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/document/document.h"
#include "core/document/stack_edit.h"
#include "core/io/stack_models.h"
#include "core/reference/backend.h"

using namespace attn;

namespace {

// The model of dates with its norms elsewhere, or without residuals.
struct WrittenStack {
  Document document;
  Graph graph = {};
  StackStages stages = {};
  std::vector<Tensor64> numbers = {};
  explicit WrittenStack(NormAt at, bool residual = true) {
    document.transformer = dates_stack();
    if (at != NormAt::before) set_norm_at(document, at);
    document.transformer.residual = residual;
    switch_stack_box(document, true, 1, StackBox::cross);
    stages = append_stack(graph, document.transformer);
    numbers = evaluate_in_double(graph);
  }
  std::vector<std::string> words(bool decoder, StageIndex stream) const {
    std::vector<std::string> words;
    for (const StreamWrite& write : writes_of(graph, stages, decoder, stream)) words.push_back(write.words);
    return words;
  }
  // Of all numbers of the stage, relative to the largest that is added.
  double farthest(bool decoder, StageIndex stream) const {
    const auto writes = writes_of(graph, stages, decoder, stream);
    double off = 0, largest = 0;
    for (std::size_t i = 0; i < numbers[stream].values().size(); ++i) {
      double sum = 0;
      for (const StreamWrite& write : writes) {
        sum += numbers[write.stage].data()[i];
        largest = std::max(largest, std::abs(numbers[write.stage].data()[i]));
      }
      off = std::max(off, std::abs(sum - numbers[stream].data()[i]));
    }
    return off / largest;
  }
};

}  // namespace

TEST_CASE("the stream is the sum of its writes, wherever norms stand and without residuals") {
  for (const NormAt at : {NormAt::before, NormAt::after, NormAt::none})
    for (const bool residual : {true, false}) {
      CAPTURE(static_cast<int>(at));
      CAPTURE(residual);
      const WrittenStack stack(at, residual);
      for (const bool decoder : {false, true}) {
        const SideStages& side = *stack.stages.side(decoder);
        // Up to 15 sums, each rounded to half a unit of at most 15 times the largest.
        CHECK(stack.farthest(decoder, side.input) <= 15 * 15 * 0x1p-53);
        for (const BlockStages& block : side.blocks)
          for (const BoxStages& box : block.boxes) {
            CHECK(stack.farthest(decoder, box.stream) <= 15 * 15 * 0x1p-53);
            if (at == NormAt::after)
              CHECK(stack.farthest(decoder, stack.graph.stages[box.stream].inputs.front()) <=
                    15 * 15 * 0x1p-53);
          }
      }
    }
}

TEST_CASE("writes are told in the order of the computation, those of a box that is off not at all") {
  using Words = std::vector<std::string>;
  const WrittenStack before(NormAt::before);
  const SideStages& decoder = *before.stages.decoder;
  CHECK(before.words(true, decoder.input) == Words{"embed", "position"});
  CHECK(before.words(true, decoder.blocks[1].stream) ==
        Words{"embed", "position", "layer 0 attention", "layer 0 cross-attention", "layer 0 feed-forward",
              "layer 1 attention", "layer 1 feed-forward"});
  CHECK(before.words(false, before.stages.encoder->blocks[0].boxes[0].stream) ==
        Words{"embed", "position", "layer 0 attention"});
}

TEST_CASE("the sum begins anew behind a norm, and at each box without residuals") {
  using Words = std::vector<std::string>;
  const WrittenStack after(NormAt::after);
  const BlockStages& block = after.stages.encoder->blocks[1];
  const auto sum_of = [&](const BoxStages& box) { return after.graph.stages[box.stream].inputs.front(); };
  CHECK(after.words(false, sum_of(block.boxes[1])) == Words{"layer 1 norm", "layer 1 feed-forward"});
  CHECK(after.words(false, block.stream) == Words{"layer 1 norm"});
  const WrittenStack bare(NormAt::before, false);
  CHECK(bare.words(false, bare.stages.encoder->blocks[1].stream) == Words{"layer 1 feed-forward"});
}
