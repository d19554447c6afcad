// Where a number goes next, and which row of weights it belongs to.
#include <algorithm>

#include "app/inspector/inspector_gradient_path.h"
#include "app/inspector/inspector_numbers.h"
#include "core/checks/dictionary.h"
#include "core/graph/rounding.h"

namespace attn::inspector {
namespace {

bool is_statistic(const Stage& stage) {
  return stage.role == Role::statistic;
}

bool is_of_loss(const Graph& graph, const Stage& stage) {
  return stage.role == Role::gradient && graph.find(Role::loss, stage.part);
}

bool is_one(const Regions& regions) {
  return regions.size() == 1 && regions[0] == region(regions[0].begin);
}

std::size_t count_of(const Region& r) {
  return (r.end.head - r.begin.head) * (r.end.row - r.begin.row) * (r.end.column - r.begin.column);
}

// One stage that reads the number, and the cells of it that do.
struct Reader {
  StageIndex stage = 0;
  StageIndex shown = 0;  // where its numbers go on rounded; else itself
  std::size_t input = 0;
  Regions regions = {};
};

// Row statistics are left out: the stages that use them tell of them. So are gradients of a loss, which say
// where they come from, and all but the last of stages that do the same (concat and an output without W_O).
std::vector<Reader> readers_of(const Results& results, const Spot& spot) {
  const StageIndex from = *results.graph.find(spot.stage);
  std::vector<Reader> readers;
  for (StageIndex later = from + 1; later < results.graph.stages.size(); ++later) {
    const Stage& stage = results.graph.stages[later];
    if (is_statistic(stage) || is_of_loss(results.graph, stage)) continue;
    for (std::size_t input = 0; input < stage.inputs.size(); ++input) {
      if (stage.inputs[input] != from) continue;
      std::erase_if(readers, [&](const Reader& r) {
        return results.graph.stages[r.stage].operation == stage.operation && r.input == input &&
               results.graph.stages[r.stage].inputs == stage.inputs;
      });
      // An override that replaces the number does not read it, but tells where it went.
      const bool replaced = stage.computed_from.has_value();
      const auto shapes = results.graph.input_shapes(later);
      Regions regions =
          replaced ? Regions(region(spot.cell)) : reach(stage.operation, shapes, input, spot.cell);
      if (!regions.empty() && !is_known(results, later, regions[0].begin)) continue;
      readers.push_back({later, rounded_from(results.graph, later), input, std::move(regions)});
    }
  }
  return readers;
}

// What happens to the number on its way through a stage, in a few words; nothing where an override leaves it
// alone.
std::string passage(const Graph& graph, StageIndex stage, const Explanation& e, std::size_t input) {
  if (!e.passages.empty())
    return to_string(written(graph, stage, e.passages[std::min(input, e.passages.size() - 1)]));
  return graph.stages[stage].computed_from ? "" : e.rule;
}

std::string span(std::size_t begin, std::size_t end) {
  const std::string first = std::to_string(begin);
  return end == begin + 1 ? first : first + "…" + std::to_string(end - 1);
}

PathStep one(const Results& results, const Reader& reader) {
  const Cell cell = reader.regions[0].begin;
  const Explanation e = explain(results, reader.stage, cell);
  return {.what = passage(results.graph, reader.stage, e, reader.input),
          .title = results.graph.stages[reader.shown].title,
          .figure = figure_at(results, reader.shown, cell)};
}

// No cell reads the number: its head is switched off, or the table has a row that no offset asks for.
PathStep none(const Results& results, const Reader& reader, const Spot& from) {
  const Stage& stage = results.graph.stages[reader.stage];
  const bool head = stage.traits.joins_heads;
  return {.what = head ? "head " + std::to_string(from.cell.head) + " is switched off" : "leaves it out",
          .title = stage.title,
          .figure = {.role = stage.role},
          .many = true};
}

// The box around all of them, and how many numbers there are.
PathStep many(const Results& results, const Reader& reader) {
  const Stage& stage = results.graph.stages[reader.shown];
  Region r = reader.regions[0];
  std::size_t count = 0;
  for (const Region& one : reader.regions) {
    count += count_of(one);
    r.begin.row = std::min(r.begin.row, one.begin.row), r.end.row = std::max(r.end.row, one.end.row);
    r.begin.column = std::min(r.begin.column, one.begin.column);
    r.end.column = std::max(r.end.column, one.end.column);
  }
  std::string title = stage.title + "[" + span(r.begin.row, r.end.row);
  if (stage.shape.columns > 1) title += ", " + span(r.begin.column, r.end.column);
  title += "]";
  if (r.end.head > r.begin.head + 1) title += " of " + std::to_string(r.end.head - r.begin.head) + " heads";
  return {.what = "in " + std::to_string(count) + " numbers",
          .title = std::move(title),
          .figure = figure_at(results, reader.shown, reader.regions[0].begin),
          .many = true};
}

}  // namespace

std::vector<PathStep> where_it_goes(const Results& results, const Spot& from) {
  if (results.graph.stages[*results.graph.find(from.stage)].role == Role::gradient)
    return where_a_gradient_goes(results, from);
  std::vector<PathStep> legs;
  for (Spot spot = from;;) {
    const std::vector<Reader> readers = readers_of(results, spot);
    const bool chain = readers.size() == 1 && is_one(readers[0].regions);
    for (const Reader& reader : readers) {
      PathStep leg = reader.regions.empty()   ? none(results, reader, spot)
                     : is_one(reader.regions) ? one(results, reader)
                                              : many(results, reader);
      if (chain) spot = *leg.figure.spot;
      if (!leg.what.empty()) {
        legs.push_back(std::move(leg));
      } else if (!legs.empty()) {  // an override that left the number alone is where the leg before led
        legs.back().title = std::move(leg.title);
        legs.back().figure = std::move(leg.figure);
      }
    }
    if (!chain) return legs;
  }
}

std::optional<Attention> attention_of(const Results& results, const Spot& spot, std::size_t shown_head) {
  const StageIndex index = *results.graph.find(spot.stage);
  const Stage& stage = results.graph.stages[index];
  const bool own = stage.traced && stage.role == Role::weights;
  const auto weights = own ? std::optional(index) : mixing_weights(results.graph, stage.part);
  if (!weights) return std::nullopt;
  const StageResult& result = results.outputs[*weights];
  const Shape shape = result.shape();
  const Cell cell = spot.cell;
  Attention attention{.title = {}, .weights = *weights};
  attention.head = std::min(shown_head, shape.stack - 1);
  if (const std::size_t shared = shape.stack / stage.shape.stack; stage.shape.stack > 1) {
    const std::size_t first = cell.head * shared;  // of the heads that read this matrix
    if (attention.head < first || attention.head >= first + shared) attention.head = first;
  } else if (shape.stack > 1 && stage.traits.joins_heads) {
    attention.head = cell.column / (stage.shape.columns / shape.stack);
  }
  const std::string row = std::to_string(cell.row);
  if (stage.rows.along == Axis::queries && result.holds({0, cell.row, 0})) {
    attention.query = cell.row;
    attention.title = "Row " + row + " · " + quoted(stage.rows, cell.row) + " attends to";
  } else if (stage.rows.along == Axis::keys && cell.row < shape.columns && result.here()) {
    attention.key = cell.row;
    attention.title = "Column " + row + " · who attends to " + quoted(stage.rows, cell.row);
  } else {
    return std::nullopt;
  }
  return attention;
}

}  // namespace attn::inspector
