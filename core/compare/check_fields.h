// The fields of a check: the one list that sessions, undo steps and controls are made from.
#pragma once

#include "core/compare/check.h"
#include "core/graph/fields.h"

namespace attn {

namespace check_field {

inline constexpr SwitchField on{
    {.key = "on",
     .title = "check a file",
     .sentence = "another program's numbers beside those of the layer, stage by stage"},
    "check a file",
    "A with B"};
inline constexpr LabelsField file{{.key = "file", .title = "file"}, "file"};
inline constexpr LabelsField names{{.key = "names", .title = "names"}, "name"};
constexpr TensorField stage(std::string_view id, std::string_view title, std::string_view number, Role role,
                            Stack stack = Stack::heads) {
  return {{.key = id, .title = title}, id, title, number, role, Drawn::always, stack, true};
}
inline constexpr std::string_view kFeature = "feature %j of %r, in the file",
                                  kPair = "how much %r looks at %c, in the file",
                                  kShare = "how much of %c goes into %r, in the file";
inline constexpr TensorField position = stage("position", "X + PE", kFeature, Role::token, Stack::joined);
inline constexpr TensorField q = stage("q", "Q", kFeature, Role::query);
inline constexpr TensorField k = stage("k", "K", kFeature, Role::key);
inline constexpr TensorField v = stage("v", "V", kFeature, Role::value);
inline constexpr TensorField q_normed = stage("q_normed", "Q normed", kFeature, Role::query);
inline constexpr TensorField k_normed = stage("k_normed", "K normed", kFeature, Role::key);
inline constexpr TensorField q_rotated = stage("q_rotated", "Q rotated", kFeature, Role::query);
inline constexpr TensorField k_rotated = stage("k_rotated", "K rotated", kFeature, Role::key);
inline constexpr TensorField scores = stage("scores", "scores", kPair, Role::score);
inline constexpr TensorField scaled = stage("scaled", "scaled", kPair, Role::score);
inline constexpr TensorField capped = stage("capped", "capped", kPair, Role::score);
inline constexpr TensorField biased = stage("biased", "biased", kPair, Role::score);
inline constexpr TensorField masked = stage("masked", "masked", kPair, Role::score);
inline constexpr TensorField weights = stage("weights", "weights", kShare, Role::weights);
inline constexpr TensorField masked_weights =
    stage("masked_weights", "masked weights", kShare, Role::weights);
inline constexpr TensorField dropped = stage("dropped", "dropped", kShare, Role::weights);
inline constexpr TensorField head_output = stage("head_output", "head output", kFeature, Role::output);
inline constexpr TensorField concat = stage("concat", "concat", kFeature, Role::output, Stack::joined);
inline constexpr TensorField output = stage("output", "output", kFeature, Role::output, Stack::joined);
inline constexpr NumberField absolute{
    .text = {.key = "absolute",
             .title = "absolute",
             .sentence = "numbers are equal where they differ by no more than "
                         "this, and the relative share of ours",
             .change = "absolute tolerance "},
    .least = 0,
    .takes = "0 or more"};
inline constexpr NumberField relative{.text = {.key = "relative",
                                               .title = "relative",
                                               .sentence = "the share of our number that yours may differ by",
                                               .change = "relative tolerance "},
                                      .least = 0,
                                      .takes = "0 or more"};
inline constexpr SwitchField pairs{
    {.key = "pairs", .title = "pairs", .sentence = "two mistakes at once are tried as well as each alone"},
    "try pairs",
    "try one mistake alone"};
inline constexpr SwitchField three{
    {.key = "three",
     .title = "three",
     .sentence = "three mistakes at once are tried as well: this takes a while"},
    "try three mistakes",
    "try fewer mistakes"};
inline constexpr LabelsField kept{{.key = "kept", .title = "mistake"}, "mistake"};

}  // namespace check_field

// In the order of session files: of the stages that of a layer.
template <class Visit>
void visit_fields(std::type_identity<CheckSpec>, Visit&& visit) {
  namespace f = check_field;
  visit(f::on, &CheckSpec::on);
  visit(f::file, &CheckSpec::file);
  visit(f::names, &CheckSpec::names);
  visit(f::position, &CheckSpec::position);
  visit(f::q, &CheckSpec::q);
  visit(f::k, &CheckSpec::k);
  visit(f::v, &CheckSpec::v);
  visit(f::q_normed, &CheckSpec::q_normed);
  visit(f::k_normed, &CheckSpec::k_normed);
  visit(f::q_rotated, &CheckSpec::q_rotated);
  visit(f::k_rotated, &CheckSpec::k_rotated);
  visit(f::scores, &CheckSpec::scores);
  visit(f::scaled, &CheckSpec::scaled);
  visit(f::capped, &CheckSpec::capped);
  visit(f::biased, &CheckSpec::biased);
  visit(f::masked, &CheckSpec::masked);
  visit(f::weights, &CheckSpec::weights);
  visit(f::masked_weights, &CheckSpec::masked_weights);
  visit(f::dropped, &CheckSpec::dropped);
  visit(f::head_output, &CheckSpec::head_output);
  visit(f::concat, &CheckSpec::concat);
  visit(f::output, &CheckSpec::output);
  visit(f::absolute, &CheckSpec::absolute);
  visit(f::relative, &CheckSpec::relative);
  visit(f::pairs, &CheckSpec::pairs);
  visit(f::three, &CheckSpec::three);
  visit(f::kept, &CheckSpec::kept);
}

}  // namespace attn
