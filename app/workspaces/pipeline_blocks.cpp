#include "app/workspaces/pipeline_blocks.h"

#include <algorithm>
#include <array>

#include "app/on_canvas.h"
#include "core/attention/edit.h"
#include "core/error.h"

namespace attn {
namespace {

// With the titles that build_graph gives them.
constexpr std::array<std::pair<const char*, const char*>, 14> kInputs{{{"x", "X"},
                                                                       {"memory", "M"},
                                                                       {"w_q", "W_Q"},
                                                                       {"b_q", "b_Q"},
                                                                       {"w_k", "W_K"},
                                                                       {"b_k", "b_K"},
                                                                       {"w_v", "W_V"},
                                                                       {"b_v", "b_V"},
                                                                       {"q", "Q"},
                                                                       {"k", "K"},
                                                                       {"v", "V"},
                                                                       {"w_o", "W_O"},
                                                                       {"b_o", "b_O"},
                                                                       {"bias", "bias"}}};

// The inputs of a document that makes no layer (yet): what there is to repair.
Graph inputs_of(const Document& document) {
  Graph graph;
  for (const auto& [id, title] : kInputs)
    if (const Tensor* tensor = input_tensor(document, id); tensor && !tensor->empty())
      graph.stages.push_back({.id = id,
                              .title = title,
                              .formula = "given",
                              .operation = Source{*tensor},
                              .inputs = {},
                              .rows = {},
                              .columns = {},
                              .shape = tensor->shape(),
                              .traced = true});
  return graph;
}

// Labels of another length belong to a document of another size: indices then.
void fit_labels(Axis& axis, std::size_t count) {
  if (axis.labels && axis.labels->size() != count) axis.labels.reset();
}

Axis draft_axis(const Axis& axis, const LayerSpec& layer) {
  if (axis.name == "query") return {axis.name, std::make_shared<const Labels>(layer.tokens)};
  if (axis.name == "key")
    return {axis.name, std::make_shared<const Labels>(token_labels(layer, TokenSide::key))};
  return axis;
}

class Builder {
 public:
  Builder(const Frame& frame, const Graph& graph)
      : frame_(frame),
        graph_(graph),
        heads_(head_count(graph)),
        mask_(frame.results ? frame.results->output("mask") : Tensor()) {}

  std::vector<BlockGroup> build() {
    inputs();
    if (frame_.view.show_parameters) parameters();
    scores();
    weights();
    merged();
    std::erase_if(groups_, [](const BlockGroup& group) { return group.blocks.empty(); });
    return std::move(groups_);
  }

 private:
  // Adds the stage to the last group if the layer has it.
  Block* add(const char* id, bool arrow = true) {
    const auto index = graph_.find(id);
    if (!index) return nullptr;
    const Stage& stage = graph_.stages[*index];
    Block block;
    Grid& grid = block.grid;
    grid.stage = id;
    grid.title = stage.title;
    const Tensor* given = input_tensor(std::as_const(frame_.draft), id);
    grid.input = given != nullptr;
    grid.values = given ? *given : frame_.results ? frame_.results->output(id) : Tensor();
    block.shape = grid.values.empty() ? stage.shape : grid.values.shape();
    grid.head = block.shape.stack > 1 ? matrix_of(block.shape.stack) : 0;
    grid.rows = given ? draft_axis(stage.rows, frame_.draft.layer) : stage.rows;
    grid.columns = given ? draft_axis(stage.columns, frame_.draft.layer) : stage.columns;
    fit_labels(grid.rows, block.shape.rows);
    fit_labels(grid.columns, block.shape.columns);
    grid.subtitle = subtitle(stage, block.shape);
    if (!grid.values.empty()) grid.map = colour_map_of(frame_, grid.stage, grid.values);
    block.arrow = arrow;
    groups_.back().blocks.push_back(std::move(block));
    return &groups_.back().blocks.back();
  }

