// History: undo and redo as snapshots of the document.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/document/document.h"
#include "core/system/budget.h"

namespace attn {

// What `b` has that `a` has not, in the words of undo steps ("temperature 3"), in the order of sessions.
std::vector<std::string> change_words(const LayerSpec& a, const LayerSpec& b);

// What changed from one document to the next, in a few words: "edit x[3, 0]", "mask: causal on".
std::string describe(const Document& before, const Document& after);

class History {
 public:
  History(Document first, Budget& budget);
  ~History() { budget_.set(Budget::history, 0); }
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  const Document& current() const { return steps_[position_].document; }

  // One frame's draft. While `gesture_active`, changes belong to one step; the step is named by describe().
  // Returns whether the current document changed.
  bool update(const Document& draft, bool gesture_active);

  // A step of its own with a name of its own, and the start of another work: a file opened, an example taken.
  void push(Document document, std::string name);

  // Which work the current step belongs to: 0 is the first one's, every push() begins the next.
  std::size_t work() const { return steps_[position_].work; }

  bool can_undo() const { return position_ > 0; }
  bool can_redo() const { return position_ + 1 < steps_.size(); }
  void undo();
  void redo();
  void jump(std::size_t position);

  struct Entry {
    Document document;
    std::string name;
    std::size_t work = 0;
    std::size_t lists = 0;  // bytes, of what no other step shares
  };
  const std::vector<Entry>& steps() const { return steps_; }
  std::size_t position() const { return position_; }
  // Another number whenever steps or position change.
  std::uint64_t revision() const { return revision_; }

 private:
  void append(Entry step);
  void count(const Entry& step);     // what it holds is added to bytes_
  void discount(const Entry& step);  // and taken from it
  void trim();
  void drop_empty_step();

  Budget& budget_;
  std::vector<Entry> steps_;  // oldest first; the first one's name is how the document came to be
  std::size_t position_ = 0, works_ = 1;
  std::uint64_t revision_ = 0;
  bool in_gesture_ = false;                         // the current step may still grow
  std::unordered_map<TensorId, std::size_t> uses_;  // of matrices: by how many steps
  std::size_t bytes_ = 0;                           // of all steps
};

}  // namespace attn
