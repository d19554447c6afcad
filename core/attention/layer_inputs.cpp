// The first stages of a layer: its tokens with their positions, and Q, K and V projected from them or given.
#include "core/attention/layer_builder.h"
#include "core/attention/layer_fields.h"

namespace attn {
namespace {

namespace field = layer_field;

void begin_projections(LayerBuilder& b) {
  b.begin_step("Q K V", "queries ask, keys answer, values carry the content");
}

void append_direct(LayerBuilder& b) {
  begin_projections(b);
  b.places.input = b.places.q = b.given(field::q, b.layer.q, b.queries, b.feature);
  b.places.k = b.given(field::k, b.layer.k, b.keys, b.feature);
  b.places.v = b.given(field::v, b.layer.v, b.keys, b.feature);
}

struct Projection {
  const TensorField &result, &weights, &bias;
  const Tensor &w, &b;
  std::size_t heads;
  Axis rows;
  std::string formula;
};

StageIndex project(LayerBuilder& b, StageIndex from, const Projection& p) {
  std::vector<StageIndex> inputs{from, b.given(p.weights, p.w, b.feature, b.feature)};
  const bool biased = !p.b.empty();
  if (biased) inputs.push_back(b.given(p.bias, p.b, {}, b.feature));
  Stage stage{.id = std::string(p.result.stage),
              .title = std::string(p.result.symbol),
              .formula = p.formula + (biased ? " + b" : ""),
              .operation = Project{p.heads},
              .inputs = std::move(inputs),
              .rows = p.rows,
              .columns = b.feature,
              .role = p.result.role,
              .stack = p.result.stack,
              .sentence = std::string(p.result.number)};
  const bool by_columns = b.layer.head_split == HeadCut::columns || p.heads == 1;
  return by_columns ? b.add(std::move(stage)) : append_split_by_memory(b, std::move(stage), p.heads);
}

void append_projected(LayerBuilder& b) {
  const LayerSpec& l = b.layer;
  b.begin_step("X", "every token is a row of numbers");
  const std::size_t tokens_step = b.step;
  const StageIndex tokens =
      b.place.input ? b.taken(*b.place.input) : b.given(field::x, l.x, b.queries, b.feature, "tokens");
  // Else tokens are queries and keys, at the places of keys.
  const bool cross = !l.memory.empty() || b.place.memory;
  StageIndex from = b.places.input = append_encoding(b, tokens, cross ? b.query_position : b.key_position);
  const std::string source = cross ? "M" : "X";
  if (cross) {
    b.step = tokens_step;
    from = b.place.memory ? b.taken(*b.place.memory)
                          : b.given(field::memory, l.memory, b.keys, b.feature, "memory");
  }
  begin_projections(b);
  b.places.q = project(b, b.places.input,
                       {field::q, field::w_q, field::b_q, l.w_q, l.b_q, l.heads, b.queries, "X·W_Q"});
  b.places.k =
      project(b, from, {field::k, field::w_k, field::b_k, l.w_k, l.b_k, l.kv_heads, b.keys, source + "·W_K"});
  b.places.v =
      project(b, from, {field::v, field::w_v, field::b_v, l.w_v, l.b_v, l.kv_heads, b.keys, source + "·W_V"});
}

// As if the projections were 1: what is added to X is added to both queries and keys.
void append_given(LayerBuilder& b, const std::array<StageIndex, 3>& qkv) {
  b.places.q = append_encoding(b, b.taken(qkv[0]), b.query_position, "q");
  b.places.k = append_encoding(b, b.taken(qkv[1]), b.key_position, "k");
  b.places.v = b.taken(qkv[2]);
  b.places.input = b.places.q;
}

StageIndex normed(LayerBuilder& b, StageIndex from, const std::string& letter, const std::string& whose) {
  const std::string title = b.graph.stages[from].title, of = "feature %j of the " + whose + " of %r, normed";
  const StageIndex rms = b.add_lengths(from, letter + "_rms", "rms " + title, {.mean = true},
                                       "the root mean square of the " + whose + " of %r");
  Stage divided = b.made_from(from, letter + "_normed", title + " normed", "÷ its root mean square",
                              ByLength{}, {from, rms}, of);
  const std::vector<StageNumber> numbers{{"qk_gain"}};
  if (b.layer.qk_gain == 1) divided.numbers = numbers;
  const StageIndex normed = b.add(std::move(divided));
  if (b.layer.qk_gain == 1) return normed;
  const std::string gain = number_words(b.layer.qk_gain);
  Stage gained = b.made_from(from, letter + "_gained", title + " × gain", "× " + gain,
                             Scale{b.layer.qk_gain, gain}, {normed}, of + " and multiplied by the gain");
  gained.numbers = numbers;
  return b.add(std::move(gained));
}

void append_norms(LayerBuilder& b) {
  if (!b.layer.qk_norm) return;
  b.begin_step("normed", "queries and keys divided by their root mean square: scores cannot grow with them");
  b.places.q = normed(b, b.places.q, "q", "query");
  b.places.k = normed(b, b.places.k, "k", "key");
}

}  // namespace

void append_inputs(LayerBuilder& b) {
  if (b.place.qkv)
    append_given(b, *b.place.qkv);
  else
    b.layer.direct ? append_direct(b) : append_projected(b);
  if (!b.layer.qk_norm_last) append_norms(b);
  append_rotation(b);
  if (b.layer.qk_norm_last) append_norms(b);
  append_tiled(b);
}

}  // namespace attn
