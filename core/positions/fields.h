// The fields of the workspace of positions: the one list that sessions, undo steps and controls are made
// from.
#pragma once

#include "core/attention/position_fields.h"
#include "core/positions/part.h"

namespace attn {

namespace positions_field {

inline constexpr std::size_t kMostPositions = 4096, kMostWidth = 512, kMostTokens = 64, kMostHeads = 64;

inline constexpr EncodingsField encodings{
    {.key = "encodings",
     .title = "kind",
     .sentence = "the encoding that is shown large; click its name in the scores to change places",
     .change = "show "}};
inline constexpr CountField length{.text = {.key = "length",
                                            .title = "length",
                                            .sentence = "how many positions are shown, from 0 on",
                                            .change = "length "},
                                   .least = 1,
                                   .most = kMostPositions};
inline constexpr CountField width{.text = {.key = "width",
                                           .title = "width d",
                                           .sentence = "features of an encoding: its columns",
                                           .change = "width "},
                                  .least = 1,
                                  .most = kMostWidth};
inline constexpr CountField trained{
    .text = {.key = "trained",
             .title = "L_max",
             .sentence = "the training length: a learned table has no row from here on, others go on somehow",
             .change = "training length "},
    .least = 1,
    .most = kMostPositions};
inline constexpr SetField dimensions{{.key = "dimensions", .change = "choose dimensions"}};
inline constexpr CountField shift{
    .text = {.key = "shift",
             .title = "by",
             .sentence = "what changes is what the encoding knows about absolute place",
             .change = "shift positions by "},
    .most = 100000};
inline constexpr CountField reach{.text = {.key = "reach",
                                           .title = "keys up to",
                                           .sentence = "how far away the farthest key is",
                                           .change = "keys up to "},
                                  .least = 2,
                                  .most = kMostPositions};
inline constexpr CountField tokens{.text = {.key = "tokens",
                                            .title = "tokens",
                                            .sentence = "how many tokens the scores are of",
                                            .change = "tokens "},
                                   .least = 2,
                                   .most = kMostTokens};
inline constexpr CountField heads{
    .text = {.key = "heads",
             .title = "heads",
             .sentence = "heads of the content: each has a slope of ALiBi and numbers of T5 of its own",
             .change = "heads "},
    .least = 1,
    .most = kMostHeads};
inline constexpr CountField seed{.text = {.key = "seed",
                                          .title = "content",
                                          .sentence = "another seed draws other queries, keys and values",
                                          .change = "content "}};

}  // namespace positions_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<PositionsSpec>, Visit&& visit) {
  namespace f = positions_field;
  visit(f::encodings, &PositionsSpec::encodings);
  visit(f::length, &PositionsSpec::length);
  visit(f::width, &PositionsSpec::width);
  visit(f::trained, &PositionsSpec::trained);
  visit(f::dimensions, &PositionsSpec::dimensions);
  visit(f::shift, &PositionsSpec::shift);
  visit(f::reach, &PositionsSpec::reach);
  visit(f::tokens, &PositionsSpec::tokens);
  visit(f::heads, &PositionsSpec::heads);
  visit(f::seed, &PositionsSpec::seed);
}

}  // namespace attn
