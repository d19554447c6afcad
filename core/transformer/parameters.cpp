// PyTorch's names of a stack's parameters.
#include "core/transformer/parameters.h"

namespace attn {
namespace {

void add_linear(std::vector<StackParameter>& all, const std::string& name, Affine& affine) {
  all.push_back({name + ".weight", {&affine.w}, ParameterKind::weight});
  all.push_back({name + ".bias", {&affine.b}});
}

void add_norm(std::vector<StackParameter>& all, const std::string& name, NormWeights& norm) {
  all.push_back({name + ".weight", {&norm.gain}});
  all.push_back({name + ".bias", {&norm.bias}});
}

void add_attention(std::vector<StackParameter>& all, const std::string& name, LayerSpec& layer) {
  all.push_back({name + ".in_proj_weight", {&layer.w_q, &layer.w_k, &layer.w_v}, ParameterKind::weight});
  all.push_back({name + ".in_proj_bias", {&layer.b_q, &layer.b_k, &layer.b_v}});
  all.push_back({name + ".out_proj.weight", {&layer.w_o}, ParameterKind::weight});
  all.push_back({name + ".out_proj.bias", {&layer.b_o}});
}

void add_side(std::vector<StackParameter>& all, const std::string& name, StackSide& side) {
  for (std::size_t i = 0; i < side.blocks.size(); ++i) {
    const std::string layer = name + ".layers." + std::to_string(i);
    StackBlock& block = side.blocks[i];
    add_attention(all, layer + ".self_attn", block.attention);
    if (block.cross) add_attention(all, layer + ".multihead_attn", *block.cross);
    add_linear(all, layer + ".linear1", block.inner);
    add_linear(all, layer + ".gate", block.gate);
    add_linear(all, layer + ".linear2", block.outer);
    for (std::size_t k = 0; k < block.norms.size(); ++k)
      add_norm(all, layer + ".norm" + std::to_string(k + 1), block.norms[k]);
  }
  add_norm(all, name + ".norm", side.norm);
}

}  // namespace

std::vector<StackParameter> stack_parameters(StackSpec& stack) {
  std::vector<StackParameter> all;
  all.push_back({"embedding.weight", {&stack.embedding}, ParameterKind::rows});
  all.push_back({"position.weight", {&stack.position_table}, ParameterKind::rows});
  if (stack.sides != StackSides::decoder) add_side(all, "encoder", stack.encoder);
  if (stack.sides != StackSides::encoder) add_side(all, "decoder", stack.decoder);
  all.push_back({"head.weight", {&stack.head}, ParameterKind::weight});
  return all;
}

}  // namespace attn
