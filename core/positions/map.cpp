// The shown encoding as a map, and the rows of the others for their similarities.
#include <algorithm>

#include "core/attention/layer_positions.h"
#include "core/positions/builder.h"

namespace attn {
namespace {

// (1, 0) in every pair that is turned: its rotation shows a cosine and a sine.
Tensor unit_pairs(const Rotary& rotary, std::size_t width) {
  const std::size_t turned = rotary.turned(width);
  std::vector<float> row(width);
  for (std::size_t c = 0; c < turned; ++c)
    row[c] = rotary_pair(rotary.pairing, turned, c).x == c ? 1.0f : 0.0f;
  return {{1, 1, width}, std::move(row)};
}

Stage map_stage(std::string id, std::string title, std::string sentence) {
  return {.id = std::move(id),
          .title = std::move(title),
          .formula = {},
          .operation = {},
          .rows = {"position"},
          .columns = {"dimension"},
          .role = Role::plain,
          .sentence = std::move(sentence)};
}

struct Rows {
  std::string id, title;
  std::size_t most;   // positions
  bool shown = true;  // else they are looked through
};

StageIndex append_rows(PositionsBuilder& b, const PositionsPart& part, const Rows& wanted) {
  const std::string& id = wanted.id;
  const std::size_t rows = rows_of(part.position, std::min(wanted.most, b.spec.length));
  Stage stage = map_stage(id, wanted.title, "what position %i has in dimension %j");
  if (const auto* rotary = std::get_if<Rotary>(&part.position)) {
    const StageIndex unit = b.hidden(id + "_unit", "(1, 0)", Source{unit_pairs(*rotary, b.spec.width)});
    stage.formula = "cos(p·θ), sin(p·θ)";
    stage.operation = Rotate{*rotary};
    stage.inputs = {b.repeated(id + "_units", unit, rows)};
    stage.sentence = "where position %i turns (1, 0): dimension %j";
  } else {
    const bool learned = std::holds_alternative<Learned>(part.position);
    stage.formula = learned ? "a row of the table" : "sin(p·ω), cos(p·ω)";
    stage.operation = *encoding_operation(part.position, {1, rows, b.spec.width}, 0);
  }
  if (!wanted.shown) stage.drawn = Drawn::never, stage.traced = false;
  return b.add(std::move(stage));
}

// What is shown of encodings that have no row a position: vectors of offsets, biases of query and key.
struct BiasMap {
  PositionsBuilder& b;
  std::size_t n;

  Stage bias(std::string formula, Operation operation) const {
    Stage stage = map_stage("encoding", "bias", "what is added when position %i looks at %j in head %h");
    stage.formula = std::move(formula), stage.operation = std::move(operation);
    stage.rows = {"query"}, stage.columns = {"key"};
    stage.role = Role::bias, stage.stack = Stack::heads;
    return stage;
  }
  std::optional<StageIndex> operator()(const Alibi&) const {
    return b.add(bias("−slope · |i − j|", DistanceBias{b.spec.heads, n, n}));
  }
  std::optional<StageIndex> operator()(const T5Bias& t5) const {
    Stage stage = bias("by bucket of j − i", ByOffset{buckets_of(t5), n, n});
    stage.inputs = {b.hidden("table", "T5 table", bucket_table(t5, b.spec.heads))};
    return b.add(std::move(stage));
  }
  std::optional<StageIndex> operator()(const Relative& relative) const {
    Stage stage = map_stage("encoding", "a", "feature %j of the vector that keys at offset %r get");
    stage.formula = "a row for each offset";
    stage.operation = relative_table(relative, b.spec.width, false);
    stage.rows = offset_axis(Clip{relative.clip});
    return b.add(std::move(stage));
  }
  std::optional<StageIndex> operator()(const auto&) const { return std::nullopt; }
};

void append_similarity(PositionsBuilder& b, StageIndex encoding) {
  const Stage& of = b.graph.stages[encoding];
  Stage stage =
      map_stage("similarity", "similarity", "how alike %i and %j are: their rows multiplied, added up");
  stage.formula = of.title + "·" + of.title + "ᵀ";
  stage.operation = MatMul{.transpose_right = true};
  stage.inputs = {encoding, encoding};
  stage.rows = stage.columns = of.rows;
  b.add(std::move(stage));
}

// The pairs of the shown encoding, else of RoPE among the others, as RoPE turns them.
void append_turns(PositionsBuilder& b) {
  const auto pairs = turning_pairs(b.spec);
  if (!pairs) return;
  const StageIndex unit = b.hidden("turns_unit", "(1, 0)", Source{unit_pairs(*pairs, b.spec.width)});
  Stage stage = map_stage("turns", "turns", "where position %i turns (1, 0): dimension %j");
  stage.formula = "cos(p·ω), sin(p·ω)";
  stage.operation = Rotate{*pairs};
  stage.inputs = {b.repeated("turns_units", unit, b.spec.length)};
  stage.drawn = Drawn::parameters;
  b.add(std::move(stage));
}

std::string formula_of(const Position& position) {
  struct FormulaOf {
    const char* operator()(const NoPosition&) const { return ""; }
    const char* operator()(const Sinusoidal&) const {
      return "PE[p,2i] = sin(p·ωᵢ)  PE[p,2i+1] = cos(p·ωᵢ)  ωᵢ = base^(−2i/d)";
    }
    const char* operator()(const Learned&) const { return "PE[p] = table[p]"; }
    const char* operator()(const Rotary&) const { return "q·R((j − i)·θ)·k  θᵢ = base^(−2i/d)"; }
    const char* operator()(const Alibi&) const { return "q·k/√d − slope·|i − j|"; }
    const char* operator()(const Relative&) const { return "q·(k + a[clip(j − i)])"; }
    const char* operator()(const T5Bias&) const { return "q·k/√d + b[bucket(j − i)]"; }
  };
  return std::visit(FormulaOf{}, position);
}

}  // namespace

void append_map(PositionsBuilder& b) {
  const std::vector<PositionsPart>& rows = b.places.rows;
  b.begin_step("encoding", "a row of numbers, or a bias, that says where a token stands");
  b.begin("", "");
  std::optional<StageIndex> shown;
  if (!rows.empty() && rows[0].encoding == 0)
    shown = append_rows(b, rows[0], {"encoding", "PE", b.spec.length});
  else
    shown = std::visit(BiasMap{b, map_rows(b.spec)}, fitted(b.spec.encodings[0], b.spec));
  if (shown) b.graph.parts.back().formula = {{formula_of(b.spec.encodings[0]), {*shown}}};
  b.begin_step("similarity", "how alike two positions are, by how far apart they are");
  b.begin("", "");
  if (shown && b.graph.stages[*shown].shape.rows > kMostAlike)
    shown = append_rows(b, rows[0], {"alike", "PE", kMostAlike, false});
  if (shown && b.graph.stages[*shown].shape.stack == 1) append_similarity(b, *shown);
  b.begin("", "");
  for (const PositionsPart& part : rows)
    if (part.encoding != 0) append_rows(b, part, {part.prefix + "encoding", part.title, b.spec.length});
  b.begin_step("shift = rotation", "going on by Δ turns each pair by its own angle ωΔ");
  b.begin("", "");
  append_turns(b);
}

}  // namespace attn
