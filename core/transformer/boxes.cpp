// The boxes of each block, one after the other, and the stream that they write to.
#include <algorithm>
#include <array>

#include "core/system/error.h"
#include "core/transformer/builder.h"

namespace attn {
namespace {

constexpr std::array<const char*, kBoxes> kBoxWords{"attention", "cross-attention", "feed-forward"};

// X·w + b.
StageIndex linear(SideBuilder& b, StageIndex from, const Affine& weights, Stage to, const std::string& symbol,
                  const std::string& called, std::string_view part) {
  const std::string key = part_key(b.decoder, b.block, part);
  to.formula = "x·" + symbol + (weights.b.empty() ? "" : " + b");
  to.operation = Project{1};
  to.inputs = {from,
               b.given(called + ".weight", symbol, weights.w, key + ".w", "from feature %i to feature %j")};
  if (!weights.b.empty())
    to.inputs.push_back(b.given(called + ".bias", "b", weights.b, key + ".b", "added to feature %j"));
  return b.add(std::move(to));
}

// Silu(x·gate) ⊙ (x·inner), or f(x·inner).
StageIndex append_activated(SideBuilder& b, const StackBlock& block, StageIndex from) {
  const auto row = [&](const char* id, std::string sentence) {
    return b.row(id, id, "", Activation{}, {}, std::move(sentence));
  };
  const StageIndex inner =
      linear(b, from, block.inner, row("inner", "inner feature %j of %r"), "W₁", "linear1", "inner");
  const bool gated = b.stack.swiglu;
  const ActivationKind kind = gated ? ActivationKind::silu : b.stack.activation;
  const StageIndex before =
      gated ? linear(b, from, block.gate, row("gate", "how far inner feature %j of %r is let through"), "W_G",
                     "gate", "gate")
            : inner;
  const StageIndex activated = b.add(b.row("activated", "activated", std::string(name(kind)) + "(x)",
                                           Activation{kind}, {before}, "inner feature %j of %r, activated"));
  if (!gated) return activated;
  return b.add(b.row("gated", "gated", "activated ⊙ inner", Multiply{}, {activated, inner},
                     "inner feature %j of %r, as far as the gate lets it through"));
}

StageIndex append_feed_forward(SideBuilder& b, const StackBlock& block, StageIndex from) {
  const StageIndex activated = append_activated(b, block, from);
  Stage added = b.row("feed_forward", "feed-forward", "", Activation{}, {},
                      "what the feed-forward network adds to feature %j of %r");
  added.role = Role::output;
  return linear(b, activated, block.outer, std::move(added), "W₂", "linear2", "outer");
}

// Of this side's tokens to themselves, or to the memory.
LayerStages append_attention(SideBuilder& b, const StackBlock& block, StackBox box, StageIndex from) {
  const bool cross = box == StackBox::cross;
  LayerSpec layer = cross ? *block.cross : block.attention;
  layer.tokens = b.side.tokens;
  if (cross) layer.memory_tokens = b.memory_tokens;
  if (!cross && !is_added(b.stack.position)) layer.position = b.stack.position;
  layer.first_position = b.side.first_position;
  return append_layer(b.graph, layer,
                      {.address = address_of(b.decoder, b.block, box),
                       .input = from,
                       .memory = cross ? b.memory : std::nullopt,
                       .joins = true,
                       .step = b.step});
}

// f of the box; none where it is off.
std::optional<StageIndex> append_function(SideBuilder& b, const StackBlock& block, BoxStages& box,
                                          StageIndex from) {
  if (block.is_off(box.box)) return std::nullopt;
  if (box.box == StackBox::feed_forward) return append_feed_forward(b, block, from);
  if (box.box == StackBox::cross) b.begin_block("cross_");
  box.layer = append_attention(b, block, box.box, from);
  if (box.box == StackBox::cross) b.begin_block();
  return box.layer->output;
}

// What the box leaves of the stream: x + f(x), f(x) without a residual, x itself where it is off.
StageIndex append_sum(SideBuilder& b, const BoxStages& box, const std::string& id, const std::string& title) {
  const std::string sentence = "feature %j of the stream of %r";
  const std::string what = kBoxWords[static_cast<std::size_t>(box.box)];
  const StageIndex same = box.added.value_or(box.before);
  Stage sum = b.row(id, title, box.added ? what : "stream: " + what + " is off",
                    Reshape{b.graph.stages[same].shape}, {same}, sentence);
  if (box.added && b.stack.residual)
    sum.formula = "stream + " + what, sum.operation = Add{}, sum.inputs = {box.before, *box.added};
  sum.role = Role::output;
  return b.add(std::move(sum));
}

const char* norm_title(const StackSpec& stack) {
  return stack.norm_kind == NormKind::layer ? "LayerNorm" : "RMSNorm";
}

BoxStages append_box(SideBuilder& b, const StackBlock& block, StackBox which, std::size_t place,
                     StageIndex from, bool last) {
  b.begin_block();
  BoxStages box{.box = which, .before = from, .first_part = b.graph.parts.size() - 1};
  const std::string number = std::to_string(place + 1), stream = last ? "stream" : "stream" + number;
  const NormWeights& norm = block.norms[place];
  const std::string weights = "norm" + number, part = part_key(b.decoder, b.block, weights);
  StageIndex read = from;
  if (b.stack.norm_at == NormAt::before && !block.is_off(which))
    box.normed = read = b.append_norm(from, norm, weights, norm_title(b.stack), weights, part);
  box.added = append_function(b, block, box, read);
  if (b.stack.norm_at != NormAt::after) {
    box.stream = append_sum(b, box, stream, "stream");
    box.end_part = b.graph.parts.size();
    return box;
  }
  const StageIndex sum = append_sum(b, box, "sum" + number, "sum");
  box.normed = box.stream = b.append_norm(sum, norm, stream, "stream", weights, part);
  b.graph.stages[box.stream].role = Role::output;
  box.end_part = b.graph.parts.size();
  return box;
}

}  // namespace

BlockStages append_block(SideBuilder& b, const StackBlock& block, StageIndex from) {
  std::vector<StackBox> boxes{StackBox::attention};
  if (block.has(StackBox::cross)) boxes.push_back(StackBox::cross);
  if (block.has(StackBox::feed_forward)) boxes.push_back(StackBox::feed_forward);
  BlockStages stages{.boxes = {}, .stream = from, .step = b.step};
  for (std::size_t place = 0; place < boxes.size(); ++place) {
    stages.boxes.push_back(
        append_box(b, block, boxes[place], place, stages.stream, place + 1 == boxes.size()));
    stages.stream = stages.boxes.back().stream;
  }
  return stages;
}

const BoxStages* BlockStages::find(StackBox box) const {
  const auto found = std::ranges::find(boxes, box, &BoxStages::box);
  return found == boxes.end() ? nullptr : &*found;
}

}  // namespace attn
