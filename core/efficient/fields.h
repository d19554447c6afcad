// The fields of the workspace of efficient attention: the one list that sessions, undo steps and controls are
// made from.
#pragma once

#include "core/attention/feature_fields.h"
#include "core/efficient/part.h"
#include "core/graph/fields.h"

namespace attn {

namespace efficient_field {

// Above so many tokens the first are shown: every pair is drawn, and every road computed in double.
inline constexpr std::size_t kMostShownTokens = 512;
inline constexpr std::size_t kMostMeasuredTokens = 65536;

inline constexpr ChoiceField<Road, 9> road{
    {.key = "road", .title = "road", .sentence = "how attention is computed", .change = "road "},
    {{{"full", "full", Road::full},
      {"flash", "flash", Road::flash},
      {"window", "window", Road::window},
      {"strided", "strided", Road::strided},
      {"longformer", "Longformer", Road::longformer},
      {"bigbird", "BigBird", Road::bigbird},
      {"elu", "elu + 1", Road::elu},
      {"relu", "ReLU", Road::relu},
      {"random", "features", Road::random}}}};
inline constexpr ChoicesField<Road, 9> roads{{.key = "roads",
                                              .title = "beside full",
                                              .sentence = "which roads are laid beside full attention",
                                              .change = "roads "},
                                             road};
inline constexpr CountField tile_rows{.text = {.key = "tile_rows",
                                               .title = "tile rows",
                                               .sentence = "queries of a tile of flash attention",
                                               .change = "tile rows "},
                                      .least = 1,
                                      .most = kMostShownTokens};
inline constexpr CountField tile_columns{.text = {.key = "tile_columns",
                                                  .title = "tile columns",
                                                  .sentence = "keys of a tile of flash attention",
                                                  .change = "tile columns "},
                                         .least = 1,
                                         .most = kMostShownTokens};
inline constexpr CountField window{.text = {.key = "window",
                                            .title = "window w",
                                            .sentence = "how far from its query a key may be",
                                            .change = "window "},
                                   .most = kMostMeasuredTokens};
inline constexpr CountField stride{
    .text = {.key = "stride",
             .title = "stride l",
             .sentence = "how many keys before its query are seen, and how far apart the others are",
             .change = "stride "},
    .least = 1,
    .most = kMostMeasuredTokens};
inline constexpr SetField global_tokens{
    {.key = "global_tokens",
     .title = "global tokens",
     .sentence = "numbers of tokens from 0, which all see and which see all",
     .change = "global tokens"}};
inline constexpr CountField random_keys{.text = {.key = "random_keys",
                                                 .title = "random a row",
                                                 .sentence = "how many keys BigBird draws for each query",
                                                 .change = "random keys "},
                                        .most = kMostShownTokens};
inline constexpr CountField seed{.text = {.key = "seed",
                                          .title = "seed",
                                          .sentence = "another seed draws other keys and other features",
                                          .change = "seed of roads "}};
inline constexpr auto features = feature_field::kind;
inline constexpr CountField feature_count{.text = {.key = "feature_count",
                                                   .title = "features r",
                                                   .sentence = "how many random features there are",
                                                   .change = "random features "},
                                          .least = 1,
                                          .most = feature_field::kMostRandom};
inline constexpr CountField measured_tokens{.text = {.key = "measured_tokens",
                                                     .title = "at n",
                                                     .sentence = "how many tokens the roads are measured at",
                                                     .change = "measured at n "},
                                            .least = 64,
                                            .most = kMostMeasuredTokens};

}  // namespace efficient_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<EfficientSpec>, Visit&& visit) {
  namespace f = efficient_field;
  visit(f::roads, &EfficientSpec::roads);
  visit(f::tile_rows, &EfficientSpec::tile_rows);
  visit(f::tile_columns, &EfficientSpec::tile_columns);
  visit(f::window, &EfficientSpec::window);
  visit(f::stride, &EfficientSpec::stride);
  visit(f::global_tokens, &EfficientSpec::global_tokens);
  visit(f::random_keys, &EfficientSpec::random_keys);
  visit(f::seed, &EfficientSpec::seed);
  visit(f::features, &EfficientSpec::features);
  visit(f::feature_count, &EfficientSpec::feature_count);
  visit(f::measured_tokens, &EfficientSpec::measured_tokens);
}

}  // namespace attn
