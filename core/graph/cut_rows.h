// Some rows of a graph: what makes them of every stage that has a row for each query, without the others.
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace attn {

// Whether rows of it are a part that one can ask for: they are queries.
bool has_query_rows(const Stage& stage);

// Every row of these stages; 0 where none of them has any.
std::size_t query_rows(const Graph& graph);

// The same stages, of those with a row for each query these rows alone, labelled as they were; the others as
// they are. What these rows read all of (the X that keys come from) is there beside them, with "_all" behind
// its id; so is what cannot be made by rows (a softmax over queries), out of which they are taken. Throws
// Error when there are no such rows.
Graph cut_rows(const Graph& graph, const RowRange& rows);

}  // namespace attn
