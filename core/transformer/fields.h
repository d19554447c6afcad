// The fields of a stack: the one list that sessions, undo steps, editing and controls are made from.
#pragma once

#include "core/attention/layer_fields.h"
#include "core/transformer/part.h"

namespace attn {

namespace stack_field {

inline constexpr ChoiceField<StackSides, 3> sides{
    {.key = "sides",
     .title = "sides",
     .sentence =
         "an encoder, where every token sees all; a decoder, where it sees itself and those before; or "
         "a decoder that looks at an encoder's output",
     .change = "stack: "},
    {{{"encoder", "encoder", StackSides::encoder},
      {"decoder", "decoder", StackSides::decoder},
      {"both", "encoder–decoder", StackSides::both}}}};
inline constexpr ChoiceField<StackWeights, 3> weights{
    {.key = "weights",
     .title = "weights",
     .sentence = "given by a file or edited, drawn by a seed, or trained",
     .change = "weights: "},
    {{{"given", "given", StackWeights::given},
      {"drawn", "random", StackWeights::drawn},
      {"trained", "trained", StackWeights::trained}}},
    Naming::whole};
inline constexpr CountField seed{
    .text = {.key = "seed",
             .title = "seed",
             .sentence = "of weights that are drawn: the same seed, the same weights",
             .change = "weights by seed "},
    .naming = Naming::whole};
inline constexpr ChoiceField<NormAt, 3> norm_at{
    {.key = "norm_at",
     .title = "norm",
     .sentence = "normalise what a box reads, x + f(norm x), or what it leaves, norm(x + f(x)), or nothing",
     .change = "norm: "},
    {{{"before", "before", NormAt::before},
      {"after", "after", NormAt::after},
      {"none", "none", NormAt::none}}}};
inline constexpr ChoiceField<NormKind, 2> norm_kind{
    {.key = "norm_kind",
     .title = "norm",
     .sentence =
         "LayerNorm subtracts the mean of a row and divides by its spread; RMSNorm divides by its root "
         "mean square alone",
     .change = "norm: "},
    {{{"layer", "LayerNorm", NormKind::layer}, {"rms", "RMSNorm", NormKind::rms}}}};
inline constexpr NumberField epsilon{
    .text = {.key = "epsilon",
             .title = "ε",
             .sentence =
                 "added to the variance, so that rows of equal numbers can be divided by their spread",
             .change = "ε "},
    .least = 0,
    .most = 1,
    .takes = "from 0 to 1"};
inline constexpr SwitchField residual{
    {.key = "residual",
     .title = "residual",
     .sentence = "every box adds to the stream; without, it takes the stream's place"},
    "residual",
    "no residual"};
inline constexpr SwitchField swiglu{
    {.key = "swiglu",
     .title = "SwiGLU",
     .sentence = "the feed-forward network's inner numbers are let through by a gate, silu(x·W_G)"},
    "SwiGLU",
    "no SwiGLU"};
inline constexpr ChoiceField<ActivationKind, 4> activation{
    {.key = "activation",
     .title = "activation",
     .sentence = "what bends the feed-forward network's inner numbers",
     .change = "activation: "},
    {{{"relu", "ReLU", ActivationKind::relu},
      {"gelu", "GELU", ActivationKind::gelu},
      {"gelu-tanh", "GELU tanh", ActivationKind::gelu_tanh},
      {"silu", "SiLU", ActivationKind::silu}}}};
inline constexpr TensorField position_table{{.key = "position_table", .title = "positions"},
                                            "position_table",
                                            "P",
                                            "what position %i adds to feature %j",
                                            Role::plain,
                                            Drawn::parameters,
                                            Stack::joined,
                                            false};
inline constexpr TensorField embedding{{.key = "embedding", .title = "embedding"},
                                       "embedding",
                                       "E",
                                       "feature %j of every token %r",
                                       Role::plain,
                                       Drawn::parameters,
                                       Stack::joined,
                                       false};
inline constexpr LabelsField symbols{{.key = "symbols"}, "symbol"};
inline constexpr SwitchField tied{
    {.key = "tied",
     .title = "tied weights",
     .sentence = "scores of the next symbol are products with the embedding's own rows"},
    "tied weights",
    "weights not tied"};
inline constexpr TensorField head =
    layer_field::parameter("head", "W_head", "how much feature %i counts for symbol %j", Role::output);
inline constexpr TensorField memory{
    {.key = "memory"}, "memory",      "M",           "feature %j of %r in the memory",
    Role::token,       Drawn::always, Stack::joined, true};
inline constexpr LabelsField memory_tokens{{.key = "memory_tokens"}};

inline constexpr TensorField x{{.key = "x"}, "x", "X", "feature %j of %r, as given", Role::token};
inline constexpr TensorField ids{{.key = "ids", .title = "ids"},
                                 "ids",
                                 "ids",
                                 "which row of the embedding %r is",
                                 Role::plain,
                                 Drawn::parameters,
                                 Stack::joined,
                                 false};
inline constexpr LabelsField tokens{{.key = "tokens"}};
inline constexpr CountField first_position{.text = {.key = "first_position",
                                                    .title = "first position",
                                                    .sentence = "the position of the side's first token",
                                                    .change = "first position "},
                                           .most = std::size_t{1} << 30};
inline constexpr SwitchField normed{
    {.key = "normed", .title = "final norm", .sentence = "normalise what the last layer leaves"},
    "final norm",
    "no final norm"};

inline constexpr TensorField weight =
    layer_field::parameter("w", "W", "from feature %i to feature %j", Role::plain);
inline constexpr TensorField bias = layer_field::parameter("b", "b", "added to feature %j", Role::plain);
inline constexpr TensorField gain =
    layer_field::parameter("gain", "γ", "the gain of feature %j", Role::plain);
inline constexpr TensorField shift =
    layer_field::parameter("bias", "β", "the bias of feature %j", Role::plain);
inline constexpr SetField off{{.key = "off", .change = "switch boxes"}};

}  // namespace stack_field

// Those of the stack itself, in the order of session files; visit_stack has all of its parts.
template <class Visit>
void visit_fields(std::type_identity<StackSpec>, Visit&& visit) {
  namespace f = stack_field;
  visit(f::sides, &StackSpec::sides);
  visit(f::weights, &StackSpec::weights);
  visit(f::seed, &StackSpec::seed);
  visit(f::norm_at, &StackSpec::norm_at);
  visit(f::norm_kind, &StackSpec::norm_kind);
  visit(f::epsilon, &StackSpec::epsilon);
  visit(f::residual, &StackSpec::residual);
  visit(f::swiglu, &StackSpec::swiglu);
  visit(f::activation, &StackSpec::activation);
  visit(layer_field::position, &StackSpec::position);
  visit(f::position_table, &StackSpec::position_table);
  visit(f::embedding, &StackSpec::embedding);
  visit(f::symbols, &StackSpec::symbols);
  visit(f::tied, &StackSpec::tied);
  visit(f::head, &StackSpec::head);
  visit(f::memory, &StackSpec::memory);
  visit(f::memory_tokens, &StackSpec::memory_tokens);
}

template <class Visit>
void visit_fields(std::type_identity<StackSide>, Visit&& visit) {
  namespace f = stack_field;
  visit(f::x, &StackSide::x);
  visit(f::ids, &StackSide::ids);
  visit(f::tokens, &StackSide::tokens);
  visit(f::first_position, &StackSide::first_position);
  visit(f::normed, &StackSide::normed);
}

template <class Visit>
void visit_fields(std::type_identity<NormWeights>, Visit&& visit) {
  visit(stack_field::gain, &NormWeights::gain);
  visit(stack_field::shift, &NormWeights::bias);
}

template <class Visit>
void visit_fields(std::type_identity<Affine>, Visit&& visit) {
  visit(stack_field::weight, &Affine::w);
  visit(stack_field::bias, &Affine::b);
}

// What else a block has than its attentions and its matrices.
template <class Visit>
void visit_fields(std::type_identity<StackBlock>, Visit&& visit) {
  visit(stack_field::off, &StackBlock::off);
}

}  // namespace attn
