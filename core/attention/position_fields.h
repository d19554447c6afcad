// The fields of each position encoding: the one list that sessions, undo steps, options and controls are made
// from; and what the encodings themselves are called.
#pragma once

#include "core/attention/position.h"
#include "core/graph/fields.h"

namespace attn {

// Of one alternative of Position.
struct PositionText {
  std::string_view word;      // of sessions and the command line: "rope"
  std::string_view title;     // of the controls
  std::string_view sentence;  // what it does
};
inline constexpr std::array<PositionText, std::variant_size_v<Position>> kPositions{{
    {"none", "none", "no positions: the order of tokens makes no difference"},
    {"sinusoidal", "sinusoidal", "sines and cosines of the position are added to X"},
    {"learned", "learned", "a row of a table, drawn with a seed, is added to X; the table ends at L_max"},
    {"rope", "RoPE", "queries and keys are turned by an angle that grows with their position"},
    {"alibi", "ALiBi", "the farther a key is from its query, the more is subtracted from the score"},
    {"relative", "relative", "each clipped offset has a vector, drawn with a seed, that is added to the key"},
    {"t5", "T5 bias", "each bucket of offsets has a number, drawn with a seed, that is added to the score"},
}};
inline const PositionText& position_text(const Position& position) {
  return kPositions[position.index()];
}

// Encodings, each kind once; the first is the one shown.
struct EncodingsField {
  FieldText text;
};

namespace position_field {

inline constexpr NumberField base{.text = {.key = "base",
                                           .title = "base",
                                           .sentence = "wavelengths grow up to 2π times this, in positions",
                                           .change = "base "},
                                  .least = std::numeric_limits<double>::denorm_min(),
                                  .takes = "more than 0; 10000 is usual"};
inline constexpr CountField seed{
    .text = {
        .key = "seed", .title = "seed", .sentence = "another seed draws other numbers", .change = "seed "}};
inline constexpr CountField length{
    .text = {.key = "length",
             .title = "L_max",
             .sentence = "how many positions the table has; later ones have no row",
             .change = "L_max "},
    .least = 1,
    .most = 1 << 20};
inline constexpr ChoiceField<Pairing, 2> pairing{
    {.key = "pairing",
     .title = "pairs",
     .sentence = "which features turn together: neighbours 2i and 2i+1, or i and i + d/2 of the two halves",
     .change = "pairs "},
    {{{"neighbour", "2i, 2i+1", Pairing::neighbour}, {"half", "i, i+d/2", Pairing::half}}}};
inline constexpr CountField part{
    .text = {.key = "part",
             .title = "turned",
             .sentence = "how many features of a head are turned, from the first on; 0 turns all",
             .change = "turned features "},
    .most = 1 << 20};
inline constexpr ChoiceField<Stretch, 6> stretch{
    {.key = "stretch",
     .title = "stretch",
     .sentence = "how to reach beyond the training length: angles of p/s, a larger base, or a mix of both: "
                 "YaRN's by the paper or as released, or Llama 3's",
     .change = "stretch "},
    {{{"none", "none", Stretch::none},
      {"interpolation", "p / s", Stretch::interpolation},
      {"ntk", "NTK-aware", Stretch::ntk},
      {"yarn", "YaRN", Stretch::yarn},
      {"yarn-released", "YaRN, released", Stretch::yarn_released},
      {"llama3", "Llama 3", Stretch::llama3}}}};
inline constexpr NumberField factor{
    .text = {.key = "factor",
             .title = "times s",
             .sentence = "how many times the training length the text is to be",
             .change = "stretched "},
    .least = 1,
    .takes = "1 or more; 1 changes nothing",
    .per_pixel = 0.05};
inline constexpr CountField trained{
    .text = {.key = "trained",
             .title = "trained",
             .sentence =
                 "the training length L: YaRN and Llama 3 leave pairs alone that turn often within it",
             .change = "training length "},
    .least = 1,
    .most = 1 << 24};
inline constexpr CountField clip{.text = {.key = "clip",
                                          .title = "clip k",
                                          .sentence = "offsets beyond ±k share the vector of ±k",
                                          .change = "clip "},
                                 .most = 1 << 12};
inline constexpr SwitchField values{
    {.key = "values", .title = "on values", .sentence = "offsets have vectors for the values as well"},
    "on values too",
    "on keys alone"};
inline constexpr CountField buckets{
    .text = {.key = "buckets",
             .title = "buckets",
             .sentence =
                 "how many numbers a head has; in both directions half of them for keys behind the query",
             .change = "buckets "},
    .least = 2,
    .most = 1 << 12};
inline constexpr CountField max_distance{.text = {.key = "max_distance",
                                                  .title = "farthest",
                                                  .sentence = "distances from here on share the last bucket",
                                                  .change = "farthest distance "},
                                         .least = 2,
                                         .most = 1 << 24};
inline constexpr SwitchField causal{{.key = "causal",
                                     .title = "causal",
                                     .sentence = "all buckets are for keys up to the query, as in a decoder"},
                                    "for earlier keys alone",
                                    "in both directions"};

}  // namespace position_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<NoPosition>, Visit&&) {}
template <class Visit>
void visit_fields(std::type_identity<Sinusoidal>, Visit&& visit) {
  visit(position_field::base, &Sinusoidal::base);
}
template <class Visit>
void visit_fields(std::type_identity<Learned>, Visit&& visit) {
  visit(position_field::seed, &Learned::seed);
  visit(position_field::length, &Learned::length);
}
template <class Visit>
void visit_fields(std::type_identity<Rotary>, Visit&& visit) {
  namespace f = position_field;
  visit(f::pairing, &Rotary::pairing);
  visit(f::base, &Rotary::base);
  visit(f::part, &Rotary::part);
  visit(f::stretch, &Rotary::stretch);
  visit(f::factor, &Rotary::factor);
  visit(f::trained, &Rotary::trained);
}
template <class Visit>
void visit_fields(std::type_identity<Alibi>, Visit&&) {}
template <class Visit>
void visit_fields(std::type_identity<Relative>, Visit&& visit) {
  visit(position_field::clip, &Relative::clip);
  visit(position_field::seed, &Relative::seed);
  visit(position_field::values, &Relative::values);
}
template <class Visit>
void visit_fields(std::type_identity<T5Bias>, Visit&& visit) {
  namespace f = position_field;
  visit(f::buckets, &T5Bias::buckets);
  visit(f::max_distance, &T5Bias::max_distance);
  visit(f::seed, &T5Bias::seed);
  visit(f::causal, &T5Bias::causal);
}

namespace detail {
template <std::size_t I>
Position position_of(std::size_t index) {
  if constexpr (I + 1 < std::variant_size_v<Position>)
    if (index != I) return position_of<I + 1>(index);
  return std::variant_alternative_t<I, Position>{};
}
}  // namespace detail

// A new one of the alternative with this index.
inline Position position_at(std::size_t index) {
  return detail::position_of<0>(index);
}

}  // namespace attn
