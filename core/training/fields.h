// The fields of the workspace of training: the one list that sessions, undo steps and controls are made from.
#pragma once

#include "core/graph/fields.h"
#include "core/training/part.h"

namespace attn {

namespace training_field {

inline constexpr ChoiceField<TrainingTaskKind, 8> task{
    {.key = "task", .title = "task", .sentence = "what is to be learnt", .change = "task: "},
    {{{"copy", "copy", TrainingTaskKind::copy},
      {"reverse", "reverse", TrainingTaskKind::reverse},
      {"sort", "sort", TrainingTaskKind::sort},
      {"recall", "recall", TrainingTaskKind::recall},
      {"induction", "induction", TrainingTaskKind::induction},
      {"dates", "dates", TrainingTaskKind::dates},
      {"modular", "a + b mod p", TrainingTaskKind::modular},
      {"own", "your own", TrainingTaskKind::own}}}};
inline constexpr CountField length{
    .text = {.key = "length", .title = "length", .sentence = "symbols of a sequence", .change = "length "},
    .least = 1,
    .most = 256};
inline constexpr CountField symbols{.text = {.key = "symbols",
                                             .title = "symbols",
                                             .sentence = "how many different symbols there are",
                                             .change = "symbols "},
                                    .least = 2,
                                    .most = 256};
inline constexpr CountField modulus{
    .text = {.key = "modulus",
             .title = "modulus p",
             .sentence = "sums are taken modulo this number; a prime makes the task hardest to guess",
             .change = "modulus "},
    .least = 2,
    .most = 251};
inline constexpr NumberField train_share{
    .text = {.key = "train_share",
             .title = "trained on",
             .sentence = "the share of all pairs that is trained on; the others are held out",
             .change = "trained on "},
    .least = 0.01,
    .most = 1,
    .takes = "from 0.01 to 1",
    .per_pixel = 0.005};
inline constexpr LabelsField pairs{{.key = "pairs", .title = "pairs"}, "pair"};

inline constexpr CountField layers{
    .text = {.key = "layers",
             .title = "layers",
             .sentence = "blocks of attention, each adding to the stream; of the encoder and of the decoder",
             .change = "layers "},
    .least = 1,
    .most = 8};
inline constexpr CountField heads{.text = {.key = "heads",
                                           .title = "heads",
                                           .sentence = "heads of each attention; they share the width",
                                           .change = "heads "},
                                  .least = 1,
                                  .most = 64};
inline constexpr CountField width{.text = {.key = "width",
                                           .title = "width d",
                                           .sentence = "features of a token, which the heads share",
                                           .change = "width "},
                                  .least = 1,
                                  .most = 512};
inline constexpr CountField inner{
    .text = {.key = "inner",
             .title = "inner width",
             .sentence = "of the feed-forward network behind each attention; 0: attention alone",
             .change = "inner width "},
    .most = 2048};
inline constexpr ChoiceField<TrainingPosition, 7> position{
    {.key = "position",
     .title = "position",
     .sentence = "what tells the model where a symbol stands",
     .change = "position: "},
    {{{"learned", "learned", TrainingPosition::learned},
      {"sinusoidal", "sinusoidal", TrainingPosition::sinusoidal},
      {"none", "none", TrainingPosition::none},
      {"alibi", "ALiBi", TrainingPosition::alibi},
      {"rope", "RoPE", TrainingPosition::rope},
      {"relative", "relative", TrainingPosition::relative},
      {"t5", "T5 bias", TrainingPosition::t5}}}};
inline constexpr ChoiceField<TrainingDecoder, 2> decoder{
    {.key = "decoder",
     .title = "decoder reads",
     .sentence =
         "blank slots, one for each answer, or what has been written so far: the right answers before",
     .change = "decoder: "},
    {{{"slots", "blank slots", TrainingDecoder::slots}, {"written", "written", TrainingDecoder::written}}}};
inline constexpr SwitchField scale{
    {.key = "scale", .title = "scale 1/√d_k", .sentence = "scores are divided by the root of a head's width"},
    "scale on",
    "scale off"};
inline constexpr SwitchField residual{
    {.key = "residual",
     .title = "residual",
     .sentence = "each block adds to the stream; without, it takes its place"},
    "residual on",
    "residual off"};

inline constexpr ChoiceField<OptimizerKind, 3> optimizer{{.key = "optimizer",
                                                          .title = "kind",
                                                          .sentence = "what makes a step of the gradients",
                                                          .change = "optimiser: "},
                                                         {{{"adam", "Adam", OptimizerKind::adam},
                                                           {"adamw", "AdamW", OptimizerKind::adamw},
                                                           {"sgd", "SGD", OptimizerKind::sgd}}}};
inline constexpr NumberField rate{.text = {.key = "rate",
                                           .title = "learning rate",
                                           .sentence = "how far a step goes, once the warm-up is over",
                                           .change = "learning rate "},
                                  .least = 1e-6,
                                  .most = 100,
                                  .takes = "from 1e-6 to 100",
                                  .per_pixel = 1e-5};
inline constexpr NumberField beta1{.text = {.key = "beta1",
                                            .title = "β₁",
                                            .sentence = "how much of the mean gradient a step keeps",
                                            .change = "β₁ "},
                                   .least = 0,
                                   .most = 0.999999,
                                   .takes = "from 0 to 0.999999",
                                   .per_pixel = 0.001};
inline constexpr NumberField beta2{.text = {.key = "beta2",
                                            .title = "β₂",
                                            .sentence = "how much of the mean squared gradient a step keeps",
                                            .change = "β₂ "},
                                   .least = 0,
                                   .most = 0.999999,
                                   .takes = "from 0 to 0.999999",
                                   .per_pixel = 0.0001};
inline constexpr NumberField decay{.text = {.key = "decay",
                                            .title = "weight decay",
                                            .sentence = "how fast parameters shrink towards 0",
                                            .change = "weight decay "},
                                   .least = 0,
                                   .most = 100,
                                   .takes = "from 0 to 100",
                                   .per_pixel = 0.01};
inline constexpr CountField batch{.text = {.key = "batch",
                                           .title = "batch",
                                           .sentence = "sequences that a step learns from",
                                           .change = "batch "},
                                  .least = 1,
                                  .most = 1024};
inline constexpr CountField warm_up{
    .text = {.key = "warm_up",
             .title = "warm-up",
             .sentence = "steps until the learning rate is whole; it grows evenly up to there",
             .change = "warm-up "},
    .most = 100'000};
inline constexpr CountField seed{
    .text = {.key = "seed",
             .title = "seed",
             .sentence = "of the first parameters and of what is drawn; the same seed gives the same run",
             .change = "seed "}};
inline constexpr CountField steps{
    .text = {.key = "steps", .title = "steps", .sentence = "how far a run goes", .change = "steps "},
    .least = 1,
    .most = 100'000};
inline constexpr ChoiceField<RunDifference, 5> beside{
    {.key = "beside",
     .title = "run B",
     .sentence = "what a second run has otherwise than A, and nothing else",
     .change = "run B: "},
    {{{"none", "none", RunDifference::none},
      {"no-position", "no positions", RunDifference::no_position},
      {"scale-off", "scale off", RunDifference::scale_off},
      {"one-head", "1 head", RunDifference::one_head},
      {"no-residual", "no residual", RunDifference::no_residual}}}};

}  // namespace training_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<TrainingSettings>, Visit&& visit) {
  namespace f = training_field;
  visit(f::task, &TrainingSettings::task);
  visit(f::length, &TrainingSettings::length);
  visit(f::symbols, &TrainingSettings::symbols);
  visit(f::modulus, &TrainingSettings::modulus);
  visit(f::train_share, &TrainingSettings::train_share);
  visit(f::pairs, &TrainingSettings::pairs);
  visit(f::layers, &TrainingSettings::layers);
  visit(f::heads, &TrainingSettings::heads);
  visit(f::width, &TrainingSettings::width);
  visit(f::inner, &TrainingSettings::inner);
  visit(f::position, &TrainingSettings::position);
  visit(f::decoder, &TrainingSettings::decoder);
  visit(f::scale, &TrainingSettings::scale);
  visit(f::residual, &TrainingSettings::residual);
  visit(f::optimizer, &TrainingSettings::optimizer);
  visit(f::rate, &TrainingSettings::rate);
  visit(f::beta1, &TrainingSettings::beta1);
  visit(f::beta2, &TrainingSettings::beta2);
  visit(f::decay, &TrainingSettings::decay);
  visit(f::batch, &TrainingSettings::batch);
  visit(f::warm_up, &TrainingSettings::warm_up);
  visit(f::seed, &TrainingSettings::seed);
  visit(f::steps, &TrainingSettings::steps);
  visit(f::beside, &TrainingSettings::beside);
}

}  // namespace attn
