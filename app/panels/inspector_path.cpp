// Where a number goes next, and which row of weights it belongs to.
#include <algorithm>

#include "app/panels/inspector_model.h"
#include "app/panels/inspector_numbers.h"

namespace attn::inspector {
namespace {

bool is_statistic(const Operation& operation) {
  return std::holds_alternative<RowMaximum>(operation) || std::holds_alternative<RowSum>(operation);
}

bool is_one(const Region& region) {
  return region == attn::region(region.begin);
}

// One stage that reads the number, and the cells of it that do.
struct Reader {
  StageIndex stage = 0;
  std::size_t input = 0;
  Region region;
};

// Row statistics are left out: the stages that use them tell of them. So is all but the last of stages that
// do the same (concat and an output without W_O).
std::vector<Reader> readers_of(const Results& results, const Spot& spot) {
  const StageIndex from = *results.graph.find(spot.stage);
  std::vector<Reader> readers;
  for (StageIndex later = from + 1; later < results.graph.stages.size(); ++later) {
    const Stage& stage = results.graph.stages[later];
    if (is_statistic(stage.operation) || results.outputs[later].empty()) continue;
    for (std::size_t input = 0; input < stage.inputs.size(); ++input) {
      if (stage.inputs[input] != from) continue;
      std::erase_if(readers, [&](const Reader& r) {
        return results.graph.stages[r.stage].operation == stage.operation && r.input == input &&
               results.graph.stages[r.stage].inputs == stage.inputs;
      });
      // An override that replaces the number does not read it, but tells where it went.
      const bool replaced = std::holds_alternative<Override>(stage.operation);
      const auto shapes = results.graph.input_shapes(later);
      readers.push_back(
          {later, input, replaced ? region(spot.cell) : reach(stage.operation, shapes, input, spot.cell)});
    }
  }
  return readers;
}

// What one operation does to the number on its way, in a few words.
struct Doing {
  const Results& results;
  const Stage& stage;
  const Explanation& e;
  std::size_t input;

  const Operand& operand(std::size_t i) const { return e.terms[0].operands[i]; }

  std::string operator()(const Scale& op) const {
    return op.text.starts_with("1/") ? "÷ " + op.text.substr(2) : "× " + op.text;
  }
  std::string operator()(const Add&) const {
    const std::size_t other = 1 - input;
    return "+ " + write(e.terms[other].value) + " (" + results.graph.stages[stage.inputs[other]].title + ")";
  }
  std::string operator()(const MaskFill& op) const {
    if (op.adds() && e.terms.size() > 1) return "masked: −1e9 is added";
    return e.terms[0].operands[0].input == 0 ? "kept by the mask" : "masked: becomes " + write(op.value());
  }
  std::string operator()(const Exponential&) const {
    if (e.combine != Combine::exponential) return e.rule;
    return "exp(" + write(operand(0).value) + " − " + write(operand(1).value) + ")";
  }
  std::string operator()(const Normalize&) const {
    return e.combine == Combine::quotient ? "÷ row sum " + write(operand(1).value) : e.rule;
  }
  std::string operator()(const Dropout& op) const {
    return e.combine == Combine::choice ? "dropped" : "kept, ÷ (1 − " + write(op.p) + ")";
  }
  std::string operator()(const Override&) const {
    return e.terms[0].operands[0].input < 0 ? "replaced by your number" : "";
  }
  std::string operator()(const MatMul&) const { return "one term of a sum"; }
  std::string operator()(const Project&) const { return "one term of a sum"; }
  std::string operator()(const auto&) const { return e.rule; }
};

std::string span(std::size_t begin, std::size_t end) {
  const std::string first = std::to_string(begin);
  return end == begin + 1 ? first : first + "…" + std::to_string(end - 1);
}

Step one(const Results& results, const Reader& reader) {
  const Stage& stage = results.graph.stages[reader.stage];
  const Cell cell = reader.region.begin;
  const Explanation e = explain(results, reader.stage, cell);
  return {.what = std::visit(Doing{results, stage, e, reader.input}, stage.operation),
          .title = stage.title,
          .figure = {results.outputs[reader.stage][cell], "", Spot{stage.id, cell}}};
}

Step many(const Results& results, const Reader& reader) {
  const Stage& stage = results.graph.stages[reader.stage];
  const Region& r = reader.region;
  std::string title = stage.title + "[" + span(r.begin.row, r.end.row);
  if (stage.shape.columns > 1) title += ", " + span(r.begin.column, r.end.column);
  title += "]";
  if (r.end.head > r.begin.head + 1) title += " of " + std::to_string(r.end.head - r.begin.head) + " heads";
  const std::size_t count =
      (r.end.head - r.begin.head) * (r.end.row - r.begin.row) * (r.end.column - r.begin.column);
  return {.what = "in " + std::to_string(count) + " numbers",
          .title = std::move(title),
          .figure = {results.outputs[reader.stage][r.begin], "", Spot{stage.id, r.begin}},
          .many = true};
}

}  // namespace

std::vector<Step> where_it_goes(const Results& results, const Spot& from) {
  std::vector<Step> steps;
  for (Spot spot = from;;) {
    const std::vector<Reader> readers = readers_of(results, spot);
    const bool chain = readers.size() == 1 && is_one(readers[0].region);
    for (const Reader& reader : readers) {
      Step step = is_one(reader.region) ? one(results, reader) : many(results, reader);
      if (chain) spot = *step.figure.spot;
      if (!step.what.empty()) {
        steps.push_back(std::move(step));
      } else if (!steps.empty()) {  // an override that left the number alone is where the step before led
        steps.back().title = std::move(step.title);
        steps.back().figure = std::move(step.figure);
      }
    }
    if (!chain) return steps;
  }
}

std::optional<Attention> attention_of(const Results& results, const Spot& spot, std::size_t shown_head) {
  const auto weights = results.graph.find("weights");
  if (!weights || results.outputs[*weights].empty()) return std::nullopt;
  const Shape shape = results.outputs[*weights].shape();
  const Stage& stage = results.graph.stages[*results.graph.find(spot.stage)];
  const Cell cell = spot.cell;
  Attention attention;
  attention.head = std::min(shown_head, shape.stack - 1);
  if (const std::size_t shared = shape.stack / stage.shape.stack; stage.shape.stack > 1) {
    const std::size_t first = cell.head * shared;  // of the heads that read this matrix
    if (attention.head < first || attention.head >= first + shared) attention.head = first;
  } else if (const auto* concat = std::get_if<Concat>(&stage.operation); concat && shape.stack > 1) {
    attention.head = cell.column / (stage.shape.columns / shape.stack);
  }
  const std::string row = std::to_string(cell.row);
  if (stage.rows.name == "query" && cell.row < shape.rows) {
    attention.query = cell.row;
    attention.title = "Row " + row + " · " + quoted(stage.rows, cell.row) + " attends to";
  } else if (stage.rows.name == "key" && cell.row < shape.columns) {
    attention.key = cell.row;
    attention.title = "Column " + row + " · who attends to " + quoted(stage.rows, cell.row);
  } else {
    return std::nullopt;
  }
  return attention;
}

}  // namespace attn::inspector
