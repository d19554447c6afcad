// Steps are entered one behind the other, each once; what a person leaves in one is kept as it is.
#include "app/program/lesson_play.h"

#include <utility>

#include "app/frame/lit.h"
#include "app/frame/present_view.h"
#include "app/frame/recording_view.h"
#include "app/lesson/lesson_view.h"
#include "app/program/lesson_state.h"

namespace attn {
namespace {

// While it lives, a view has nothing of what is played, how it is presented, nor of what is recorded.
class WithoutPlay {
 public:
  explicit WithoutPlay(View& view)
      : view_(view),
        played_(std::exchange(view.of<LessonView>(), {})),
        lit_(std::exchange(view.of<Lit>(), {})),
        present_(std::exchange(view.of<PresentView>(), {})),
        recording_(std::exchange(view.of<RecordingView>(), {})) {}
  ~WithoutPlay() {
    view_.of<LessonView>() = std::move(played_);
    view_.of<Lit>() = std::move(lit_);
    view_.of<PresentView>() = std::move(present_);
    view_.of<RecordingView>() = std::move(recording_);
  }
  WithoutPlay(const WithoutPlay&) = delete;
  WithoutPlay& operator=(const WithoutPlay&) = delete;

 private:
  View& view_;
  LessonView played_;
  Lit lit_;
  PresentView present_;
  RecordingView recording_;
};

void put(const KeptLook& kept, View& view) {
  view.workspace = kept.workspace;
  view.canvases = kept.canvases;
  view.pinned = kept.pinned, view.inspected = kept.inspected;
  view.grid = {};
  view.grid.locked_ranges = kept.locked_ranges;
  view.layer = kept.layer;
  view.before = kept.before;
  view.own = kept.own;
}

KeptLook taken(const View& view) {
  return {view.workspace,          view.canvases, view.pinned, view.inspected,
          view.grid.locked_ranges, view.layer,    view.before, view.own};
}

// As a window has it that is opened for the first time.
KeptLook fresh_look(std::span<const Workspace> workspaces) {
  KeptLook fresh{.workspace = &workspaces.front()};
  for (const Workspace& workspace : workspaces) fresh.canvases[&workspace] = {};
  fresh.canvases[nullptr] = {};
  return fresh;
}

}  // namespace

KeptLook kept_look(View& view) {
  const WithoutPlay without(view);
  return taken(view);
}

void put_look(const KeptLook& kept, View& view) {
  const WithoutPlay without(view);
  put(kept, view);
}

LessonPlay::LessonPlay(std::shared_ptr<const Lesson> lesson, LessonScene own, std::string own_look,
                       std::span<const Workspace> workspaces)
    : lesson_(std::move(lesson)),
      own_(std::move(own)),
      own_look_(std::move(own_look)),
      workspaces_(workspaces) {}

LessonScene LessonPlay::begun(std::size_t step, const View& view) {
  while (begun_.size() <= step) {
    LessonScene scene = begun_.empty() ? LessonScene{{}, fresh_look(workspaces_)} : begun_.back();
    View looks = view;
    put(scene.look, looks);
    enter_step(lesson_->steps[begun_.size()], scene.document, looks, workspaces_);
    begun_.push_back({std::move(scene.document), taken(looks)});
  }
  return begun_[step];
}

LessonScene LessonPlay::left(std::size_t step, const View& view) {
  const auto found = left_.find(step);
  return found == left_.end() ? begun(step, view) : found->second;
}

}  // namespace attn
