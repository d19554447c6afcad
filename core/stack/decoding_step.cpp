// The stages of one step: the new token's row through every box of the decoder.
#include "core/stack/decoding_step.h"

#include <algorithm>
#include <string>

#include "core/attention/flash_operation.h"
#include "core/attention/layer_flash.h"
#include "core/attention/layer_positions.h"

namespace attn {
namespace {

// A window, where nothing else but that and a causal mask hides keys: what a cache's own kernel takes.
struct PlainMask {
  std::optional<std::size_t> window = {};
};
std::optional<PlainMask> plain_mask(const std::vector<MaskTerm>& masks) {
  PlainMask found;
  bool causal = false;
  for (const MaskTerm& term : masks) {
    if (term.negated || term.join != Join::any) return std::nullopt;
    if (const auto* window = std::get_if<WindowRule>(&term.rule); window && !found.window)
      found.window = window->width;
    else if (const auto* rule = std::get_if<CausalRule>(&term.rule); rule && !causal)
      causal = rule->ahead == 0 && rule->offset == 0;
    else
      return std::nullopt;
  }
  return causal ? std::optional(found) : std::nullopt;
}

// Rules that need no more of a query than its place.
bool goes_by_place(const MaskTerm& term) {
  const auto* padding = std::get_if<PaddingRule>(&term.rule);
  return term.join == Join::any && !term.negated &&
         ((padding && padding->lengths.size() <= 1) || std::holds_alternative<WindowRule>(term.rule) ||
          std::holds_alternative<CausalRule>(term.rule));
}

bool sees_no_later(const LayerSpec& layer) {
  return std::ranges::any_of(layer.masks, [](const MaskTerm& term) {
    const auto* rule = std::get_if<CausalRule>(&term.rule);
    return rule && rule->ahead == 0 && rule->offset == 0 && !term.negated;
  });
}

// What the one query at a place sees, of keys from place 0 on.
FlashAttention seen_from(FlashAttention op, std::size_t place) {
  op.first = static_cast<std::ptrdiff_t>(place);
  for (MaskTerm& term : op.masks)
    if (auto* rule = std::get_if<CausalRule>(&term.rule)) *rule = {CausalAlign::top_left, place};
  return op;
}

// A matrix of its own for every pair, and what code does wrong, have no row for a token to come.
std::string layer_obstacle(LayerSpec layer) {
  layer.position = NoPosition();
  if (!layer.mask.empty()) return "a painted mask has no row for a token to come";
  if (!layer.bias.empty()) return "a given bias has no row for a token to come";
  if (layer.direct) return "its queries, keys and values are given";
  if (layer.qk_norm || layer.qk_norm_last) return "queries and keys are normed";
  if (layer.position_twice || layer.head_split != HeadCut::columns || layer.head_merge != HeadCut::columns ||
      layer.head_groups != HeadGroups::repeated || layer.key_turn != KeyTurn::transposed)
    return "a mistake is switched on";
  return flash_obstacle(layer);
}

// Relative positions that are added to values need the weights by offset.
const Relative* with_values(const Position& position) {
  const auto* relative = std::get_if<Relative>(&position);
  return relative && relative->values ? relative : nullptr;
}

}  // namespace

std::string decoding_obstacle(const StackSpec& stack) {
  if (!stack.has_decoder()) return "an encoder alone sees all of its tokens at once";
  for (std::size_t i = 0; i < stack.decoder.blocks.size(); ++i) {
    const StackBlock& block = stack.decoder.blocks[i];
    const std::string where = "in layer " + std::to_string(i) + " ";
    if (!sees_no_later(block.attention)) return where + "tokens see later ones: its mask is not causal";
    std::string obstacle = layer_obstacle(block.attention);
    if (obstacle.empty() && block.cross) obstacle = layer_obstacle(*block.cross);
    if (!std::ranges::all_of(block.attention.masks, goes_by_place))
      obstacle = "its mask has other rules than causal, window and padding";
    if (block.cross && !std::ranges::all_of(block.cross->masks, [](const MaskTerm& term) {
          return goes_by_place(term) && std::holds_alternative<PaddingRule>(term.rule);
        }))
      obstacle = "cross-attention's mask has other rules than padding";
    if (!obstacle.empty()) return where + obstacle;
  }
  return {};
}

StageIndex StepBuilder::add(Operation operation, std::vector<StageIndex> inputs) {
  std::string id = "s" + std::to_string(graph.stages.size());
  return graph.add(
      {.id = id, .title = id, .formula = {}, .operation = std::move(operation), .inputs = std::move(inputs)});
}

StageIndex StepBuilder::add_placed(std::function<Operation(std::size_t)> at, std::vector<StageIndex> inputs) {
  const StageIndex stage = add(at(0), std::move(inputs));
  placed.push_back({stage, std::move(at)});
  return stage;
}

StageIndex StepBuilder::project(StageIndex from, const Tensor& w, const Tensor& b, std::size_t heads) {
  std::vector<StageIndex> inputs{from, given(w)};
  if (!b.empty()) inputs.push_back(given(b));
  return add(Project{heads}, std::move(inputs));
}

StageIndex StepBuilder::normed(StageIndex from, const NormWeights& norm) {
  std::vector<StageIndex> inputs{from};
  if (!norm.gain.empty()) inputs.push_back(given(norm.gain));
  const bool centred = stack.norm_kind == NormKind::layer;
  if (centred && !norm.gain.empty() && !norm.bias.empty()) inputs.push_back(given(norm.bias));
  return add(RowNorm{centred, stack.epsilon}, std::move(inputs));
}

// Turned by the place, where the position does that.
StageIndex StepBuilder::turned(StageIndex from) {
  const auto* rotary = std::get_if<Rotary>(&stack.position);
  if (!rotary) return from;
  return add_placed(
      [turn = *rotary, first = stack.decoder.first_position](std::size_t at) {
        return Rotate{turn, first + at};
      },
      {from});
}

// The row among those before it.
StageIndex StepBuilder::kept(StageIndex row) {
  const Shape& one = graph.stages[row].shape;
  const Shape all{one.stack, room, one.columns};
  return add(PutRows{}, {given(Tensor(all, std::vector<float>(all.size()))), row, place});
}

StageIndex StepBuilder::joined(const LayerSpec& layer, StageIndex heads) {
  const StageIndex concat = add(Concat{layer.muted_heads}, {heads});
  return layer.w_o.empty() ? concat : project(concat, layer.w_o, layer.b_o);
}

StageIndex StepBuilder::attended(const LayerSpec& layer, const Position& position,
                                 std::array<StageIndex, 3> qkv, bool weights) {
  const std::size_t width = graph.stages[qkv[0]].shape.columns;
  FlashAttention op = flash_operation(layer, width, 0);
  op.masks = layer.masks, op.alibi = std::holds_alternative<Alibi>(position), op.weights = weights;
  std::vector<StageIndex> inputs(qkv.begin(), qkv.end());
  if (const auto* t5 = std::get_if<T5Bias>(&position)) {
    op.offsets = buckets_of(*t5);
    inputs.push_back(add(bucket_table(*t5, layer.heads)));
  }
  if (const auto* relative = std::get_if<Relative>(&position)) {
    op.offsets = Clip{relative->clip};
    const StageIndex keys = add(relative_table(*relative, width, false));
    const StageIndex products = add(MatMul{.transpose_right = true}, {qkv[0], keys});
    inputs.push_back(add(Scale{op.scale, {}}, {products}));
  }
  const auto plain = plain_mask(layer.masks);
  if (plain && !op.offsets && !weights) {
    inputs.push_back(place);
    return add(CachedAttention{.scale = op.scale,
                               .cap = op.cap,
                               .with_one = op.with_one,
                               .alibi = op.alibi,
                               .window = plain->window},
               std::move(inputs));
  }
  return add_placed([op](std::size_t at) { return seen_from(op, at); }, std::move(inputs));
}

StageIndex StepBuilder::self_attention(const StackBlock& of, StageIndex from) {
  const LayerSpec& layer = of.attention;
  const StageIndex q = turned(project(from, layer.w_q, layer.b_q, layer.heads));
  const StageIndex k = turned(project(from, layer.w_k, layer.b_k, layer.kv_heads));
  const StageIndex made = project(from, layer.w_v, layer.b_v, layer.kv_heads);
  const StageIndex v = layer.rope_on_values ? turned(made) : made;
  layers.back().rows = {k, v};
  const std::size_t columns = graph.stages[v].shape.columns;
  const Relative* relative = with_values(stack.position);
  const Position position = is_added(stack.position) ? Position() : stack.position;
  const StageIndex all = attended(layer, position, {q, kept(k), kept(v)}, relative != nullptr);
  StageIndex heads = add(TakeColumns{0, columns}, {all});
  if (relative) {
    const StageIndex weights = add(TakeColumns{columns + 1, room}, {all});
    const StageIndex shares = add_placed(
        [clip = Clip{relative->clip}](std::size_t at) {
          return SumByOffset{clip, static_cast<std::ptrdiff_t>(at)};
        },
        {weights});
    const StageIndex table = add(relative_table(*relative, columns, true));
    heads = add(Add{}, {heads, add(MatMul{}, {shares, table})});
  }
  return joined(layer, heads);
}

StageIndex StepBuilder::cross_attention(const StackBlock& of, StageIndex from) {
  const LayerSpec& layer = *of.cross;
  const auto& [keys, values] = cross[block];
  const StageIndex q = project(from, layer.w_q, layer.b_q, layer.heads);
  const StageIndex all = attended(layer, {}, {q, given(keys), given(values)}, true);
  layers.back().looks = add(TakeColumns{values.columns() + 1, keys.rows()}, {all});
  return joined(layer, add(TakeColumns{0, values.columns()}, {all}));
}

StageIndex StepBuilder::feed_forward(const StackBlock& of, StageIndex from) {
  const StageIndex inner = project(from, of.inner.w, of.inner.b);
  StageIndex activated;
  if (stack.swiglu) {
    const StageIndex gate = project(from, of.gate.w, of.gate.b);
    activated = add(Multiply{}, {add(Activation{ActivationKind::silu}, {gate}), inner});
  } else {
    activated = add(Activation{stack.activation}, {inner});
  }
  return project(activated, of.outer.w, of.outer.b);
}

StageIndex StepBuilder::function(const StackBlock& of, StackBox which, StageIndex from) {
  if (which == StackBox::attention) return self_attention(of, from);
  return which == StackBox::cross ? cross_attention(of, from) : feed_forward(of, from);
}

StageIndex StepBuilder::box(const StackBlock& of, StackBox which, std::size_t number, StageIndex from) {
  StageIndex stream = from;
  if (!of.is_off(which)) {
    const bool before = stack.norm_at == NormAt::before;
    const StageIndex added = function(of, which, before ? normed(from, of.norms[number]) : from);
    stream = stack.residual ? add(Add{}, {from, added}) : added;
  }
  return stack.norm_at == NormAt::after ? normed(stream, of.norms[number]) : stream;
}

void StepBuilder::build() {
  graph.begin_part({});
  const StackSide& side = stack.decoder;
  const std::size_t width = side.ids.empty() ? side.x.columns() : stack.embedding.columns();
  input = given(Tensor({1, 1, width}, std::vector<float>(width)));
  place = given(Tensor({1, 1, 1}, {0}));
  StageIndex stream = input;
  for (block = 0; block < side.blocks.size(); ++block) {
    layers.emplace_back();
    std::size_t number = 0;
    for (const StackBox which : {StackBox::attention, StackBox::cross, StackBox::feed_forward})
      if (side.blocks[block].has(which)) stream = box(side.blocks[block], which, number++, stream);
  }
  output = side.normed ? normed(stream, side.norm) : stream;
  if (stack.tied && !stack.embedding.empty())
    output = add(MatMul{.transpose_right = true}, {output, given(stack.embedding)});
  else if (!stack.head.empty())
    output = add(MatMul{}, {output, given(stack.head)});
}

}  // namespace attn
