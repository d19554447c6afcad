// The stages of the workspace of positions: content under each encoding, keys far away, and two orders.
#include "core/positions/graph.h"

#include <algorithm>
#include <cmath>

#include "core/attention/layer_positions.h"
#include "core/document/document.h"
#include "core/positions/builder.h"
#include "core/positions/fields.h"
#include "core/system/error.h"

namespace attn {

void PositionsBuilder::begin(std::string prefix, std::string title) {
  graph.begin_part({.prefix = std::move(prefix), .title = std::move(title)});
}

void PositionsBuilder::begin_step(std::string title, std::string says) {
  step = graph.add_step({.title = std::move(title), .says = std::move(says)});
}

StageIndex PositionsBuilder::add(Stage stage) {
  stage.step = step;
  return graph.add(std::move(stage));
}

StageIndex PositionsBuilder::hidden(std::string id, std::string title, Operation operation,
                                    std::vector<StageIndex> inputs) {
  return add({.id = std::move(id),
              .title = std::move(title),
              .formula = {},
              .operation = std::move(operation),
              .inputs = std::move(inputs),
              .traced = false,
              .drawn = Drawn::never,
              .stack = Stack::heads});  // what is made of it in a layer has its heads
}

StageIndex PositionsBuilder::repeated(const std::string& id, StageIndex row, std::size_t rows) {
  const Tensor ones({1, rows, 1}, std::vector<float>(rows, 1.0f));
  const StageIndex column = hidden(id + "_ones", "1", Source{ones});
  return hidden(id, "the same row everywhere", MatMul{}, {column, row});
}

StageIndex PositionsBuilder::difference(StageIndex a, StageIndex minus_b, std::string id,
                                        std::string sentence) {
  const Stage& of = graph.stages[a];
  return add({.id = std::move(id),
              .title = "difference",
              .formula = "with − without",
              .operation = Add{},
              .inputs = {a, minus_b},
              .rows = of.rows,
              .columns = of.columns,
              .role = Role::plain,
              .stack = of.stack,
              .sentence = std::move(sentence)});
}

LayerStages PositionsBuilder::layer(const PositionsPart& part, const std::array<StageIndex, 3>& given,
                                    bool joins) {
  LayerSpec layer;
  layer.heads = spec.heads, layer.kv_heads = 1;
  layer.position = part.position;
  layer.first_position = part.first;
  return append_layer(
      graph, layer, {.prefix = part.prefix, .title = part.title, .qkv = given, .joins = joins, .step = step});
}

void append_content(PositionsBuilder& b) {
  const PositionsSpec& spec = b.spec;
  b.begin("content.", "content");
  const auto drawn = [&](const char* id, const char* title, Role role, std::size_t stack,
                         std::size_t number) {
    const bool query = role == Role::query;
    return b.add({.id = id,
                  .title = title,
                  .formula = "drawn",
                  .operation = LearnedTable{.stack = stack,
                                            .length = spec.tokens,
                                            .columns = spec.width,
                                            .seed = 3 * spec.seed + number,
                                            .sd = kLearnedSd,
                                            .rows = spec.tokens},
                  .rows = {query ? "query" : "key", {}, query ? Axis::queries : Axis::keys},
                  .columns = {"feature"},
                  .role = role,
                  .drawn = Drawn::parameters,
                  .stack = Stack::heads,
                  .sentence = "feature %j of token %i, without its position"});
  };
  b.qkv = {drawn("q", "Q", Role::query, spec.heads, 0), drawn("k", "K", Role::key, 1, 1),
           drawn("v", "V", Role::value, 1, 2)};
  const StageIndex plain = b.hidden("products", "QKᵀ", MatMul{.transpose_right = true}, {b.qkv[0], b.qkv[1]});
  const std::string root = "√" + std::to_string(spec.width);
  b.minus_plain = b.hidden(
      "minus", "−QKᵀ ÷ " + root,
      Scale{.factor = -1 / std::sqrt(static_cast<double>(spec.width)), .text = "−1/" + root}, {plain});
}

namespace {

// Everything as RoPE has it, but for the keys' pairs.
void append_mixed(PositionsBuilder& b) {
  if (!b.places.mixed) return;
  const PositionsPart& mixed = *b.places.mixed;
  Rotary rotary = std::get<Rotary>(mixed.position);
  b.begin(mixed.prefix, mixed.title);
  const StageIndex q = b.hidden("turned_q", "Q turned", Rotate{rotary, mixed.first}, {b.qkv[0]});
  rotary.pairing = other_pairing(rotary.pairing);
  const StageIndex k = b.hidden("turned_k", "K turned", Rotate{rotary, mixed.first}, {b.qkv[1]});
  PositionsPart plain = mixed;
  plain.position = NoPosition();
  b.layer(plain, {q, k, b.qkv[2]}, true);
}

}  // namespace

void append_scores_under(PositionsBuilder& b) {
  for (const PositionsPart& part : b.places.scores)
    if (part.part) b.read_by_softmax.push_back(*b.graph.stages[b.layer(part, b.qkv, false).weights].scores);
  append_mixed(b);
  b.begin("", "");
  std::size_t next = 0;
  for (const PositionsPart& part : b.places.scores)
    if (part.part)
      b.difference(b.read_by_softmax[next++], b.minus_plain, part.prefix + "difference",
                   "what " + part.title + " adds to the score when %r looks at %c");
}

// The query stands at position 0; its keys, all the same, at 0, 1, 2, …: what differs is their distance
// alone.
void append_far(PositionsBuilder& b) {
  for (const PositionsPart& part : b.places.far) {
    b.begin(part.prefix, part.title);
    const auto row = [&](const char* id, std::size_t stack) {
      return b.hidden(id, "content",
                      LearnedTable{.stack = stack,
                                   .length = 1,
                                   .columns = b.spec.width,
                                   .seed = 3 * b.spec.seed,
                                   .sd = kLearnedSd,
                                   .rows = 1});
    };
    const StageIndex key = b.repeated("key", row("key_row", 1), rows_of(part.position, b.spec.reach));
    b.layer(part, {row("query", b.spec.heads), key, key}, true);
  }
}

// A permutation's matrix, and the one that takes it back.
std::array<Tensor, 2> permutation(const std::vector<std::size_t>& order) {
  const std::size_t n = order.size();
  std::vector<float> there(n * n), back(n * n);
  for (std::size_t i = 0; i < n; ++i) there[i * n + order[i]] = back[order[i] * n + i] = 1;
  return {Tensor({1, n, n}, std::move(there)), Tensor({1, n, n}, std::move(back))};
}

// The outputs of order B, put back into the order of A, are those of A where order makes no difference.
void append_orders(PositionsBuilder& b) {
  const auto [there, back] = permutation(second_order(b.spec.tokens));
  std::vector<StageIndex> outputs;
  for (const PositionsPart& part : b.places.order) {
    if (!part.part) continue;
    b.begin(part.prefix, part.title);
    if (!part.reordered) {
      outputs.push_back(b.layer(part, b.qkv, true).head_output);
      continue;
    }
    const StageIndex order = b.hidden("reorder", "P", Source{there});
    const auto turned = [&](const char* id, StageIndex stage) {
      return b.hidden(id, "P·" + b.graph.stages[stage].title, MatMul{}, {order, stage});
    };
    const std::array given{turned("q_reordered", b.qkv[0]), turned("k_reordered", b.qkv[1]),
                           turned("v_reordered", b.qkv[2])};
    const StageIndex output = b.layer(part, given, true).head_output;
    const StageIndex restore = b.hidden("restore", "Pᵀ", Source{back});
    outputs.push_back(b.hidden("restored", "Pᵀ·output", MatMul{}, {restore, output}));
  }
  b.begin("order.", "order");
  for (std::size_t i = 0; i + 1 < outputs.size(); i += 2) {
    const std::string number = std::to_string(i / 2);
    const StageIndex minus =
        b.hidden("minus" + number, "−B", Scale{.factor = -1, .text = "−1"}, {outputs[i + 1]});
    b.difference(outputs[i], minus, "difference" + number,
                 "how feature %j of token %i differs between the two orders");
  }
}

namespace {

void check(const PositionsSpec& spec) {
  if (spec.encodings.empty()) throw Error("there is no encoding to show: choose one");
  for (std::size_t kind = 0; kind < kPositions.size(); ++kind)
    if (std::ranges::count(spec.encodings, kind, [](const Position& p) { return p.index(); }) > 1)
      throw Error(std::string(kPositions[kind].title) + " is compared with itself: show each kind once");
  visit_fields(of<PositionsSpec>, [&](const auto& field, auto member) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, CountField>)
      if (spec.*member < field.least || spec.*member > field.most)
        throw Error("positions: " + std::string(field.text.title) + " must be from " +
                    std::to_string(field.least) + " to " + std::to_string(field.most));
  });
}

}  // namespace

Built build_positions(const Document& document, Address) {
  const PositionsSpec& spec = document.positions;
  check(spec);
  Graph graph{.overrides = overrides_of(document, kPositionsPlan)};
  PositionsBuilder b{.graph = graph, .spec = spec, .places = places_of(spec)};
  append_map(b);
  const std::size_t maps = graph.parts.size();
  b.begin_step("in the scores", "the same queries and keys under each encoding");
  append_content(b);
  append_scores_under(b);
  b.begin_step("beyond training", "keys farther away than any that training has seen");
  append_far(b);
  b.begin_step("order", "the same tokens in two orders, with and without their positions");
  append_orders(b);
  // The status line has room for the shown encoding's formula, not for that of every layer.
  for (std::size_t part = maps; part < graph.parts.size(); ++part) graph.parts[part].formula.clear();
  return {std::move(graph), Places(std::move(b.places))};
}

Graph given_positions(const Document&) {
  return {};
}

}  // namespace attn
