// The fields of each rule of a mask: the one list that sessions, undo steps and controls are made from; and
// what the rules themselves are called.
#pragma once

#include "core/graph/fields.h"
#include "core/operations/mask_rules.h"

namespace attn {

// Of one alternative of MaskRule; its word is name(rule).
struct MaskRuleText {
  std::string_view title;     // in menus
  std::string_view sentence;  // what it masks
};
inline constexpr std::array<MaskRuleText, std::variant_size_v<MaskRule>> kMaskRules{{
    {"Causal", "a query sees no key after its own position"},
    {"Padding", "the last keys are filling, no tokens: nobody sees them"},
    {"Window", "a query sees only keys that are near it, before or after"},
    {"Strided", "a query sees the keys just before it, and others at a fixed stride"},
    {"Global tokens", "no window, stride or random rule hides these tokens, or anything from them"},
    {"Random", "a query sees a few keys, drawn with a seed"},
    {"Prefix", "the first keys are seen by all; the others by no query before them"},
    {"Blocks", "documents one after the other: a query sees the keys of its own"},
}};
inline const MaskRuleText& mask_rule_text(const MaskRule& rule) {
  return kMaskRules[rule.index()];
}

namespace mask_field {

inline constexpr ChoiceField<CausalAlign, 2> align{
    {.key = "align",
     .title = "diagonal",
     .sentence = "where the causal diagonal ends: at the last key, or begins: at the first",
     .option = "--causal-align",
     .takes = "lower-right|top-left"},
    {{{"lower-right", "lower right", CausalAlign::lower_right},
      {"top-left", "top left", CausalAlign::top_left}}}};
inline constexpr CountField offset{
    .text = {.key = "offset",
             .title = "offset",
             .sentence = "keys of a cache before the first query: every query is that many places later",
             .change = "offset ",
             .option = "--causal-offset",
             .takes = "N"},
    .most = kMostMaskNumber};
inline constexpr CountField ahead{
    .text = {.key = "ahead",
             .title = "ahead",
             .sentence =
                 "keys after its own place that a query sees; with 1 the mask is off by one, a mistake "
                 "easily made in code",
             .change = "keys ahead ",
             .option = "--causal-ahead",
             .takes = "N"},
    .most = kMostMaskNumber};
inline constexpr CountsField padding_lengths{
    {.key = "lengths",
     .title = "length",
     .sentence = "valid keys: one number for all queries, or one for each, with spaces between"}};
inline constexpr CountField width{
    .text = {.key = "width", .title = "width", .sentence = "how far from its query a key may be"},
    .most = kMostMaskNumber};
inline constexpr CountField stride{
    .text = {.key = "stride",
             .title = "stride",
             .sentence = "how many keys before its query are seen, and how far apart the others are"},
    .least = 1,
    .most = kMostMaskNumber};
inline constexpr CountsField tokens{
    {.key = "tokens", .title = "tokens", .sentence = "numbers of tokens from 0, with spaces between"}};
inline constexpr CountField keys{
    .text = {.key = "keys", .title = "keys", .sentence = "how many keys each query keeps"},
    .most = kMostMaskNumber};
inline constexpr CountField seed{
    .text = {.key = "seed", .title = "seed", .sentence = "another seed keeps others", .change = "seed "}};
inline constexpr CountField prefix_length{
    .text = {.key = "length", .title = "length", .sentence = "how many of the first keys all queries see"},
    .most = kMostMaskNumber};
inline constexpr CountsField block_lengths{
    {.key = "lengths",
     .title = "lengths",
     .sentence = "tokens of each document, separated by spaces; the rest are one more"}};

}  // namespace mask_field

template <class Visit>
void visit_fields(std::type_identity<CausalRule>, Visit&& visit) {
  visit(mask_field::align, &CausalRule::align);
  visit(mask_field::offset, &CausalRule::offset);
  visit(mask_field::ahead, &CausalRule::ahead);
}
template <class Visit>
void visit_fields(std::type_identity<PaddingRule>, Visit&& visit) {
  visit(mask_field::padding_lengths, &PaddingRule::lengths);
}
template <class Visit>
void visit_fields(std::type_identity<WindowRule>, Visit&& visit) {
  visit(mask_field::width, &WindowRule::width);
}
template <class Visit>
void visit_fields(std::type_identity<StridedRule>, Visit&& visit) {
  visit(mask_field::stride, &StridedRule::stride);
}
template <class Visit>
void visit_fields(std::type_identity<GlobalRule>, Visit&& visit) {
  visit(mask_field::tokens, &GlobalRule::tokens);
}
template <class Visit>
void visit_fields(std::type_identity<RandomRule>, Visit&& visit) {
  visit(mask_field::keys, &RandomRule::keys);
  visit(mask_field::seed, &RandomRule::seed);
}
template <class Visit>
void visit_fields(std::type_identity<PrefixRule>, Visit&& visit) {
  visit(mask_field::prefix_length, &PrefixRule::length);
}
template <class Visit>
void visit_fields(std::type_identity<BlocksRule>, Visit&& visit) {
  visit(mask_field::block_lengths, &BlocksRule::lengths);
}

}  // namespace attn
