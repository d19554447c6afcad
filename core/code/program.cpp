// A program of every needed stage, one after the other.
#include "core/code/program.h"

#include "core/code/program_writer.h"

namespace attn::code {

ProgramText program_of(const Graph& graph, const std::vector<bool>& needed, const Language& language) {
  std::size_t given = 0;
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (needed[i] && graph.stages[i].given()) given += graph.stages[i].shape.size();
  check_size(given);
  ProgramWriter program(graph, ends_of(graph, needed), language);
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (needed[i]) program.write(i);
  return {program.text(), program.names()};
}

}  // namespace attn::code
