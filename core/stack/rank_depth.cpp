// The reference runs a stage after the other, and forgets what nobody reads any more.
#include "core/stack/rank_depth.h"

#include <algorithm>

#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/text/text.h"
#include "core/transformer/measures.h"

namespace attn {

StackSpec without_residual(StackSpec stack) {
  stack.residual = false;
  return stack;
}

StackSpec attention_alone(StackSpec stack) {
  stack = without_residual(std::move(stack));
  stack.norm_at = NormAt::none;
  for (StackSide* side : {&stack.encoder, &stack.decoder}) {
    side->normed = false;
    for (StackBlock& block : side->blocks) block.inner = block.gate = block.outer = {};
  }
  return stack;
}

RankRun::RankRun(const StackSpec& stack, bool decoder) {
  const StackStages stages = append_stack(graph_, stack);
  const SideStages& side = *stages.side(decoder);
  streams_.push_back(side.input);
  for (const BlockStages& block : side.blocks) streams_.push_back(block.stream);
  const StageIndex last = streams_.back();
  readers_.assign(last + 1, 0);
  readers_[last] = 1;
  double operations = 0;
  for (StageIndex i = last + 1; i-- > 0;) {
    if (readers_[i] == 0) continue;
    operations += graph_.stages[i].traits.multiply_adds;
    for (const StageIndex input : graph_.stages[i].inputs) ++readers_[input];
  }
  if (operations > kMostInReference)
    throw Error("in double this takes " + brief(operations) + " multiply-adds: a reference is of up to " +
                brief(kMostInReference));
}

void RankRun::keep(StageIndex stage, Tensor64 numbers) {
  if (std::ranges::find(streams_, stage) != streams_.end()) residuals_.push_back(rank_residual(numbers));
  outputs_.push_back(std::move(numbers));
}

bool RankRun::step() {
  const StageIndex next = outputs_.size();
  if (next == readers_.size()) return true;
  if (readers_[next] == 0) {
    outputs_.emplace_back();
    return false;
  }
  const Stage& stage = graph_.stages[next];
  std::vector<Tensor64> inputs;
  for (const StageIndex input : stage.inputs) inputs.push_back(outputs_[input]);
  keep(next, run_in_double(stage.operation, inputs));
  for (const StageIndex input : stage.inputs)
    if (--readers_[input] == 0) outputs_[input] = {};
  return outputs_.size() == readers_.size();
}

}  // namespace attn
