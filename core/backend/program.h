// Program: a graph made ready to be run many times on one backend; nothing is read back but what is asked
// for.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/graph/graph.h"

namespace attn {

class Backend;

inline Shape shape_of(const Region& block) {
  return {block.end.head - block.begin.head, block.end.row - block.begin.row,
          block.end.column - block.begin.column};
}

// A stage's result lies where the backend wants it, until the last stage that reads it has run; to the end
// where it is given or was to be kept. What replaces a given matrix that nothing reads any more stays in it
// (made_in_place): a cache grows, and parameters learn, by each run. All functions throw Error(Fault::device)
// when the device fails; then, and once the backend has gone, a program is good for nothing.
class Program {
 public:
  virtual ~Program() = default;

  std::size_t size() const { return shapes_.size(); }  // stages
  // Makes a stage's result from what its inputs hold, so that the stages before it come first; there is
  // nothing to do for a given one. May return before it is done (Backend::finish).
  virtual void run(StageIndex stage) = 0;
  // Every stage, in their order, so many times.
  void run_all(int times = 1);
  // What the stage does from its next run on: the same operation with other parameters, or of a given stage
  // another matrix; of the same shapes.
  virtual void set(StageIndex stage, const Operation& operation) = 0;
  // A block of the result of a stage that is given or was to be kept. Waits for it.
  virtual Tensor read(StageIndex stage, const Region& block) = 0;
  Tensor read(StageIndex stage);

 protected:
  explicit Program(const Graph& graph);
  Shape shape(StageIndex stage) const { return shapes_[stage]; }

 private:
  std::vector<Shape> shapes_;
};

// One that calls Backend::run stage after stage.
std::unique_ptr<Program> run_by_stage(Backend& backend, const Graph& graph, std::span<const StageIndex> kept);

}  // namespace attn
