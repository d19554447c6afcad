// The fields of a layer: the one list that sessions, undo steps, editing, options and controls are made from.
#pragma once

#include "core/attention/layer.h"
#include "core/attention/mask_fields.h"
#include "core/attention/mistake_fields.h"
#include "core/attention/position_fields.h"
#include "core/attention/score_fields.h"
#include "core/graph/fields.h"
#include "core/graph/limits.h"

namespace attn {

namespace layer_field {

inline constexpr LabelsField tokens{{.key = "tokens"}}, memory_tokens{{.key = "memory_tokens"}};

inline constexpr SwitchField direct{
    {.key = "direct",
     .title = "Q, K, V",
     .sentence = "projected from X by W_Q, W_K, W_V, or given and edited as they are"},
    "no projections",
    "Q, K, V projected"};

inline constexpr TensorField q{
    {.key = "q"}, "q",           "Q",         "what %r is looking for: feature %j of its query",
    Role::query,  Drawn::always, Stack::heads};
inline constexpr TensorField k{
    {.key = "k"}, "k",           "K",         "how %r can be found: feature %j of its key",
    Role::key,    Drawn::always, Stack::heads};
inline constexpr TensorField v{
    {.key = "v"}, "v",           "V",         "what %r hands over: feature %j of its value",
    Role::value,  Drawn::always, Stack::heads};
inline constexpr TensorField x{{.key = "x"}, "x", "X", "feature %j of %r, as given", Role::token};
inline constexpr TensorField memory{
    {.key = "memory"}, "memory",      "M",           "feature %j of %r in the memory",
    Role::token,       Drawn::always, Stack::joined, false};

constexpr TensorField parameter(std::string_view key, std::string_view symbol, std::string_view number,
                                Role role) {
  return {{.key = key}, key, symbol, number, role, Drawn::parameters, Stack::joined, false};
}
inline constexpr TensorField w_q =
    parameter("w_q", "W_Q", "how much input feature %i counts in query column %j", Role::query);
inline constexpr TensorField w_k =
    parameter("w_k", "W_K", "how much input feature %i counts in key column %j", Role::key);
inline constexpr TensorField w_v =
    parameter("w_v", "W_V", "how much input feature %i counts in value column %j", Role::value);
inline constexpr TensorField w_o =
    parameter("w_o", "W_O", "how much column %i of the heads counts in output feature %j", Role::output);
inline constexpr TensorField b_q =
    parameter("b_q", "b_Q", "added to query column %j of every token", Role::query);
inline constexpr TensorField b_k =
    parameter("b_k", "b_K", "added to key column %j of every token", Role::key);
inline constexpr TensorField b_v =
    parameter("b_v", "b_V", "added to value column %j of every token", Role::value);
inline constexpr TensorField b_o =
    parameter("b_o", "b_O", "added to output feature %j of every token", Role::output);

struct PositionField {
  FieldText text;
};
inline constexpr PositionField position{
    {.key = "position",
     .title = "encoding",
     .sentence = "how tokens know their place; settings follow the kind, others as :KEY=VALUE",
     .change = "position ",
     .option = "--position",
     .takes = "none|sinusoidal[:BASE]|learned:SEED[:LMAX]|rope[:neighbour|half][:BASE]|alibi|relative:K:SEED|"
              "t5:BUCKETS:MAXDIST:SEED"}};
inline constexpr CountField first_position{
    .text = {.key = "first_position",
             .title = "first",
             .sentence = "the position of the first token: all others are shifted with it",
             .change = "first position ",
             .option = "--shift",
             .takes = "N"},
    .most = std::size_t{1} << 30};

inline constexpr CountField heads{
    .text = {.key = "heads",
             .title = "heads",
             .sentence = "attentions side by side: head r owns the columns r·d_k … (r+1)·d_k−1",
             .change = "heads ",
             .option = "--heads",
             .takes = "H"},
    .least = 1,
    .most = limits::kMostHeads,
    .naming = Naming::whole};
inline constexpr CountField kv_heads{
    .text = {.key = "kv_heads",
             .title = "key/value heads",
             .sentence = "heads of K and V: fewer are shared by groups of query heads",
             .change = "key/value heads ",
             .option = "--kv-heads",
             .takes = "G"},
    .least = 1,
    .most = limits::kMostHeads,
    .naming = Naming::whole};
inline constexpr SetField muted_heads{{.key = "muted_heads", .change = "switch heads"}};

struct ScaleField {
  FieldText text;
  std::string_view number_key;  // of the number while the scale is a word
  std::string_view number_sentence;
};
inline constexpr ScaleField scale{{.key = "scale",
                                   .title = "scale",
                                   .sentence = "what the scores are multiplied by before the softmax",
                                   .change = "scale ",
                                   .option = "--scale",
                                   .takes = "sqrt|none|NUMBER"},
                                  "scale_number",
                                  "the scores are multiplied by this"};

inline constexpr NumberField temperature{
    .text = {.key = "temperature",
             .title = "temperature",
             .sentence =
                 "divides the scaled scores: below 1 sharper, above 1 flatter; 0 takes the largest alone",
             .change = "temperature ",
             .option = "--temperature",
             .takes = "T"},
    .least = 0,
    .takes = "0 or more; 1 changes nothing",
    .per_pixel = 0.02};
inline constexpr TensorField bias{
    {.key = "bias"}, "user_bias",   "bias",        "what is added when %r looks at %c",
    Role::bias,      Drawn::always, Stack::shared, false};

struct MasksField {
  FieldText text;
};
inline constexpr MasksField masks{
    {.key = "masks",
     .title = "Mask",
     .sentence = "mask rule; given several times, what any of the rules masks is masked; and: in front keeps "
                 "masked only what this rule masks too, not: masks what the rule would leave",
     .option = "--mask",
     .takes = "causal|padding:L|padding:L0,L1,…|window:W|strided:L|global:I,J|"
              "random:R:SEED|prefix:P|blocks:L0,L1,…|not:RULE|and:RULE"}};
inline constexpr TensorField mask{{.key = "mask", .title = "painted mask"},
                                  "user_mask",
                                  "painted mask",
                                  "whether you painted %c away from %r: 1 = masked",
                                  Role::mask,
                                  Drawn::never,
                                  Stack::shared,
                                  false};
inline constexpr ChoiceField<Fill, 9> fill{
    {.key = "fill",
     .title = "fill",
     .sentence = "what a masked score becomes",
     .change = "fill ",
     .option = "--fill",
     .takes = "-inf|-1e9|-1e6|-65504|add-inf|add-1e9|add-1e6|add-65504|add-1"},
    {{{"-inf", "−∞", Fill::negative_infinity},
      {"-1e9", "−1e9", Fill::minus_1e9},
      {"-1e6", "−1e6", Fill::minus_1e6},
      {"-65504", "−65504", Fill::minus_65504},
      {"add-inf", "add −∞", Fill::add_negative_infinity},
      {"add-1e9", "add −1e9", Fill::add_minus_1e9},
      {"add-1e6", "add −1e6", Fill::add_minus_1e6},
      {"add-65504", "add −65504", Fill::add_minus_65504},
      {"add-1", "add 1", Fill::add_one}}}};
inline constexpr ChoiceField<EmptyRow, 3> empty_row{
    {.key = "empty_row",
     .title = "row with no key",
     .sentence = "the weights of a query to which the mask leaves no key",
     .change = "row with no key: ",
     .option = "--empty-row",
     .takes = "zeros|nan|uniform"},
    {{{"zeros", "zeros", EmptyRow::zeros},
      {"nan", "NaN", EmptyRow::nan},
      {"uniform", "uniform", EmptyRow::uniform}}}};

inline constexpr ChoiceField<MaskAt, 2> mask_at{
    {.key = "mask_at",
     .title = "struck out",
     .sentence =
         "where masked keys are struck out: in the scores before the softmax, or, a mistake easily made in "
         "code, in the weights after it, whose rows then no longer add up to 1",
     .change = "mask ",
     .option = "--mask-at",
     .takes = "before|after"},
    {{{"before", "in scores", MaskAt::before}, {"after", "in weights", MaskAt::after}}}};

inline constexpr SeededNumberField<LayerSpec> dropout{
    .number = {.text = {.key = "dropout",
                        .title = "p",
                        .sentence = "the share of weights set to 0, as in training; 0 is off",
                        .change = "dropout ",
                        .option = "--dropout",
                        .takes = "P:SEED"},
               .least = 0,
               .most = 1,
               .takes = "from 0 to 1",
               .per_pixel = 0.005},
    .seed_field = {.text = {.key = "dropout_seed",
                            .title = "seed",
                            .sentence = "another seed drops others",
                            .change = "dropout seed "}},
    .seed = &LayerSpec::dropout_seed,
    .title = "Dropout",
    .off = "No dropout",
    .another = "Drop others: the next seed"};
inline constexpr TensorField dropout_mask{{.key = "dropout_mask", .title = "dropped weights"},
                                          "dropout_mask",
                                          "dropped",
                                          "whether the weight of %c for %r is kept: 0 = dropped",
                                          Role::plain,
                                          Drawn::never,
                                          Stack::shared,
                                          false};

}  // namespace layer_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<LayerSpec>, Visit&& visit) {
  namespace f = layer_field;
  visit(f::tokens, &LayerSpec::tokens);
  visit(f::memory_tokens, &LayerSpec::memory_tokens);
  visit(f::direct, &LayerSpec::direct);
  visit(f::q, &LayerSpec::q);
  visit(f::k, &LayerSpec::k);
  visit(f::v, &LayerSpec::v);
  visit(f::x, &LayerSpec::x);
  visit(f::memory, &LayerSpec::memory);
  visit(f::heads, &LayerSpec::heads);
  visit(f::kv_heads, &LayerSpec::kv_heads);
  visit(f::muted_heads, &LayerSpec::muted_heads);
  visit(f::head_split, &LayerSpec::head_split);
  visit(f::head_merge, &LayerSpec::head_merge);
  visit(f::head_groups, &LayerSpec::head_groups);
  visit(f::key_turn, &LayerSpec::key_turn);
  visit(f::w_q, &LayerSpec::w_q);
  visit(f::b_q, &LayerSpec::b_q);
  visit(f::w_k, &LayerSpec::w_k);
  visit(f::b_k, &LayerSpec::b_k);
  visit(f::w_v, &LayerSpec::w_v);
  visit(f::b_v, &LayerSpec::b_v);
  visit(f::w_o, &LayerSpec::w_o);
  visit(f::b_o, &LayerSpec::b_o);
  visit(f::qk_norm, &LayerSpec::qk_norm);
  visit(f::qk_gain, &LayerSpec::qk_gain);
  visit(f::qk_norm_last, &LayerSpec::qk_norm_last);
  visit(f::scoring, &LayerSpec::scoring);
  visit(f::score_w, &LayerSpec::score_w);
  visit(f::score_w_q, &LayerSpec::score_w_q);
  visit(f::score_w_k, &LayerSpec::score_w_k);
  visit(f::score_v, &LayerSpec::score_v);
  visit(f::sigma, &LayerSpec::sigma);
  visit(f::scale, &LayerSpec::scale);
  visit(f::temperature, &LayerSpec::temperature);
  visit(f::soft_cap, &LayerSpec::soft_cap);
  visit(f::weighting, &LayerSpec::weighting);
  visit(f::softmax_over, &LayerSpec::softmax_over);
  visit(f::bias, &LayerSpec::bias);
  visit(f::masks, &LayerSpec::masks);
  visit(f::mask, &LayerSpec::mask);
  visit(f::fill, &LayerSpec::fill);
  visit(f::empty_row, &LayerSpec::empty_row);
  visit(f::mask_at, &LayerSpec::mask_at);
  visit(f::local, &LayerSpec::local);
  visit(f::local_reach, &LayerSpec::local_reach);
  visit(f::local_w, &LayerSpec::local_w);
  visit(f::local_v, &LayerSpec::local_v);
  visit(f::position, &LayerSpec::position);
  visit(f::first_position, &LayerSpec::first_position);
  visit(f::position_twice, &LayerSpec::position_twice);
  visit(f::rope_on_values, &LayerSpec::rope_on_values);
  visit(f::dropout, &LayerSpec::dropout);
  visit(f::dropout.seed_field, f::dropout.seed);
  visit(f::dropout_mask, &LayerSpec::dropout_mask);
  visit(f::precision, &LayerSpec::precision);
}

// Those of its numbers that chance goes by.
template <class Visit>
void visit_chances(Visit&& visit) {
  visit_fields(of<LayerSpec>, [&]<class Field>(const Field& field, auto member) {
    if constexpr (std::is_same_v<Field, SeededNumberField<LayerSpec>>) visit(field, member);
  });
}

}  // namespace attn
