// Studies: what a workspace finds out in pieces on the engine's worker, behind results, checks and
// comparisons: a proof by differences, a descent. Found anew when what it is about is another.
#pragma once

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/engine/engine.h"

namespace attn {

// Takes the next step, of some milliseconds at most, and changes what is found; whether that was the last.
// Throws Error where there is no going on. It runs on the worker alone.
template <class Found>
using StudyStep = std::function<bool(Found& found, Backend& backend)>;

// What is found so far; a snapshot. Until there is one it is the last that was found under the same name,
// about another key: null where there is none either.
template <class Found>
struct Study {
  std::shared_ptr<const Found> found = {};
  bool stale = false;  // of another key: to be drawn as lagging, and to be taken for nothing else
  bool done = false;
  std::string error = {};  // why it does not go on
};

class Studies {
 public:
  explicit Studies(Engine& engine) : engine_(engine) {}
  Studies(const Studies&) = delete;
  Studies& operator=(const Studies&) = delete;

  // The study of this name about `key`, any value that can be compared. One about another key is given up
  // for it: `begin` makes the first step's function. What it had found is stale. Of a name there is one
  // Found.
  template <class Found, class Key>
  Study<Found> of(const std::string& name, const Key& key, const std::function<StudyStep<Found>()>& begin) {
    const auto* now = kept_.contains(name) ? std::any_cast<Key>(&kept_.at(name).key) : nullptr;
    if (!now || !(*now == key)) {
      const auto found = std::make_shared<Found>();
      StudyStep<Found> step = begin();
      Kept& kept = kept_[name];
      kept = {key, std::make_shared<Shared>(), last_of(kept)};
      start(name, kept.shared,
            {.next = [step = std::move(step), found](Backend& backend) { return step(*found, backend); },
             .snapshot = [found] { return std::make_shared<const Found>(*found); }});
    }
    Kept& kept = kept_.at(name);
    const std::lock_guard lock(kept.shared->mutex);
    const bool stale = !kept.shared->found && kept.last;
    if (!stale) kept.last = nullptr;
    return {std::static_pointer_cast<const Found>(stale ? kept.last : kept.shared->found), stale,
            kept.shared->done, kept.shared->error};
  }
  // Gives up a study and forgets what it found.
  void forget(const std::string& name);
  // In each frame: with another workspace on screen, or another device, what was found before is asked for
  // no more.
  void begin_frame(const void* workspace, const std::string& device);

 private:
  struct Steps {
    std::function<bool(Backend&)> next;
    std::function<std::shared_ptr<const void>()> snapshot;
  };
  struct Shared {
    std::mutex mutex;
    std::shared_ptr<const void> found = {};
    bool done = false;
    std::string error = {};
  };
  struct Kept {
    std::any key;
    std::shared_ptr<Shared> shared = {};
    std::shared_ptr<const void> last = {};  // of another key, until something is found of this
  };
  static std::shared_ptr<const void> last_of(const Kept& kept);
  void start(const std::string& name, const std::shared_ptr<Shared>& shared, Steps steps);

  Engine& engine_;
  std::map<std::string, Kept> kept_;
  const void* workspace_ = nullptr;
  std::string device_;
};

}  // namespace attn
