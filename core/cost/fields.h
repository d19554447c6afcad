// The fields of the workspace of costs: the one list that sessions, undo steps and controls are made from.
#pragma once

#include "core/cost/part.h"
#include "core/graph/fields.h"

namespace attn {

namespace cost_field {

inline constexpr std::size_t kMostTokens = std::size_t{1} << 20;

inline constexpr CountField n{
    .text = {.key = "n",
             .title = "tokens n",
             .sentence = "the length that numbers and tables are of; drag its marker",
             .change = "n "},
    .least = 1,
    .most = kMostTokens};
inline constexpr CountField d{.text = {.key = "d",
                                       .title = "width d",
                                       .sentence = "numbers of a token; each head has d ÷ heads of them",
                                       .change = "d "},
                              .least = 1,
                              .most = kMostCostWidth,
                              .naming = Naming::matrices};
inline constexpr CountField heads{
    .text = {.key = "heads", .title = "heads", .sentence = "they share the width d", .change = "heads "},
    .least = 1,
    .most = kMostCostWidth,
    .naming = Naming::matrices};
inline constexpr CountField kv_heads{
    .text = {.key = "kv_heads",
             .title = "key/value heads",
             .sentence = "heads share keys and values where these are fewer: the cache is smaller",
             .change = "key/value heads "},
    .least = 1,
    .most = kMostCostWidth};
inline constexpr CountField feed_forward{
    .text = {.key = "feed_forward",
             .title = "feed-forward",
             .sentence = "inner width of the feed-forward; 4·d unless it is typed",
             .change = "feed-forward "},
    .least = 0,
    .most = kMostCostInner};
inline constexpr SwitchField gated{
    {.key = "gated", .title = "gated", .sentence = "a third matrix of the feed-forward, as SwiGLU has it"},
    "gated feed-forward",
    "feed-forward without a gate"};
inline constexpr ChoiceField<Biases, 3> biases{
    {.key = "biases",
     .title = "biases",
     .sentence = "which matrices have one: of the parameters alone, operations don't count them",
     .change = "biases: "},
    {{{"none", "none", Biases::none},
      {"feed-forward", "feed-forward", Biases::feed_forward},
      {"all", "all", Biases::all}}}};
inline constexpr CountField layers{
    .text = {.key = "layers",
             .title = "layers",
             .sentence = "of parameters and of the cache; times are of one layer",
             .change = "layers "},
    .least = 1,
    .most = kMostCostLayers};
inline constexpr CountField batch{.text = {.key = "batch",
                                           .title = "batch",
                                           .sentence = "sequences that are computed at once",
                                           .change = "batch "},
                                  .least = 1,
                                  .most = kMostCostBatch};
inline constexpr CountField vocabulary{
    .text = {.key = "vocabulary",
             .title = "vocabulary",
             .sentence = "words of the embedding, which adds vocabulary·d parameters to the layers'",
             .change = "vocabulary "},
    .least = 0,
    .most = kMostCostInner};
inline constexpr ChoiceField<StoredFormat, 4> format{
    {.key = "format",
     .title = "numbers",
     .sentence = "what each number takes in memory: 4, 2, 2 or 1 bytes",
     .change = "numbers: "},
    {{{kFormatWords[0], kFormatWords[0], StoredFormat::float32},
      {kFormatWords[1], kFormatWords[1], StoredFormat::float16},
      {kFormatWords[2], kFormatWords[2], StoredFormat::bfloat16},
      {kFormatWords[3], kFormatWords[3], StoredFormat::int8}}}};
inline constexpr SwitchField causal{
    {.key = "causal",
     .title = "causal",
     .sentence = "window and stride reach no later keys; the others compute masked scores too"},
    "causal",
    "later keys count too"};
inline constexpr SwitchField backward{
    {.key = "backward", .title = "backward", .sentence = "the gradients' pass instead of the forward one"},
    "count the backward pass",
    "count the forward pass"};

struct MechanismText {
  std::string_view title, sentence;
};
inline constexpr std::array<MechanismText, 6> kMechanismTexts{
    {{"full", "every query with every key; all scores in memory"},
     {"flash", "the same numbers tile by tile, with a running softmax: no scores in memory"},
     {"window", "each query with the keys around it"},
     {"strided", "each query with the keys just before it and every √n-th"},
     {"linear", "φ(Q)(φ(K)ᵀV): a state in place of scores, not the same numbers"},
     {"recurrent", "a state handed from token to token instead of attention"}}};
constexpr ChoiceField<MechanismKind, 6> mechanism_choice() {
  ChoiceField<MechanismKind, 6> field{
      {.key = "mechanism", .title = "mechanisms", .sentence = "how tokens are mixed", .change = "mechanism "},
      {}};
  for (std::size_t i = 0; i < kMechanismWords.size(); ++i)
    field.words[i] = {kMechanismWords[i], kMechanismTexts[i].title, static_cast<MechanismKind>(i)};
  return field;
}
inline constexpr ChoicesField<MechanismKind, 6> mechanisms{{.key = "mechanisms",
                                                            .title = "mechanisms",
                                                            .sentence = "those that are drawn and counted",
                                                            .change = "mechanisms "},
                                                           mechanism_choice(),
                                                           6};
inline constexpr CountField window{.text = {.key = "window",
                                            .title = "window",
                                            .sentence = "how far a query of the window reaches on each side",
                                            .change = "window "},
                                   .least = 0,
                                   .most = kMostTokens};
inline constexpr CountField stride{
    .text = {.key = "stride",
             .title = "stride",
             .sentence = "a query reads the keys just before it, and every one at this stride; 0 is √n",
             .change = "stride "},
    .least = 0,
    .most = kMostTokens};

}  // namespace cost_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<CostStudy>, Visit&& visit) {
  namespace f = cost_field;
  visit(f::n, &CostStudy::n);
  visit(f::d, &CostStudy::d);
  visit(f::heads, &CostStudy::heads);
  visit(f::kv_heads, &CostStudy::kv_heads);
  visit(f::feed_forward, &CostStudy::feed_forward);
  visit(f::gated, &CostStudy::gated);
  visit(f::biases, &CostStudy::biases);
  visit(f::layers, &CostStudy::layers);
  visit(f::batch, &CostStudy::batch);
  visit(f::vocabulary, &CostStudy::vocabulary);
  visit(f::format, &CostStudy::format);
  visit(f::causal, &CostStudy::causal);
  visit(f::backward, &CostStudy::backward);
  visit(f::mechanisms, &CostStudy::mechanisms);
  visit(f::window, &CostStudy::window);
  visit(f::stride, &CostStudy::stride);
}

}  // namespace attn