  // Consecutive heads share a matrix of a smaller stack.
  std::size_t matrix_of(std::size_t stack) const {
    if (heads_ % stack != 0) return std::min(frame_.view.head, stack - 1);
    return shared_matrix(std::min(frame_.view.head, heads_ - 1), stack, heads_);
  }

  Subtitle subtitle(const Stage& stage, const Shape& shape) const {
    Subtitle parts{{stage.formula},
                   {.text = to_string(Shape{1, shape.rows, shape.columns}), .essential = true}};
    if (shape.stack > 1 && shape.stack <= heads_)
      parts.push_back({(shape.stack == heads_ ? "head " : "K/V ") + std::to_string(matrix_of(shape.stack))});
    return parts;
  }

  void hatch(Block* block) {
    if (!block || mask_.empty() || mask_.rows() != block->shape.rows ||
        mask_.columns() != block->shape.columns)
      return;
    block->grid.mask = mask_;
  }

  void inputs() {
    groups_.emplace_back();
    add("memory", false);
    add("x", false);
    add("position");
    groups_.emplace_back();
    groups_.back().joins = true;
    add("q");
    add("k", false);
    add("v", false);
  }

  void parameters() {
    groups_.emplace_back();
    for (const char* id : kParameters) add(id, false);
  }

  void scores() {
    groups_.emplace_back();
    add("scores");
    add("scaled");
    add("bias", false);
    add("biased");
    hatch(add("masked"));
  }

  void weights() {
    groups_.emplace_back();
    if (frame_.view.open_softmax) {
      add("row_max");
      hatch(add("exp"));
      add("row_sum");
    }
    Block* weights = add("weights");
    hatch(weights);
    const std::optional<Block> shown = weights ? std::optional(*weights) : std::nullopt;
    hatch(add("dropped"));
    Block* output = add("head_output");
    if (output && !merges_heads(graph_)) output->grid.title = "output";
    if (shown) special(*shown, Block::arcs, "arcs", {{"query → key"}});
  }

  void special(Block block, Block::Kind kind, const char* title, Subtitle what) {
    block.kind = kind;
    block.arrow = false;
    block.grid.title = title;
    if (kind == Block::arcs && heads_ > 1)
      what.insert(what.begin(), {"head " + std::to_string(block.grid.head)});
    block.grid.subtitle = std::move(what);
    groups_.back().blocks.push_back(std::move(block));
  }

  void merged() {
    if (!merges_heads(graph_)) return;
    const Block weights = *find("weights");
    groups_.emplace_back();
    groups_.back().joins = true;
    if (heads_ > 1)
      special(weights, Block::heads, "heads", {{std::to_string(heads_)}, {"click shows one large"}});
    const auto output = graph_.find("output");
    const bool projected = output && std::holds_alternative<Project>(graph_.stages[*output].operation);
    if (projected) add("concat", false);
    add("output", projected);
  }

  const Block* find(std::string_view id) const {
    for (const BlockGroup& group : groups_)
      for (const Block& block : group.blocks)
        if (block.grid.stage == id) return &block;
    return nullptr;
  }

  const Frame& frame_;
  const Graph& graph_;
  std::size_t heads_;
  Tensor mask_;
  std::vector<BlockGroup> groups_;
};

}  // namespace

Graph shown_graph(const Results* results, const Document& document) {
  if (results) return results->graph;
  try {
    return build_graph(document.layer);
  } catch (const Error&) {  // the engine says what is wrong
    return inputs_of(document);
  }
}

std::size_t head_count(const Graph& graph) {
  const auto scores = graph.find("scores");
  return scores ? std::max<std::size_t>(1, graph.stages[*scores].shape.stack) : 1;
}

bool merges_heads(const Graph& graph) {
  const auto output = graph.find("output");
  if (!output || !graph.find("head_output")) return false;
  const Concat* concat = std::get_if<Concat>(&graph.stages[*output].operation);
  return !concat || !concat->muted.empty() || head_count(graph) > 1;
}

std::vector<BlockGroup> pipeline_blocks(const Frame& frame, const Graph& graph) {
  return Builder(frame, graph).build();
}

}  // namespace attn
