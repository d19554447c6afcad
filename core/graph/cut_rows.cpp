// From the last stage to the first: what is needed by rows, and what as a whole; then the stages anew.
#include "core/graph/cut_rows.h"

#include <algorithm>

#include "core/system/error.h"

namespace attn {
namespace {

class Cutter {
 public:
  Cutter(const Graph& graph, const RowRange& rows) : graph_(graph), rows_(rows) {
    for (const Stage& stage : graph.stages)
      cuts_.push_back(stage.shape.rows < rows.first + rows.count
                          ? std::nullopt  // it has no such rows, and nobody asks for them
                          : cut(stage.operation, graph.input_shapes(stage), rows));
  }

  Graph made() {
    find_needed();
    made_.steps = graph_.steps;
    for (Step& step : made_.steps) step.stages.clear();
    for (StageIndex i = 0; i < graph_.stages.size(); ++i) {
      while (made_.parts.size() <= graph_.stages[i].part) begin_part();
      whole_.push_back(as_whole_[i] ? add_whole(i) : 0);
      part_.push_back(!by_rows_[i] ? 0 : cuts_[i] ? add_rows(i) : add_taken(i));
    }
    return std::move(made_);
  }

 private:
  void find_needed() {
    by_rows_.assign(graph_.stages.size(), false), as_whole_ = by_rows_;
    for (StageIndex i = graph_.stages.size(); i-- > 0;) {
      const Stage& stage = graph_.stages[i];
      (has_query_rows(stage) ? by_rows_ : as_whole_)[i] = true;
      if (by_rows_[i] && !cuts_[i]) as_whole_[i] = true;
      for (std::size_t input = 0; input < stage.inputs.size(); ++input) {
        if (as_whole_[i]) as_whole_[stage.inputs[input]] = true;
        if (by_rows_[i] && cuts_[i])
          (cuts_[i]->reads[input] == RowsRead::same ? by_rows_ : as_whole_)[stage.inputs[input]] = true;
      }
    }
  }

  void begin_part() {
    const Part& part = graph_.parts[made_.parts.size()];
    made_.begin_part({.prefix = part.prefix, .title = part.title, .layer = part.layer});
  }

  // What is the same of both. What is not there in the same way hides nothing and explains nothing.
  Stage copy(StageIndex i, const std::vector<bool>& there, const std::vector<StageIndex>& places) const {
    Stage stage = graph_.stages[i];
    stage.id.erase(0, graph_.parts[stage.part].prefix.size());
    for (auto* other : {&stage.computed_from, &stage.mask, &stage.scores})
      if (*other) *other = there[**other] ? std::optional(places[**other]) : std::nullopt;
    return stage;
  }

  StageIndex add_whole(StageIndex i) {
    Stage stage = copy(i, as_whole_, whole_);
    for (StageIndex& input : stage.inputs) input = whole_[input];
    if (by_rows_[i]) {
      stage.id += "_all";
      stage.traced = false, stage.drawn = Drawn::never;
    }
    return made_.add(std::move(stage));
  }

  Stage copy_of_rows(StageIndex i) const {
    Stage stage = copy(i, by_rows_, part_);
    const Labels all = filled_labels(stage.rows.labels ? *stage.rows.labels : Labels(), stage.shape.rows);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(rows_.first);
    stage.rows.labels =
        std::make_shared<const Labels>(first, first + static_cast<std::ptrdiff_t>(rows_.count));
    return stage;
  }

  StageIndex add_rows(StageIndex i) {
    Stage stage = copy_of_rows(i);
    stage.operation = cuts_[i]->operation;
    for (std::size_t input = 0; input < stage.inputs.size(); ++input) {
      const bool same = cuts_[i]->reads[input] == RowsRead::same;
      stage.inputs[input] = (same ? part_ : whole_)[graph_.stages[i].inputs[input]];
    }
    return made_.add(std::move(stage));
  }

  // Rows are columns of what is turned.
  StageIndex add_taken(StageIndex i) {
    Stage stage = copy_of_rows(i);
    const auto add = [&](const char* id, Operation operation, StageIndex from) {
      Stage step{.id = stage.id + id, .title = stage.title, .formula = {}, .operation = std::move(operation)};
      step.inputs = {from}, step.traced = false, step.drawn = Drawn::never;
      return made_.add(std::move(step));
    };
    const StageIndex turned = add("_turned", Transpose{}, whole_[i]);
    stage.inputs = {add("_taken", TakeColumns{rows_.first, rows_.count}, turned)};
    stage.operation = Transpose{};
    return made_.add(std::move(stage));
  }

  const Graph& graph_;
  RowRange rows_;
  std::vector<std::optional<CutOperation>> cuts_;   // by stage; none: taken out of the whole
  std::vector<bool> by_rows_, as_whole_;            // by stage: needed so
  std::vector<StageIndex> part_ = {}, whole_ = {};  // by stage: where it is made so
  Graph made_;
};

}  // namespace

bool has_query_rows(const Stage& stage) {
  return stage.rows.along == Axis::queries;
}

std::size_t query_rows(const Graph& graph) {
  std::size_t rows = 0;
  for (const Stage& stage : graph.stages)
    if (has_query_rows(stage)) rows = std::max(rows, stage.shape.rows);
  return rows;
}

Graph cut_rows(const Graph& graph, const RowRange& rows) {
  const std::size_t there = query_rows(graph);
  if (rows.count == 0 || rows.first >= there || rows.count > there - rows.first)
    throw Error("there are no rows " + std::to_string(rows.first) + " to " +
                std::to_string(rows.first + rows.count) + " of " + std::to_string(there) + " queries");
  return Cutter(graph, rows).made();
}

}  // namespace attn
