// The descent as a study behind the results, and what outlives it: earlier runs of the same question.
#include <algorithm>

#include "app/workspaces/gradients/descend.h"
#include "core/gradients/fields.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::size_t kMostEarlier = 8;

Tensor head_of(const Tensor& stack, std::size_t head) {
  if (stack.stack() <= 1) return stack;
  const std::size_t count = stack.rows() * stack.columns();
  const auto numbers = stack.values().subspan(head * count, count);
  return {{1, stack.rows(), stack.columns()}, {numbers.begin(), numbers.end()}};
}

void follow_head(const GradientsScene& scene, const Tensor& wanted, HeadAsked& asked) {
  const Stage& weights = scene.stage(scene.places().layer.weights);
  const TensorId mask = weights.mask ? scene.results.outputs[*weights.mask].id() : 0;
  HeadAsked::Sources from{.wanted = wanted.id(),
                          .mask = mask,
                          .head = scene.head,
                          .shape = weights.shape,
                          .rows = weights.rows.labels,
                          .columns = weights.columns.labels};
  if (asked.from == from) return;
  asked = {.from = std::move(from), .head = painted_head(scene.results, scene.head)};
  if (wanted.shape() != asked.head.shape()) return;
  asked.rows = rows_asked(wanted);
  asked.refusal = wanted_refusal(wanted, asked.head);
}

// What ended is kept while the question stays the same; that which is asked anew is no earlier one.
void begin_task(Frame& frame, DescendMemo& memo, DescentTask task) {
  if (memo.task && memo.task->same_question(task)) {
    if (memo.done && memo.found && !memo.found->losses.empty())
      memo.earlier.push_back({*memo.task, memo.losses});
    std::erase_if(memo.earlier, [&](const DescentRun& run) { return run.task == task; });
    if (memo.earlier.size() > kMostEarlier) memo.earlier.erase(memo.earlier.begin());
  } else {
    memo.earlier.clear();
    frame.canvas().plots.erase(kDescentPlot);  // as far as other losses were zoomed
  }
  memo.task = std::move(task), memo.found = nullptr, memo.losses = {}, memo.done = false;
}

// Goes on with it. Why it does not; empty: it does.
std::string follow(Frame& frame, DescendMemo& memo) {
  const DescentTask& task = *memo.task;
  const auto study = frame.studies.of<Descent>("gradients.descent", task, [&task] {
    return [task, descender = std::shared_ptr<Descender>()](Descent& found, Backend& backend) mutable {
      if (!descender) descender = std::make_shared<Descender>(task);
      return descender->step(found, backend);
    };
  });
  memo.done = study.done;
  if (study.found && !study.stale && study.found != memo.found) {
    memo.found = study.found;
    memo.losses = Samples::of({study.found->losses.begin(), study.found->losses.end()});
  }
  return !study.error.empty() ? study.error : memo.found ? memo.found->ended : std::string();
}

}  // namespace

PaintedHead painted_head(const Results& results, std::size_t head) {
  const GradientsPlaces& places = *results.places.as<GradientsPlaces>();
  const Stage& weights = results.graph.stages[places.layer.weights];
  PaintedHead painted{.queries = weights.shape.rows,
                      .keys = weights.shape.columns,
                      .rows = weights.rows,
                      .columns = weights.columns};
  if (weights.mask && results.outputs[*weights.mask].here()) {
    const Tensor& mask = results.outputs[*weights.mask].whole();
    painted.mask = head_of(mask, head * mask.stack() / weights.shape.stack);
  }
  return painted;
}

std::string name_of_descent(const DescentTask& task) {
  return learner_words(task) + ", " + brief(task.rate);
}

DescendScene descend_scene(GradientsScene& gradients) {
  Frame& frame = gradients.frame;
  DescendMemo& memo = frame.memos.of<DescendMemo>();
  if (DescentTask task = descent_task(gradients.results.document, gradients.head); !(memo.task == task))
    begin_task(frame, memo, std::move(task));
  follow_head(gradients, memo.task->wanted, memo.asked);
  DescendScene scene{.scene = gradients,
                     .memo = memo,
                     .task = *memo.task,
                     .head = memo.asked.head,
                     .painted = memo.asked.rows > 0};
  scene.words = descent_refusal(scene.task.layer);
  if (scene.words.empty() && scene.painted) scene.words = memo.asked.refusal;
  if (scene.words.empty() && scene.painted && learners(scene.task).empty())
    scene.words = "nothing may learn: choose below what may move";
  if (scene.words.empty() && scene.painted) scene.words = follow(frame, memo);
  if (!scene.moving()) return scene;
  scene.step = memo.found->kept_step(std::min(gradients.view().step, memo.found->losses.size() - 1));
  scene.weights = memo.found->at(scene.step).weights;
  return scene;
}

}  // namespace attn
