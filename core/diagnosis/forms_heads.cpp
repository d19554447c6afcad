// Layers whose projections are mixed up, or whose heads are cut and joined wrong.
#include <algorithm>
#include <array>

#include "core/diagnosis/mistake_forms.h"

namespace attn::mistake_forms {
namespace {

struct WeightOf {
  Tensor LayerSpec::*member;
  char letter;
  const char* name;
};
constexpr std::array<WeightOf, 4> kWeights{{{&LayerSpec::w_q, 'q', "W_Q"},
                                            {&LayerSpec::w_k, 'k', "W_K"},
                                            {&LayerSpec::w_v, 'v', "W_V"},
                                            {&LayerSpec::w_o, 'o', "W_O"}}};

bool scores_are_products(const LayerSpec& layer) {
  return layer.scoring == Scoring::dot;
}

// Which of q, k, v stand where they should.
constexpr std::array<std::array<std::size_t, 3>, 5> kOrders{
    {{1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}}};

void reorder(std::array<Tensor*, 3> tensors, const std::array<std::size_t, 3>& order) {
  const std::array<Tensor, 3> before{*tensors[0], *tensors[1], *tensors[2]};
  for (std::size_t i = 0; i < before.size(); ++i) *tensors[i] = before[order[i]];
}

bool same_shapes(const Tensor& a, const Tensor& b, const Tensor& c) {
  return a.shape() == b.shape() && b.shape() == c.shape();
}

}  // namespace

std::size_t head_width(const LayerSpec& layer) {
  if (layer.direct) return layer.q.columns();
  return layer.heads == 0 || layer.w_q.columns() % layer.heads != 0 ? 0 : layer.w_q.columns() / layer.heads;
}

// All of them, those of a packed weight, each alone: as code that forgets it in one function, or in one line.
Forms w_not_transposed(const LayerSpec& layer, const GivenNumbers&) {
  if (layer.direct) return {};
  std::array<Tensor, kWeights.size()> turned;
  for (std::size_t i = 0; i < kWeights.size(); ++i) {
    const Tensor& weight = layer.*kWeights[i].member;
    if (!weight.empty() && weight.rows() == weight.columns()) turned[i] = transposed(weight);
  }
  Forms forms;
  std::vector<std::string> known;
  const auto add = [&](std::string_view letters) {
    std::string detail;
    MistakenLayer form{layer};
    for (std::size_t i = 0; i < kWeights.size(); ++i) {
      if (turned[i].empty() || letters.find(kWeights[i].letter) == letters.npos) continue;
      form.layer.*kWeights[i].member = turned[i];
      detail += (detail.empty() ? "" : ", ") + std::string(kWeights[i].name);
    }
    if (detail.empty() || std::ranges::find(known, detail) != known.end()) return;
    known.push_back(form.detail = detail);
    forms.push_back(std::move(form));
  };
  for (const std::string_view letters : {"qkvo", "qkv", "q", "k", "v", "o"}) add(letters);
  return forms;
}

Forms packed_order(const LayerSpec& layer, const GivenNumbers&) {
  const bool fits =
      layer.direct ? same_shapes(layer.q, layer.k, layer.v) : same_shapes(layer.w_q, layer.w_k, layer.w_v);
  if (!fits) return {};
  Forms forms;
  for (const auto& order : kOrders) {
    std::string detail;
    for (const std::size_t part : order) detail += (detail.empty() ? "" : ", ") + std::string(1, "qkv"[part]);
    forms.push_back(changed(
        layer,
        [&](LayerSpec& l) {
          if (l.direct) return reorder({&l.q, &l.k, &l.v}, order);
          reorder({&l.w_q, &l.w_k, &l.w_v}, order);
          reorder({&l.b_q, &l.b_k, &l.b_v}, order);
        },
        "taken as " + detail));
  }
  return forms;
}

Forms biases_forgotten(const LayerSpec& layer, const GivenNumbers&) {
  if (layer.direct) return {};
  const bool inner = !layer.b_q.empty() || !layer.b_k.empty() || !layer.b_v.empty();
  const bool outer = !layer.b_o.empty() && !layer.w_o.empty();
  const auto forget_inner = [](LayerSpec& l) { l.b_q = l.b_k = l.b_v = Tensor(); };
  const auto forget_outer = [](LayerSpec& l) { l.b_o = Tensor(); };
  Forms forms;
  if (inner && outer)
    forms.push_back(changed(
        layer, [&](LayerSpec& l) { forget_inner(l), forget_outer(l); }, "all"));
  if (inner) forms.push_back(changed(layer, forget_inner, "b_Q, b_K, b_V"));
  if (outer) forms.push_back(changed(layer, forget_outer, inner ? "b_O" : ""));
  if (outer) forms.back().fix = Fix{"out = F.linear(concat, w_o)", "out = F.linear(concat, w_o, b_o)"};
  struct Bias {
    char letter;
    Tensor LayerSpec::*member;
  };
  for (const Bias& bias :
       {Bias{'q', &LayerSpec::b_q}, Bias{'k', &LayerSpec::b_k}, Bias{'v', &LayerSpec::b_v}}) {
    if ((layer.*bias.member).empty()) continue;
    const std::string one(1, bias.letter), capital(1, static_cast<char>(bias.letter - 'a' + 'A'));
    forms.push_back(changed(
        layer, [&](LayerSpec& l) { l.*bias.member = Tensor(); }, "b_" + capital));
    forms.back().fix =
        Fix{one + " = F.linear(x, w_" + one + ")", one + " = F.linear(x, w_" + one + ", b_" + one + ")"};
  }
  return forms;
}

Forms w_o_forgotten(const LayerSpec& layer, const GivenNumbers&) {
  if (layer.direct || layer.w_o.empty()) return {};
  return {changed(layer, [](LayerSpec& l) { l.w_o = l.b_o = Tensor(); })};
}

Forms heads_split_by_reshape(const LayerSpec& layer, const GivenNumbers&) {
  if (layer.direct || layer.heads == 1 || layer.head_split == HeadCut::memory) return {};
  return {changed(layer, [](LayerSpec& l) { l.head_split = HeadCut::memory; })};
}

Forms heads_merged_by_reshape(const LayerSpec& layer, const GivenNumbers&) {
  if (head_count(layer) == 1 || layer.head_merge == HeadCut::memory) return {};
  return {changed(layer, [](LayerSpec& l) { l.head_merge = HeadCut::memory; })};
}

Forms groups_tiled(const LayerSpec& layer, const GivenNumbers&) {
  const std::size_t groups = kv_head_count(layer);
  if (groups == 1 || groups == head_count(layer) || layer.head_groups == HeadGroups::tiled) return {};
  return {changed(layer, [](LayerSpec& l) { l.head_groups = HeadGroups::tiled; })};
}

Forms k_reshaped(const LayerSpec& layer, const GivenNumbers&) {
  if (!scores_are_products(layer) || layer.key_turn == KeyTurn::reshaped) return {};
  return {changed(layer, [](LayerSpec& l) { l.key_turn = KeyTurn::reshaped; })};
}

}  // namespace attn::mistake_forms
