// The fields of a layer for what code easily does wrong and nobody means: how heads are cut and joined, what
// is turned, added or divided twice or at the wrong place. Part of layer_fields.h.
#pragma once

#include "core/graph/fields.h"

namespace attn {

// Which numbers belong to a head: columns of every row, or a run of memory, as code has them that views
// n×(h·d) as h×n×d where it should transpose.
enum class HeadCut { columns, memory };
// Which key/value head a query head reads of g: consecutive ones share one, or head r reads r modulo g.
enum class HeadGroups { repeated, tiled };
// How scores read the keys: rows as columns, or the same numbers viewed as d×m.
enum class KeyTurn { transposed, reshaped };

namespace layer_field {

constexpr ChoiceField<HeadCut, 2> head_cut(std::string_view key, std::string_view title,
                                           std::string_view sentence, std::string_view change,
                                           std::string_view option) {
  return {{.key = key,
           .title = title,
           .sentence = sentence,
           .change = change,
           .option = option,
           .takes = "columns|memory"},
          {{{"columns", "by columns", HeadCut::columns}, {"memory", "by memory", HeadCut::memory}}}};
}
inline constexpr ChoiceField<HeadCut, 2> head_split =
    head_cut("head_split", "split",
             "which numbers of Q, K and V a head reads: its columns of every row, or, a mistake easily made "
             "in code, the next run of memory (a view without a transpose)",
             "heads split ", "--head-split");
inline constexpr ChoiceField<HeadCut, 2> head_merge =
    head_cut("head_merge", "merge",
             "how heads come side by side: row by row, or, a mistake easily made in code, one after the "
             "other in memory (a view without a transpose)",
             "heads merged ", "--head-merge");
inline constexpr ChoiceField<HeadGroups, 2> head_groups{
    {.key = "head_groups",
     .title = "groups",
     .sentence = "which heads share a key/value head: consecutive ones, or, a mistake easily made in code, "
                 "every g-th (repeat for repeat_interleave)",
     .change = "groups ",
     .option = "--head-groups",
     .takes = "repeated|tiled"},
    {{{"repeated", "repeated", HeadGroups::repeated}, {"tiled", "tiled", HeadGroups::tiled}}}};
inline constexpr ChoiceField<KeyTurn, 2> key_turn{
    {.key = "key_turn",
     .title = "K turned",
     .sentence = "how scores read K: transposed, or, a mistake easily made in code, reshaped to d×m",
     .change = "K ",
     .option = "--key-turn",
     .takes = "transposed|reshaped"},
    {{{"transposed", "transposed", KeyTurn::transposed}, {"reshaped", "reshaped", KeyTurn::reshaped}}}};
inline constexpr SwitchField qk_norm_last{
    {.key = "qk_norm_last",
     .title = "norm after RoPE",
     .sentence = "queries and keys are normed after they are rotated, not before: what RoPE multiplies by is "
                 "then normed away, and a gain for each feature would meet other features",
     .option = "--qk-norm-last"},
    "normed after RoPE",
    "normed before RoPE"};
inline constexpr SwitchField rope_on_values{
    {.key = "rope_on_values",
     .title = "V rotated",
     .sentence = "values are rotated as queries and keys are, a mistake easily made in code",
     .option = "--rope-on-values"},
    "values rotated",
    "values not rotated"};
inline constexpr SwitchField position_twice{
    {.key = "position_twice",
     .title = "twice",
     .sentence = "the position is added, or turned by, a second time, a mistake easily made in code",
     .option = "--position-twice"},
    "position twice",
    "position once"};

}  // namespace layer_field
}  // namespace attn
