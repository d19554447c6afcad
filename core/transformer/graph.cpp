// The sides of a stack: what goes in, its blocks, what comes out; and what is made of that.
#include "core/transformer/graph.h"

#include <algorithm>

#include "core/attention/layer_positions.h"
#include "core/graph/softmax_stages.h"
#include "core/system/error.h"
#include "core/transformer/builder.h"

namespace attn {

StageIndex SideBuilder::add(Stage stage) {
  stage.step = step;
  return graph.add(std::move(stage));
}

void SideBuilder::begin_block(const std::string& more) {
  graph.begin_part({.prefix = name() + "." + std::to_string(block) + "." + more,
                    .title = name() + ", layer " + std::to_string(block)});
}

void SideBuilder::begin_side() {
  graph.begin_part({.prefix = name() + ".", .title = name()});
}

StageIndex SideBuilder::given(std::string id, std::string symbol, const Tensor& tensor, std::string field,
                              std::string sentence) {
  const Axis rows = tensor.rows() == 1 ? Axis{} : feature;
  return add({.id = std::move(id),
              .title = symbol,
              .formula = "given",
              .symbol = symbol,
              .operation = Source{tensor},
              .rows = rows,
              .columns = feature,
              .traced = false,
              .drawn = Drawn::parameters,
              .sentence = std::move(sentence),
              .field = std::move(field)});
}

Stage SideBuilder::row(std::string id, std::string title, std::string formula, Operation operation,
                       std::vector<StageIndex> inputs, std::string sentence) const {
  return {.id = std::move(id),
          .title = std::move(title),
          .formula = std::move(formula),
          .operation = std::move(operation),
          .inputs = std::move(inputs),
          .rows = tokens,
          .columns = feature,
          .role = Role::token,
          .sentence = std::move(sentence)};
}

StageIndex SideBuilder::append_norm(StageIndex from, const NormWeights& norm, std::string id,
                                    std::string title, const std::string& weights, const std::string& part) {
  const bool centred = stack.norm_kind == NormKind::layer;
  std::vector<StageIndex> inputs{from};
  std::string formula = centred ? "(x − μ) ÷ √(σ² + ε)" : "x ÷ √(mean x² + ε)";
  if (!norm.gain.empty()) {
    inputs.push_back(given(weights + ".weight", "γ", norm.gain, part + ".gain", "the gain of feature %j"));
    formula += " · gain";
    if (centred && !norm.bias.empty()) {
      inputs.push_back(given(weights + ".bias", "β", norm.bias, part + ".bias", "the bias of feature %j"));
      formula += " + bias";
    }
  }
  return add(row(std::move(id), std::move(title), std::move(formula), RowNorm{centred, stack.epsilon},
                 std::move(inputs), (side.tokens.empty() ? "" : "token ") + std::string("%r, feature %j")));
}

namespace {

void check_side(const SideBuilder& b) {
  const std::string the = "the " + b.name();
  if (b.side.x.empty() && b.side.ids.empty())
    throw Error(the + " has no input: give one row of features for each token");
  if (!b.side.ids.empty() && b.stack.embedding.empty())
    throw Error(the + " has ids of symbols, and there is no embedding: give one, or rows of features");
  if (b.side.blocks.empty())
    throw Error(the + " has no layers: give it from 1 to " + std::to_string(kMostBlocks));
  for (const StackBlock& block : b.side.blocks)
    if (block.cross && !b.memory)
      throw Error(the + " attends to an encoder, and there is none: give the stack an encoder");
}

// What stands for the tokens before positions are added.
StageIndex append_tokens(SideBuilder& b, std::optional<StageIndex> embedding, bool positioned) {
  const std::string key = part_key(b.decoder, "");
  if (b.side.ids.empty()) {
    Stage stage = b.row(positioned ? "x" : "input", "X", "given", Source{b.side.x}, {},
                        "feature %j of the token %r, as it goes in");
    stage.field = key + ".x";
    return b.add(std::move(stage));
  }
  Stage ids = b.row("ids", "ids", "given", Source{b.side.ids}, {}, "which row of the embedding %r is");
  ids.columns = {}, ids.traced = false, ids.drawn = Drawn::parameters, ids.field = key + ".ids";
  ids.role = Role::plain;
  const StageIndex which = b.add(std::move(ids));
  return b.add(b.row(positioned ? "embedded" : "input", "embedded", "row of E", Embedding{},
                     {*embedding, which}, "feature %j of the token %r"));
}

// Rows that positions add; none: they act elsewhere, or there are none.
std::optional<Operation> position_operation(const SideBuilder& b, const Shape& shape) {
  const Tensor& table = b.stack.position_table;
  if (table.empty()) return encoding_operation(b.stack.position, shape, b.side.first_position);
  const std::size_t end = b.side.first_position + shape.rows;
  if (end > table.rows() || table.columns() != shape.columns)
    throw Error("the " + b.name() + " has positions " + std::to_string(b.side.first_position) + " to " +
                std::to_string(end - 1) + " of " + std::to_string(shape.columns) +
                " features, and the table of learned positions is " + to_string(table.shape()) +
                ": give fewer tokens or a longer table");
  const auto first =
      table.values().begin() + static_cast<std::ptrdiff_t>(b.side.first_position * shape.columns);
  return Source{Tensor(shape, std::vector<float>(first, first + static_cast<std::ptrdiff_t>(shape.size())))};
}

void append_input(SideBuilder& b, SideStages& stages, std::optional<StageIndex> embedding) {
  const std::size_t width = b.side.ids.empty() ? b.side.x.columns() : b.stack.embedding.columns();
  const Shape shape{1, token_count(b.side), width};
  auto added = position_operation(b, shape);
  const StageIndex tokens = append_tokens(b, embedding, added.has_value());
  stages.input = tokens;
  if (!added) return;
  const bool given = !b.stack.position_table.empty();
  Stage position = b.row("position", "PE", given ? "learned, a row a position" : "by position", *added, {},
                         "what position %i adds to feature %j");
  position.role = Role::plain;
  stages.embedded = tokens;
  stages.position = b.add(std::move(position));
  stages.input = b.add(b.row("input", "X + PE", "tokens + position", Add{}, {tokens, *stages.position},
                             "feature %j of %r, with its position added"));
}

SideStages append_side(SideBuilder b, std::optional<StageIndex> embedding) {
  check_side(b);
  b.tokens = {"token", std::make_shared<const Labels>(b.side.tokens), Axis::queries};
  SideStages stages;
  b.step = stages.input_step =
      b.graph.add_step({.title = b.decoder ? "decode" : "embed", .says = "every token is a row of numbers"});
  b.begin_side();
  append_input(b, stages, embedding);
  StageIndex stream = stages.input;
  for (b.block = 0; b.block < b.side.blocks.size(); ++b.block) {
    b.step = b.graph.add_step(
        {.title = "layer " + std::to_string(b.block), .says = "every box adds to the stream"});
    stages.blocks.push_back(append_block(b, b.side.blocks[b.block], stream));
    stream = stages.blocks.back().stream;
  }
  b.begin_side();
  if (!b.decoder && b.stack.has_decoder())
    b.step = b.graph.add_step(
        {.title = "memory", .says = "what the encoder leaves: K and V of every cross-attention"});
  stages.output =
      b.side.normed
          ? b.append_norm(stream, b.side.norm, "output", "output", "norm", part_key(b.decoder, "norm"))
          : b.add(b.row("output", "output", "stream", Reshape{b.graph.stages[stream].shape}, {stream},
                        "feature %j of what comes out for %r"));
  b.graph.stages[stages.output].role = Role::output;
  return stages;
}

StageIndex append_memory(Graph& graph, const StackSpec& stack) {
  graph.begin_part({.title = "memory"});
  return graph.add({.id = "memory",
                    .title = "memory",
                    .formula = "given",
                    .symbol = "M",
                    .operation = Source{stack.memory},
                    .rows = {"key", std::make_shared<const Labels>(stack.memory_tokens), Axis::keys},
                    .columns = {"feature"},
                    .role = Role::token,
                    .sentence = "feature %j of %r in the memory",
                    .field = "stack.memory"});
}

std::optional<StageIndex> append_embedding(Graph& graph, const StackSpec& stack) {
  if (stack.embedding.empty()) return std::nullopt;
  graph.begin_part({.title = "embedding"});
  return graph.add({.id = "embedding",
                    .title = "E",
                    .formula = "given",
                    .symbol = "E",
                    .operation = Source{stack.embedding},
                    .rows = {"symbol", std::make_shared<const Labels>(stack.symbols)},
                    .columns = {"feature"},
                    .traced = false,
                    .drawn = Drawn::parameters,
                    .sentence = "feature %j of every token %r",
                    .field = "stack.embedding"});
}

void append_head(Graph& graph, const StackSpec& stack, StackStages& stages) {
  const bool tied = stack.tied && stages.embedding;
  if (!tied && stack.head.empty()) return;
  graph.begin_part({.title = "output"});
  stages.output_step = graph.add_step({.title = "softmax", .says = "how likely each symbol comes next"});
  const Stage& output = graph.stages[stages.last().output];
  Stage logits{.id = "logits",
               .title = "logits",
               .formula = tied ? "output · Eᵀ" : "output · W_head",
               .operation = MatMul{.transpose_right = tied},
               .inputs = {stages.last().output},
               .rows = output.rows,
               .columns = {"symbol", std::make_shared<const Labels>(stack.symbols)},
               .role = Role::score,
               .sentence = "how much speaks for %c behind %r",
               .step = stages.output_step};
  logits.inputs.push_back(tied ? *stages.embedding
                               : graph.add({.id = "head",
                                            .title = "W_head",
                                            .formula = "given",
                                            .operation = Source{stack.head},
                                            .rows = {"feature"},
                                            .columns = logits.columns,
                                            .traced = false,
                                            .drawn = Drawn::parameters,
                                            .sentence = "how much feature %i counts for %c",
                                            .field = "stack.head"}));
  stages.logits = graph.add(logits);
  Stage shares = logits;
  shares.id = shares.title = "probabilities", shares.formula = "softmax";
  shares.role = Role::plain, shares.range = Range::unit, shares.row_total = RowTotal::one;
  shares.sentence = "how likely %c comes behind %r";
  stages.probabilities = append_row_softmax(graph, *stages.logits, std::move(shares));
}

}  // namespace

StackStages append_stack(Graph& graph, const StackSpec& stack) {
  StackStages stages;
  stages.embedding = append_embedding(graph, stack);
  if (stack.has_encoder())
    stages.encoder = append_side({.graph = graph, .stack = stack, .side = stack.encoder}, stages.embedding);
  if (stack.has_decoder()) {
    SideBuilder decoder{.graph = graph, .stack = stack, .side = stack.decoder, .decoder = true};
    if (stages.encoder)
      decoder.memory = stages.encoder->output, decoder.memory_tokens = stack.encoder.tokens;
    else if (!stack.memory.empty())
      decoder.memory = append_memory(graph, stack), decoder.memory_tokens = stack.memory_tokens;
    stages.decoder = append_side(std::move(decoder), stages.embedding);
  }
  append_head(graph, stack, stages);
  append_rollouts(graph, stages);
  return stages;
}

}  // namespace attn
