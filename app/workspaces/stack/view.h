// What of the stack is looked at. A part of the View.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/graph/field_words.h"
#include "core/transformer/part.h"

namespace attn {

// Whose maps the rows show: of the encoder's tokens, of the decoder's, of the decoder's to the encoder's.
enum class StackRows { encoder, decoder, cross };

// Other weights of a row, where somebody has dragged them: in the plane of its free directions.
struct DraggedWeights {
  StackRows rows = StackRows::encoder;
  std::size_t layer = 0, head = 0, row = 0;  // of that row alone
  double across = 0, up = 0;
  bool operator==(const DraggedWeights&) const = default;
};

// The step of the stage bar and what was looked at, as they were when one last followed the other.
struct StackFollowed {
  std::optional<std::string> step = {};
  StackRows rows = StackRows::encoder;
  StackBox box = StackBox::attention;
  std::size_t layer = 0;
  bool operator==(const StackFollowed&) const = default;
};

struct StackView {
  StackRows rows = StackRows::encoder;
  std::size_t layer = 0;  // of that side; the last there is at most. The head is that of all workspaces.
  std::size_t row = 0;    // of its maps, in every layer; a query
  StackBox box = StackBox::attention;          // that is lit
  std::size_t step = 0;                        // of decoding: tokens written before it
  std::size_t feature = 0;                     // of the stream, in the inspector
  bool opened = false;                         // the lit box fills the canvas, as the Pipeline shows a layer
  std::size_t first_layer = 0;                 // in sight, where not all rows are
  std::optional<DraggedWeights> dragged = {};  // none: the farthest, or those that are typed
  bool writing = false;  // the decoder writes on from the step as soon as it is known what
  bool typing = false;   // a character that is forced at the step is being typed
  std::optional<StackFollowed> followed = {};
  bool operator==(const StackView&) const = default;
};

namespace stack_view_field {

inline constexpr ChoiceField<StackRows, 3> rows{
    {.key = "rows", .title = "rows show", .sentence = "whose attention the rows show"},
    {{{"encoder", "encoder", StackRows::encoder},
      {"decoder", "decoder", StackRows::decoder},
      {"cross", "cross", StackRows::cross}}}};
inline constexpr CountField layer{
    .text = {.key = "layer_shown", .title = "layer", .sentence = "the layer that is looked at"}};
inline constexpr CountField row{
    .text = {.key = "row", .title = "row", .sentence = "the query whose row is outlined in every map"}};
inline constexpr ChoiceField<StackBox, 3> box{
    {.key = "box", .title = "box", .sentence = "the box that is lit"},
    {{{"attention", "attention", StackBox::attention},
      {"cross", "cross-attention", StackBox::cross},
      {"feed-forward", "feed-forward", StackBox::feed_forward}}}};
inline constexpr CountField step{
    .text = {.key = "written", .title = "written", .sentence = "tokens that are written before this step"}};
inline constexpr CountField feature{
    .text = {.key = "feature", .title = "feature", .sentence = "of the stream, that is opened"}};
inline constexpr SwitchField opened{
    {.key = "opened", .title = "opened", .sentence = "the lit box as the Pipeline shows a layer"}, "", ""};

}  // namespace stack_view_field

template <class Visit>
void visit_fields(std::type_identity<StackView>, Visit&& visit) {
  namespace f = stack_view_field;
  visit(f::rows, &StackView::rows);
  visit(f::layer, &StackView::layer);
  visit(f::row, &StackView::row);
  visit(f::box, &StackView::box);
  visit(f::step, &StackView::step);
  visit(f::feature, &StackView::feature);
  visit(f::opened, &StackView::opened);
}

}  // namespace attn
