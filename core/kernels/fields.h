// The fields of the workspace of kernels: the one list that sessions, undo steps and controls are made from.
#pragma once

#include "core/graph/fields.h"
#include "core/kernels/part.h"

namespace attn {

namespace kernels_field {

inline constexpr std::size_t kMostPoints = 100'000, kMostQueries = 4096;
inline constexpr double kLeastWidth = 1e-6, kMostWidth = 1e6, kFarthest = 1e9;

inline constexpr ChoiceField<PointSet, 4> set{
    {.key = "set",
     .title = "set",
     .sentence = "points drawn around a curve by a seed, or your own",
     .change = "points: "},
    {{{"sine", "2 sin x+x", PointSet::sine},
      {"power", "2 sin x+x^0.8", PointSet::power},
      {"classes", "two classes", PointSet::classes},
      {"own", "your own", PointSet::own}}}};
inline constexpr CountField count{.text = {.key = "count",
                                           .title = "points",
                                           .sentence = "how many points are drawn, uniformly from 0 to 5",
                                           .change = "points "},
                                  .least = 1,
                                  .most = kMostPoints};
inline constexpr CountField seed{
    .text = {
        .key = "seed", .title = "seed", .sentence = "another seed draws other points", .change = "seed "}};
inline constexpr NumberField noise{
    .text = {.key = "noise",
             .title = "noise",
             .sentence = "standard deviation of what is added to the curve; of classes: how far they mix",
             .change = "noise "},
    .least = 0,
    .most = 100,
    .takes = "from 0 to 100",
    .per_pixel = 0.01};
inline constexpr TensorField points{{.key = "points", .title = "points"},
                                    "points",
                                    "points",
                                    "number %j of point %i: x, then its values",
                                    Role::token};
inline constexpr ChoiceField<PointSet, 4> truth{
    {.key = "truth",
     .title = "true curve",
     .sentence = "what own points were drawn around, before they were changed",
     .change = "true curve: "},
    {{{"sine", "2 sin x+x", PointSet::sine},
      {"power", "2 sin x+x^0.8", PointSet::power},
      {"classes", "two classes", PointSet::classes},
      {"none", "not known", PointSet::own}}}};
inline constexpr TensorField key_widths{{.key = "key_widths", .title = "widths of points"},
                                        "key_widths",
                                        "σ of each",
                                        "what σ is multiplied by for point %i",
                                        Role::plain,
                                        Drawn::parameters,
                                        Stack::joined,
                                        false};
// As ChoiceField wants them.
constexpr ChoiceField<Kernel, kKernels.size()> kernel_choice() {
  ChoiceField<Kernel, kKernels.size()> field{{.key = "kernel",
                                              .title = "kernel",
                                              .sentence = "how much a point counts by its distance u",
                                              .change = "kernel "},
                                             {}};
  for (std::size_t i = 0; i < kKernels.size(); ++i)
    field.words[i] = {kKernels[i].word, kKernels[i].title, static_cast<Kernel>(i)};
  return field;
}
inline constexpr ChoicesField<Kernel, kKernels.size()> kernels{
    {.key = "kernels",
     .title = "kernel",
     .sentence = "up to four at once, with one width",
     .change = "kernels "},
    kernel_choice(),
    kMostCurves};
inline constexpr NumberField width{
    .text = {.key = "width", .title = "σ", .sentence = "the width of the kernel", .change = "σ "},
    .least = kLeastWidth,
    .most = kMostWidth,
    .takes = "from 1e-6 to 1e6",
    .per_pixel = 0.005};
inline constexpr NumbersField widths{
    {.key = "widths", .title = "widths", .sentence = "up to four at once, of one kernel", .change = "σ "},
    width,
    kMostCurves};
inline constexpr ChoiceField<WidthRule, 2> width_rule{
    {.key = "width_rule",
     .title = "width",
     .sentence = "the same everywhere, or as far as the k-th nearest point of each query",
     .change = "width: "},
    {{{"fixed", "σ", WidthRule::fixed}, {"neighbours", "k nearest", WidthRule::neighbours}}}};
inline constexpr CountField neighbours{
    .text = {.key = "neighbours",
             .title = "k",
             .sentence = "the k-th nearest point is one width away: at the edge all but the boxcar are 0",
             .change = "k "},
    .least = 1,
    .most = kMostPoints};
inline constexpr SwitchField linear{{.key = "linear",
                                     .title = "local line",
                                     .sentence = "the weighted least-squares line read at the query: it does "
                                                 "not bend at the ends"},
                                    "local lines",
                                    "no local lines"};
inline constexpr NumberField first{
    .text = {.key = "first", .title = "from", .sentence = "the first query", .change = "queries from "},
    .least = -kFarthest,
    .most = kFarthest,
    .takes = "from -1e9 to 1e9",
    .per_pixel = 0.01};
inline constexpr NumberField last{
    .text = {.key = "last", .title = "to", .sentence = "the last query", .change = "queries to "},
    .least = -kFarthest,
    .most = kFarthest,
    .takes = "from -1e9 to 1e9",
    .per_pixel = 0.01};
inline constexpr CountField queries{.text = {.key = "queries",
                                             .title = "queries",
                                             .sentence = "at how many places the estimate is read",
                                             .change = "queries "},
                                    .least = 1,
                                    .most = kMostQueries};
inline constexpr NumberField norms{
    .text = {.key = "norms",
             .title = "norms of the keys",
             .sentence = "0: all are equal, and dot products are the kernel; more: they run from 1 − this to "
                         "1 + this in the order of x",
             .change = "norms of the keys "},
    .least = 0,
    .most = 1,
    .takes = "from 0 to 1",
    .per_pixel = 0.005};

}  // namespace kernels_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<KernelsSpec>, Visit&& visit) {
  namespace f = kernels_field;
  visit(f::set, &KernelsSpec::set);
  visit(f::count, &KernelsSpec::count);
  visit(f::seed, &KernelsSpec::seed);
  visit(f::noise, &KernelsSpec::noise);
  visit(f::points, &KernelsSpec::points);
  visit(f::truth, &KernelsSpec::truth);
  visit(f::key_widths, &KernelsSpec::key_widths);
  visit(f::widths, &KernelsSpec::widths);
  visit(f::kernels, &KernelsSpec::kernels);
  visit(f::width_rule, &KernelsSpec::width_rule);
  visit(f::neighbours, &KernelsSpec::neighbours);
  visit(f::linear, &KernelsSpec::linear);
  visit(f::first, &KernelsSpec::first);
  visit(f::last, &KernelsSpec::last);
  visit(f::queries, &KernelsSpec::queries);
  visit(f::norms, &KernelsSpec::norms);
}

}  // namespace attn
