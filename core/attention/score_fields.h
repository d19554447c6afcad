// The fields of a layer between its queries and keys and its weights: scoring function, soft cap, norms and
// weighting. Part of layer_fields.h.
#pragma once

#include "core/attention/local.h"
#include "core/attention/scoring.h"
#include "core/attention/weighting_fields.h"
#include "core/graph/fields.h"
#include "core/operations/precision.h"

namespace attn::layer_field {

inline constexpr SwitchField qk_norm{
    {.key = "qk_norm",
     .title = "norm of Q, K",
     .sentence = "queries and keys divided by their root mean square over d_k, before RoPE",
     .option = "--qk-norm"},
    "queries and keys normed",
    "queries and keys not normed"};
inline constexpr NumberField qk_gain{.text = {.key = "qk_gain",
                                              .title = "gain",
                                              .sentence = "what normed queries and keys are multiplied by",
                                              .change = "gain ",
                                              .option = "--qk-gain",
                                              .takes = "G"},
                                     .takes = "finite",
                                     .per_pixel = 0.01};

constexpr ChoiceField<Scoring, kScorings.size()> scoring_choice() {
  ChoiceField<Scoring, kScorings.size()> field{
      {.key = "scoring",
       .title = "score",
       .sentence = "how a query and a key become one number; parameters that are missing are made",
       .change = "score ",
       .option = "--score",
       .takes = "dot|general|concat|additive|gaussian|cosine"},
      {}};
  for (std::size_t i = 0; i < kScorings.size(); ++i)
    field.words[i] = {kScorings[i].word, kScorings[i].title, static_cast<Scoring>(i)};
  return field;
}
inline constexpr ChoiceField<Scoring, kScorings.size()> scoring = scoring_choice();
constexpr TensorField score_parameter(std::string_view key, std::string_view symbol,
                                      std::string_view number) {
  return {{.key = key}, key, symbol, number, Role::plain, Drawn::parameters, Stack::joined, false};
}
inline constexpr TensorField score_w =
    score_parameter("score_w", "score W", "how much column %j counts in row %i of the score's W");
inline constexpr TensorField score_w_q =
    score_parameter("score_w_q", "score W_q", "how much query feature %j counts in hidden feature %i");
inline constexpr TensorField score_w_k =
    score_parameter("score_w_k", "score W_k", "how much key feature %j counts in hidden feature %i");
inline constexpr TensorField score_v =
    score_parameter("score_v", "score v", "how much hidden feature %j counts in a score");
inline constexpr NumberField sigma{.text = {.key = "sigma",
                                            .title = "σ",
                                            .sentence = "the width of the Gaussian score",
                                            .change = "σ ",
                                            .option = "--sigma",
                                            .takes = "S"},
                                   .least = 1e-6,
                                   .most = 1e6,
                                   .takes = "from 1e-6 to 1e6",
                                   .per_pixel = 0.01};

inline constexpr NumberField soft_cap{
    .text = {.key = "soft_cap",
             .title = "soft cap",
             .sentence = "the scaled scores become c·tanh(score ÷ c), at most c; 0 is off, Gemma 2 has 50",
             .change = "soft cap ",
             .option = "--soft-cap",
             .takes = "C"},
    .least = 0,
    .most = 1e6,
    .takes = "0 for none, or from 0.001 to 1e6",
    .per_pixel = 0.05};
inline constexpr ChoiceField<Weighting, kLayerWeightings> weighting =
    weighting_choice<kLayerWeightings>({.key = "weighting",
                                        .title = "weighting",
                                        .sentence = "how a row of scores becomes weights",
                                        .change = "weighting ",
                                        .option = "--weighting",
                                        .takes = "softmax|softmax-1|sparsemax|sigmoid|relu"});

inline constexpr ChoiceField<SoftmaxOver, 3> softmax_over{
    {.key = "softmax_over",
     .title = "over",
     .sentence = "which weights add up to 1: each query's over the keys, or, a mistake easily made in code, "
                 "each key's over the queries, or each pair's over the heads",
     .change = "softmax over ",
     .option = "--softmax-over",
     .takes = "keys|queries|heads"},
    {{{"keys", "keys", SoftmaxOver::keys},
      {"queries", "queries", SoftmaxOver::queries},
      {"heads", "heads", SoftmaxOver::heads}}}};

inline constexpr ChoiceField<Local, 3> local{
    {.key = "local",
     .title = "local",
     .sentence =
         "each query sees the keys around a centre: its own place, or a predicted one (Luong et al. 2015)",
     .change = "local ",
     .option = "--local",
     .takes = "none|monotonic|predictive"},
    {{{"none", "none", Local::none},
      {"monotonic", "monotonic", Local::monotonic},
      {"predictive", "predictive", Local::predictive}}}};
inline constexpr CountField local_reach{.text = {.key = "local_reach",
                                                 .title = "D",
                                                 .sentence = "keys at most this far from the centre are seen",
                                                 .change = "D ",
                                                 .option = "--local-reach",
                                                 .takes = "D"},
                                        .least = 1,
                                        .most = std::size_t{1} << 20};
inline constexpr TensorField local_w =
    score_parameter("local_w", "W_p", "how much query feature %j counts in hidden feature %i of the centre");
inline constexpr TensorField local_v =
    score_parameter("local_v", "v_p", "how much hidden feature %j counts in the centre");

inline constexpr ChoiceField<NumberFormat, 3> precision{
    {.key = "precision",
     .title = "precision",
     .sentence = "the numbers of every stage are rounded to this format",
     .change = "precision ",
     .option = "--precision",
     .takes = "float32|float16|bfloat16"},
    {{{"float32", "float32", NumberFormat::float32},
      {"float16", "float16", NumberFormat::float16},
      {"bfloat16", "bfloat16", NumberFormat::bfloat16}}}};
}  // namespace attn::layer_field
