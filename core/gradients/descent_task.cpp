// What a descent is about: what may learn, and which layers it cannot be of.
#include <algorithm>
#include <array>

#include "core/document/layer_plan.h"
#include "core/document/plan.h"
#include "core/gradients/descent.h"

namespace attn {
namespace {

constexpr std::size_t kMostScores = std::size_t{1} << 20;  // of all heads

constexpr std::array kProjected{Learner{&LayerSpec::x, Role::token, "X", &DescentTask::learn_x},
                                Learner{&LayerSpec::memory, Role::token, "M", &DescentTask::learn_x},
                                Learner{&LayerSpec::w_q, Role::query, "W_Q", &DescentTask::learn_q},
                                Learner{&LayerSpec::w_k, Role::key, "W_K", &DescentTask::learn_k}};
constexpr std::array kDirect{Learner{&LayerSpec::q, Role::query, "Q", &DescentTask::learn_q},
                             Learner{&LayerSpec::k, Role::key, "K", &DescentTask::learn_k}};

}  // namespace

bool DescentTask::same_question(const DescentTask& other) const {
  return layer == other.layer && typed == other.typed && wanted == other.wanted && head == other.head;
}

DescentTask descent_task(const Document& document, std::size_t head) {
  const GradientsSpec& spec = document.gradients;
  return {.layer = document.layer(),
          .typed = overrides_of(document, kLayerPlan),
          .wanted = spec.wanted,
          .head = head,
          .learn_x = spec.learn_x,
          .learn_q = spec.learn_q,
          .learn_k = spec.learn_k,
          .rate = spec.rate};
}

std::string learner_words(const DescentTask& task) {
  std::string words;
  for (const Learner& each : learners(task)) words += (words.empty() ? "" : " + ") + std::string(each.name);
  return words;
}

std::vector<Learner> learners(const DescentTask& task) {
  std::vector<Learner> found;
  const auto take = [&](const auto& all) {
    for (const Learner& each : all)
      if (task.*each.may && !(task.layer.*each.tensor).empty()) found.push_back(each);
  };
  task.layer.direct ? take(kDirect) : take(kProjected);
  return found;
}

std::string descent_refusal(const LayerSpec& layer) {
  const Weighting weighting = weighting_of(layer);
  if (weighting == Weighting::hard)
    return "at temperature 0 the choice is hard and nothing flows back through it: raise T";
  if (weighting != Weighting::softmax && weighting != Weighting::softmax_1)
    return "descend asks for weights of a softmax, and these are made by " +
           std::string(weighting_text(weighting).title) + ": choose softmax or softmax-1";
  if (is_over_queries(layer))
    return "descend asks for weights that add up over keys, and these add up over queries: choose keys";
  if (is_over_heads(layer))
    return "descend asks for weights that add up over keys, and these add up over heads: choose keys";
  if (layer.local == Local::predictive)
    return "predicted centres take from the weights behind the softmax: choose another local attention, or "
           "none";
  if (layer.precision != NumberFormat::float32)
    return std::string("the layer rounds to ") + name(layer.precision) +
           ", and nothing flows back through rounding: choose " + name(NumberFormat::float32);
  const std::size_t scores = head_count(layer) * query_count(layer) * key_count(layer);
  if (scores > kMostScores)
    return "the layer has " + std::to_string(scores) + " scores, and descend goes through " +
           std::to_string(kMostScores) + " at most: take fewer tokens";
  return {};
}

LayerSpec with_learnt(LayerSpec layer, const DescentTask& task, const DescentStep& step) {
  const std::vector<Learner> all = learners(task);
  for (std::size_t i = 0; i < all.size(); ++i) layer.*all[i].tensor = step.learnt[i];
  return layer;
}

}  // namespace attn
