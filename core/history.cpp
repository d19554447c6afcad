#include "core/history.h"

#include <unordered_set>

namespace attn {
namespace {

// Every tensor of a document.
std::vector<const Tensor*> tensors_of(const LayerSpec& l) {
  return {&l.x,   &l.memory, &l.w_q, &l.w_k, &l.w_v, &l.w_o,  &l.b_q, &l.b_k,
          &l.b_v, &l.b_o,    &l.q,   &l.k,   &l.v,   &l.bias, &l.mask};
}

}  // namespace

History::History(Document first, Budget& budget) : budget_(budget) {
  steps_.push_back({std::move(first), "start"});
  trim();
}

bool History::update(const Document& draft, bool gesture_active) {
  const bool changed = !(draft == current());
  if (changed && in_gesture_) {
    Step& step = steps_.back();
    step.document = draft;
    step.name = describe(steps_[position_ - 1].document, draft);
  } else if (changed) {
    append({draft, describe(current(), draft), work()});
  }
  in_gesture_ = gesture_active && (in_gesture_ || changed);
  if (!in_gesture_) drop_empty_step();
  if (changed) trim();
  return changed;
}

void History::push(Document document, std::string name) {
  in_gesture_ = false;
  append({std::move(document), std::move(name), works_++});
  trim();
}

void History::append(Step step) {
  steps_.resize(position_ + 1);
  steps_.push_back(std::move(step));
  ++position_;
}

// A gesture that ended where it began leaves no step.
void History::drop_empty_step() {
  if (position_ == 0 || position_ + 1 != steps_.size()) return;
  const Step &last = steps_[position_], &before = steps_[position_ - 1];
  if (last.work != before.work || !(last.document == before.document)) return;
  steps_.pop_back();
  --position_;
}

void History::undo() {
  if (can_undo()) jump(position_ - 1);
}

void History::redo() {
  if (can_redo()) jump(position_ + 1);
}

void History::jump(std::size_t position) {
  if (position >= steps_.size()) return;
  position_ = position;
  in_gesture_ = false;
}

void History::trim() {
  for (;;) {
    std::unordered_set<TensorId> seen;
    std::size_t bytes = 0;
    for (const Step& step : steps_)
      for (const Tensor* tensor : tensors_of(step.document.layer))
        if (seen.insert(tensor->id()).second) bytes += tensor->bytes();
    budget_.set(Budget::history, bytes);
    if (!budget_.over() || position_ == 0) return;
    steps_.erase(steps_.begin());
    --position_;
  }
}

}  // namespace attn
