// The fields of the workspace of the softmax: the one list that sessions, undo steps and controls are made
// from.
#pragma once

#include "core/attention/score_fields.h"
#include "core/attention/weighting_fields.h"
#include "core/graph/fields.h"
#include "core/softmax/part.h"

namespace attn {

namespace softmax_field {

inline constexpr std::size_t kMostKeys = 4096, kMostWidth = 1024, kMostPairs = std::size_t{1} << 17,
                             kMostRowKeys = 64;
inline constexpr double kMostTemperature = 1000;

inline constexpr ChoiceField<RowSource, 2> source{
    {.key = "source",
     .title = "row",
     .sentence = "what the layer's softmax reads for one query, or scores of your own",
     .change = "row: "},
    {{{"layer", "layer", RowSource::layer}, {"own", "your own", RowSource::own}}},
    Naming::whole};  // its scores and keys come with it
inline constexpr CountField query{
    .text = {.key = "query", .title = "query", .sentence = "whose scores of the layer", .change = "query "}};
inline constexpr CountField head{
    .text = {.key = "head", .title = "head", .sentence = "which head of the layer", .change = "head "}};
inline constexpr TensorField scores{
    {.key = "scores", .title = "scores"}, "scores", "z", "the score of %c", Role::score};
inline constexpr LabelsField keys{{.key = "keys"}, "key"};
inline constexpr SetField masked{{.key = "masked",
                                  .title = "masked",
                                  .sentence = "keys that are hidden: −∞ instead of their score",
                                  .change = "mask keys"}};
inline constexpr NumberField temperature{
    .text = {.key = "temperature",
             .title = "temperature",
             .sentence = "the scores are divided by it: 0 is hard, ties shared; large ones are uniform",
             .change = "temperature "},
    .least = 0,
    .most = kMostTemperature,
    .takes = "from 0 to 1000; 1 changes nothing",
    .per_pixel = 0.01};
inline constexpr ChoicesField<Weighting, kWeightings.size()> weightings{
    {.key = "weightings",
     .title = "instead of softmax",
     .sentence = "weights of the same row by other rules",
     .change = "weightings "},
    weighting_choice<kWeightings.size()>({.key = "weighting",
                                          .title = "instead of softmax",
                                          .sentence = "how scores become weights",
                                          .change = "weighting "}),
    kWeightings.size()};
inline constexpr ChoiceField<NumberFormat, 3> format{
    {.key = "format",
     .title = "numbers",
     .sentence = "the row once more with every step rounded to this format",
     .change = "numbers: "},
    layer_field::precision.words};
inline constexpr SwitchField subtract_maximum{
    {.key = "subtract_maximum",
     .title = "− max",
     .sentence = "the largest score is subtracted before exp; without it exp overflows"},
    "subtract the maximum",
    "without subtracting the maximum"};
inline constexpr ChoiceField<SumOrder, 2> summation{
    {.key = "summation",
     .title = "sums",
     .sentence = "one after the other, or neighbours first: fewer roundings on each number's way",
     .change = "sums "},
    {{{"in-order", "in order", SumOrder::in_order}, {"pairs", "by pairs", SumOrder::pairs}}}};
inline constexpr CountField width{.text = {.key = "width",
                                           .title = "d_k",
                                           .sentence = "dimensions of the random vectors",
                                           .change = "d_k "},
                                  .least = 1,
                                  .most = kMostWidth};
inline constexpr CountField pairs{.text = {.key = "pairs",
                                           .title = "pairs",
                                           .sentence = "at least this many random q·k, in whole rows",
                                           .change = "pairs "},
                                  .least = 1,
                                  .most = kMostPairs};
inline constexpr CountField row_keys{
    .text = {.key = "row_keys",
             .title = "keys a row",
             .sentence = "products in a row; the largest weight of each row is counted",
             .change = "keys a row "},
    .least = 1,
    .most = kMostRowKeys};
inline constexpr CountField seed{
    .text = {
        .key = "seed", .title = "seed", .sentence = "another seed draws other vectors", .change = "seed "}};
inline constexpr ChoiceField<ProductScale, 3> products{
    {.key = "products",
     .title = "scale",
     .sentence = "products as they are, divided by √d_k, or both",
     .change = "products: "},
    {{{"raw", "raw", ProductScale::raw},
      {"scaled", "scale 1/√d_k", ProductScale::scaled},
      {"both", "both", ProductScale::both}}}};

}  // namespace softmax_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<SoftmaxSpec>, Visit&& visit) {
  namespace f = softmax_field;
  visit(f::source, &SoftmaxSpec::source);
  visit(f::query, &SoftmaxSpec::query);
  visit(f::head, &SoftmaxSpec::head);
  visit(f::scores, &SoftmaxSpec::scores);
  visit(f::keys, &SoftmaxSpec::keys);
  visit(f::masked, &SoftmaxSpec::masked);
  visit(f::temperature, &SoftmaxSpec::temperature);
  visit(f::weightings, &SoftmaxSpec::weightings);
  visit(f::format, &SoftmaxSpec::format);
  visit(f::subtract_maximum, &SoftmaxSpec::subtract_maximum);
  visit(f::summation, &SoftmaxSpec::summation);
  visit(f::width, &SoftmaxSpec::width);
  visit(f::pairs, &SoftmaxSpec::pairs);
  visit(f::row_keys, &SoftmaxSpec::row_keys);
  visit(f::seed, &SoftmaxSpec::seed);
  visit(f::products, &SoftmaxSpec::products);
}

}  // namespace attn
