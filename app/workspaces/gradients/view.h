// What of the gradients is looked at. A part of the View.
#pragma once

#include <cstddef>
#include <optional>

#include "app/frame/view.h"
#include "core/graph/field_words.h"

namespace attn {

struct GradientsView {
  bool weights = false;                     // W_Q, W_K, W_V in place of X, Q, K, V
  bool numbers = true;                      // in the cells
  bool logarithmic = false;                 // gradients are coloured by the logarithm of their size
  bool own_range = true;                    // each gradient has its own colours, else all have one range
  double vanishing = 0.05, exploding = 20;  // norms as parts of that of dO: below and above are named
  double nudge = 1e-5;                      // h of the proof
  bool check_all = false;                   // every input number is held against differences
  bool on_device = false;                   // … and the gradients are those of the results, in float
  std::size_t step = 60;                    // of the descent, that is shown
  double played = 0;                        // of a step, while playing
  std::optional<Spot> input = {};           // the number of an input that was clicked last
  bool operator==(const GradientsView&) const = default;
};

namespace gradients_view_field {

inline constexpr SwitchField weights{
    {.key = "weights", .title = "weights W", .sentence = "the projections and their gradients (W)"}, "", ""};
inline constexpr SwitchField numbers{
    {.key = "numbers", .title = "numbers", .sentence = "numbers in the cells of this workspace"}, "", ""};
inline constexpr SwitchField logarithmic{
    {.key = "logarithmic",
     .title = "log |d|",
     .sentence = "gradients are coloured by the logarithm of their size, so that small ones are seen"},
    "",
    ""};
inline constexpr SwitchField own_range{
    {.key = "own_range",
     .title = "own range",
     .sentence = "the colours of each gradient reach as far as its own numbers; off: all have one range"},
    "",
    ""};
inline constexpr NumberField vanishing{
    .text = {.key = "vanishing",
             .title = "vanishing below",
             .sentence = "a gradient whose norm is a smaller part of that of dO is said to vanish"},
    .least = 1e-9,
    .most = 1,
    .takes = "above 0, at most 1",
    .per_pixel = 0.001};
inline constexpr NumberField exploding{
    .text = {.key = "exploding",
             .title = "exploding above",
             .sentence = "a gradient whose norm is more times that of dO is said to explode"},
    .least = 1,
    .most = 1e9,
    .takes = "1 or more",
    .per_pixel = 0.1};
inline constexpr NumberField nudge{.text = {.key = "nudge",
                                            .title = "nudge h",
                                            .sentence = "the number is made larger and smaller by h, and the "
                                                        "loss is computed both times, in double"},
                                   .least = 1e-12,
                                   .most = 1,
                                   .takes = "from 1e-12 to 1"};
inline constexpr SwitchField check_all{{.key = "check_all",
                                        .title = "check all",
                                        .sentence = "every number that is given is nudged, and its gradient "
                                                    "held against the difference (C)"},
                                       "",
                                       ""};
inline constexpr SwitchField on_device{{.key = "on_device",
                                        .title = "on the device",
                                        .sentence = "the gradients of the proof are the device's, in "
                                                    "float32; off: the reference's, in double"},
                                       "",
                                       ""};
inline constexpr CountField step{
    .text = {.key = "descent_step", .title = "step", .sentence = "of the descent, whose weights are shown"}};

}  // namespace gradients_view_field

template <class Visit>
void visit_fields(std::type_identity<GradientsView>, Visit&& visit) {
  namespace f = gradients_view_field;
  visit(f::weights, &GradientsView::weights);
  visit(f::numbers, &GradientsView::numbers);
  visit(f::logarithmic, &GradientsView::logarithmic);
  visit(f::own_range, &GradientsView::own_range);
  visit(f::vanishing, &GradientsView::vanishing);
  visit(f::exploding, &GradientsView::exploding);
  visit(f::nudge, &GradientsView::nudge);
  visit(f::check_all, &GradientsView::check_all);
  visit(f::on_device, &GradientsView::on_device);
  visit(f::step, &GradientsView::step);
}

}  // namespace attn
