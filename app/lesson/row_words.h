// A row of numbers that an exercise asks about, as it is called.
#pragma once

#include <string>

#include "core/graph/graph.h"
#include "core/lesson/lesson.h"

namespace attn {

// "weights, row “the”"; the stage's name where the graph does not have it.
std::string row_words(const Graph& graph, const LessonCells& cells);

}  // namespace attn
