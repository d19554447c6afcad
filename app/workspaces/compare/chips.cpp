// What B differs in, each to be taken back, and what it may differ in besides.
#include "app/widgets/chips.h"
#include "app/canvas/edits.h"
#include "app/workspaces/compare/row.h"
#include "app/workspaces/compare/scene.h"
#include "core/document/edit.h"
#include "core/edits/layer_changes.h"

namespace attn {
namespace {

// Why A allows no such difference; empty: it does.
std::string obstacle_to(const LayerChange& change, const LayerSpec& a) {
  return change.is_made(a) ? "as in A" : change.obstacle(a);
}

void make_or_take_back(Frame& frame, const LayerChange& change, bool made) {
  const Address compared = compared_address(frame.draft);
  attempt(frame, [&](LayerAt in) {
    begin_layer(in.document, compared);
    const LayerSpec a = in.document.layer();
    made ? change.take_back({in.document, compared}, a) : change.make({in.document, compared});
  });
}

void change_chip(Frame& frame, ChipRow& row, const LayerChange& change) {
  const LayerSpec a = frame.draft.layer(), b = compared_layer(frame.draft, compared_address(frame.draft));
  const std::string why = obstacle_to(change, a), title(change.title);
  const bool made = why.empty() && change.is_made(b);
  if (row.add({.id = "differ " + std::string(change.word),
               .text = why.empty() ? title : title + ": " + why,
               .tooltip = std::string(change.sentence),
               .on = made,
               .faint = !why.empty()}) &&
      why.empty())
    make_or_take_back(frame, change, made);
}

}  // namespace

void difference_chips(Frame& frame, float left, float right) {
  ChipRow row(frame.theme, left, right);
  for (const LayerChange& change : differences()) change_chip(frame, row, change);
  const Address compared = compared_address(frame.draft);
  const std::string name = compared_name(frame.draft);
  const bool by_reference = is_by_reference(frame.draft.compare, compared);
  if (row.add({.id = "differ reference",
               .text = "device against reference",
               .tooltip = name + " is computed by the reference, in double",
               .on = by_reference}))
    set_by_reference(frame.draft.compare, compared, !by_reference);
  if (row.add({.id = "compare.open",
               .text = "your file…",
               .tooltip = name + " becomes the layer of a session, or what another program computed (.npz)"}))
    frame.commands.emplace_back("compare.open");
}

void made_chips(Frame& frame, float left, float right) {
  const Address compared = compared_address(frame.draft);
  const std::vector<LayerDifference> made = differences_from_a(frame.draft, compared);
  ChipRow row(frame.theme, left, right);
  for (std::size_t i = 0; i < made.size(); ++i)
    if (row.add({.id = "differs " + std::to_string(i),
                 .text = made[i].b + "  ×",
                 .tooltip = made[i].b + "; in A: " + made[i].a + ". Click to take it back",
                 .on = true}))
      attempt(frame, [&](LayerAt in) { take_back_difference(in.document, compared, i); });
}

}  // namespace attn
