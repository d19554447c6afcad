// Graph: the stages of a computation in runnable order. A plain value; evaluating it is somebody else's work.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/operation.h"

namespace attn {

using Labels = std::vector<std::string>;

// What the rows or columns of a stage stand for. Without labels they carry their index.
struct Axis {
  std::string_view name;  // "query", "key", "feature"
  std::shared_ptr<const Labels> labels;
};

using StageIndex = std::size_t;  // position in Graph::stages

struct Stage {
  std::string id;       // "scores": the word of the command line and of files
  std::string title;    // "scores"
  std::string formula;  // "QKᵀ"
  Operation operation;
  std::vector<StageIndex> inputs;  // all smaller than this stage's own index
  Axis rows, columns;
  Shape shape;         // of the result
  bool traced = true;  // a step of the computation, as opposed to a parameter or a help stage
};

struct Graph {
  std::vector<Stage> stages;

  std::optional<StageIndex> find(std::string_view id) const;
  // The shapes of a stage's inputs.
  std::vector<Shape> input_shapes(StageIndex stage) const;
  // Checks the operation against its inputs, sets the shape and appends. Throws Error, naming the stage.
  StageIndex add(Stage stage);
};

}  // namespace attn
