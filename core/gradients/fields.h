// The fields of the workspace of gradients: the one list that sessions, undo steps and controls are made
// from.
#pragma once

#include "core/gradients/part.h"
#include "core/graph/fields.h"

namespace attn {

namespace gradients_field {

inline constexpr std::size_t kMostNoiseTokens = 64, kMostNoiseWidth = 512;

inline constexpr ChoiceField<LossKind, 5> loss{
    {.key = "loss",
     .title = "loss",
     .sentence = "the one number that every gradient is of: the sum of the outputs, one of them, a sum "
                 "weighted by hand, the mean square from a target, or cross-entropy with labels",
     .change = "loss: "},
    {{{"ones", "ones", LossKind::ones},
      {"one-hot", "one-hot", LossKind::one_hot},
      {"typed", "typed", LossKind::typed},
      {"mean-square", "mean square", LossKind::mean_square},
      {"cross-entropy", "cross-entropy", LossKind::cross_entropy}}}};
inline constexpr CountField row{.text = {.key = "row",
                                         .title = "token",
                                         .sentence = "the row of the output that a one-hot loss is",
                                         .change = "loss of row "}};
inline constexpr CountField column{.text = {.key = "column",
                                            .title = "feature",
                                            .sentence = "the column of the output that a one-hot loss is",
                                            .change = "loss of column "}};
inline constexpr ChoiceField<LossTarget, 3> target{
    {.key = "target",
     .title = "target",
     .sentence = "what the output should be: the next token's X, its own, or zeros; type over any of its "
                 "numbers",
     .change = "target: "},
    {{{"next", "X of the next token", LossTarget::next},
      {"same", "X of the token itself", LossTarget::same},
      {"zero", "zeros", LossTarget::zero}}}};
inline constexpr SwitchField times_number{
    {.key = "times_number",
     .title = "× its number",
     .sentence = "each gradient times the number that it is of: what the number adds to the loss, to first "
                 "order"},
    "gradients times their numbers",
    "gradients as they are"};
inline constexpr SwitchField scale_off{
    {.key = "scale_off",
     .title = "scale off",
     .sentence = "sizes of the gradients if the scores were not divided by √d_k"},
    "what if: scale off",
    "what if: no longer scale off"};
inline constexpr SwitchField cold{
    {.key = "cold", .title = "T = 0.1", .sentence = "sizes of the gradients at a temperature of 0.1"},
    "what if: T = 0.1",
    "what if: no longer T = 0.1"};
inline constexpr SwitchField no_mask{
    {.key = "no_mask", .title = "no mask", .sentence = "sizes of the gradients if no key were masked"},
    "what if: no mask",
    "what if: masked again"};
inline constexpr SwitchField large_inputs{
    {.key = "large_inputs",
     .title = "inputs × 10",
     .sentence = "sizes of the gradients if every input were ten times as large"},
    "what if: inputs × 10",
    "what if: inputs as they are"};
inline constexpr TensorField wanted{{.key = "wanted", .title = "wanted weights"}, "wanted",    "wanted",
                                    "the weight that %r should give %c",          Role::plain, Drawn::never};
inline constexpr SwitchField learn_x{
    {.key = "learn_x", .title = "X", .sentence = "the tokens may learn"}, "X learns", "X is fixed"};
inline constexpr SwitchField learn_q{
    {.key = "learn_q", .title = "W_Q", .sentence = "the projection to queries may learn"},
    "W_Q learns",
    "W_Q is fixed"};
inline constexpr SwitchField learn_k{
    {.key = "learn_k", .title = "W_K", .sentence = "the projection to keys may learn"},
    "W_K learns",
    "W_K is fixed"};
inline constexpr NumberField rate{.text = {.key = "rate",
                                           .title = "Adam",
                                           .sentence = "the learning rate of Adam",
                                           .change = "rate of Adam "},
                                  .least = 1e-6,
                                  .most = 10,
                                  .takes = "from 1e-6 to 10",
                                  .per_pixel = 0.001};
inline constexpr CountField noise_tokens{
    .text = {.key = "noise_tokens",
             .title = "random tokens",
             .sentence = "how many random tokens show what the scale does to gradients",
             .change = "random tokens "},
    .least = 2,
    .most = kMostNoiseTokens};
inline constexpr CountField noise_width{
    .text = {.key = "noise_width",
             .title = "their d_k",
             .sentence = "how wide the queries and keys of the random tokens are",
             .change = "d_k of random tokens "},
    .least = 1,
    .most = kMostNoiseWidth};
inline constexpr CountField noise_seed{.text = {.key = "noise_seed",
                                                .title = "seed",
                                                .sentence = "another seed draws other tokens",
                                                .change = "seed of random tokens "}};

}  // namespace gradients_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<GradientsSpec>, Visit&& visit) {
  namespace f = gradients_field;
  visit(f::loss, &GradientsSpec::loss);
  visit(f::row, &GradientsSpec::row);
  visit(f::column, &GradientsSpec::column);
  visit(f::target, &GradientsSpec::target);
  visit(f::times_number, &GradientsSpec::times_number);
  visit(f::scale_off, &GradientsSpec::scale_off);
  visit(f::cold, &GradientsSpec::cold);
  visit(f::no_mask, &GradientsSpec::no_mask);
  visit(f::large_inputs, &GradientsSpec::large_inputs);
  visit(f::wanted, &GradientsSpec::wanted);
  visit(f::learn_x, &GradientsSpec::learn_x);
  visit(f::learn_q, &GradientsSpec::learn_q);
  visit(f::learn_k, &GradientsSpec::learn_k);
  visit(f::rate, &GradientsSpec::rate);
  visit(f::noise_tokens, &GradientsSpec::noise_tokens);
  visit(f::noise_width, &GradientsSpec::noise_width);
  visit(f::noise_seed, &GradientsSpec::noise_seed);
}

}  // namespace attn
