// Undo steps: what makes one, and which are dropped when memory is short.
#include "core/document/history.h"

#include <cassert>

#include "core/document/document_fields.h"

namespace attn {
namespace {

// Short texts live inside their objects.
std::size_t bytes_of(const std::string& text) {
  const bool inside = text.capacity() <= std::string().capacity();
  return sizeof text + (inside ? 0 : text.capacity() + 1);
}

// Bytes of what every step has for itself, however little changed: its overrides and labels.
std::size_t lists_of(const Document& document) {
  std::size_t bytes = document.overrides.size() * sizeof(StageOverride);
  visit_all(document, [&](std::string_view, const auto& fields) {
    visit_fields(of<std::remove_cvref_t<decltype(fields)>>, [&](const auto&, auto member) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(fields.*member)>, Labels>)
        for (const std::string& label : fields.*member) bytes += bytes_of(label);
    });
  });
  return bytes;
}

// Of a step that shares nothing.
std::size_t bytes_alone(const History::Entry& step) {
  std::unordered_map<TensorId, std::size_t> matrices;
  visit_tensors(step.document, [&](std::string_view, const TensorField&, const Tensor& tensor) {
    matrices[tensor.id()] = tensor.bytes();
  });
  std::size_t bytes = step.lists;
  for (const auto& [id, size] : matrices) bytes += size;
  return bytes;
}

}  // namespace

History::History(Document first, Budget& budget) : budget_(budget) {
  const std::size_t lists = lists_of(first);
  steps_.push_back({std::move(first), "start", 0, lists});
  count(steps_.back());
  trim();
}

bool History::update(const Document& draft, bool gesture_active) {
  const bool changed = !(draft == current());
  if (changed && in_gesture_) {
    Entry& step = steps_.back();
    discount(step);
    step.document = draft;
    step.lists = lists_of(draft);
    count(step);
    step.name = describe(steps_[position_ - 1].document, draft);
    ++revision_;
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

void History::append(Entry step) {
  for (std::size_t i = position_ + 1; i < steps_.size(); ++i) discount(steps_[i]);
  steps_.resize(position_ + 1);
  step.lists = lists_of(step.document);
  steps_.push_back(std::move(step));
  count(steps_.back());
  ++position_;
  ++revision_;
}

// A gesture that ended where it began leaves no step.
void History::drop_empty_step() {
  if (position_ == 0 || position_ + 1 != steps_.size()) return;
  const Entry &last = steps_[position_], &before = steps_[position_ - 1];
  if (last.work != before.work || !(last.document == before.document)) return;
  discount(last);
  budget_.set(Budget::history, bytes_);
  steps_.pop_back();
  --position_;
  ++revision_;
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
  ++revision_;
  in_gesture_ = false;
}

void History::count(const Entry& step) {
  bytes_ += step.lists;
  visit_tensors(step.document, [&](std::string_view, const TensorField&, const Tensor& tensor) {
    if (uses_[tensor.id()]++ == 0) bytes_ += tensor.bytes();
  });
}

void History::discount(const Entry& step) {
  bytes_ -= step.lists;
  visit_tensors(step.document, [&](std::string_view, const TensorField&, const Tensor& tensor) {
    const auto use = uses_.find(tensor.id());
    assert(use != uses_.end());
    if (--use->second > 0) return;
    bytes_ -= tensor.bytes();
    uses_.erase(use);
  });
}

// The oldest steps go while there is too much of everything and history holds more than its share on top of
// the current document, which no step less would free; never the step before the current one, which a gesture
// is compared with, and never one that frees nothing: its matrices are those of the steps after it.
void History::trim() {
  budget_.set(Budget::history, bytes_);
  if (budget_.total() <= budget_.limit()) return;
  const std::size_t allowed = bytes_alone(steps_[position_]) + budget_.share(Budget::history);
  std::size_t dropped = 0, last_useful = 0;
  while (bytes_ > allowed && budget_.total() > budget_.limit() && position_ - dropped > 1) {
    const std::size_t before = bytes_;
    discount(steps_[dropped++]);
    budget_.set(Budget::history, bytes_);
    if (bytes_ < before) last_useful = dropped;
  }
  for (std::size_t i = last_useful; i < dropped; ++i) count(steps_[i]);
  if (last_useful == 0) return;
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(last_useful));
  position_ -= last_useful;
  ++revision_;
}

}  // namespace attn
