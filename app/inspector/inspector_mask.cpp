// The mask over the inspected number, as other programs read it, and the lines of PyTorch that compute the
// layer's attention.
#include <algorithm>

#include "app/inspector/inspector_sections.h"
#include "core/attention/attention_call.h"
#include "core/io/attention_code.h"
#include "core/io/mask_code.h"

namespace attn::inspector {
namespace {

struct MaskedCell {
  Tensor mask;
  bool here = false;  // it hides the number
  Fill fill = Fill::negative_infinity;
};

// Of a stage that a mask hides cells of, or of a mask itself.
std::optional<MaskedCell> hidden_at(const Results& results, const Spot& spot) {
  const auto index = results.graph.find(spot.stage);
  if (!index) return std::nullopt;
  const Stage& stage = results.graph.stages[*index];
  if (stage.role == Role::gradient) return std::nullopt;  // no public program takes one for a mask's
  const auto mask = stage.mask ? stage.mask : stage.role == Role::mask ? index : std::nullopt;
  if (!mask || !results.outputs[*mask].here()) return std::nullopt;
  MaskedCell hidden{.mask = results.outputs[*mask].whole()};
  const std::size_t heads = std::max(stage.shape.stack, hidden.mask.stack());
  hidden.here = hidden.mask[{shared_matrix(spot.cell.head, hidden.mask.stack(), heads), spot.cell.row,
                             spot.cell.column}] != 0;
  for (const Stage& other : results.graph.stages)
    if (other.mask == mask) hidden.fill = other.traits.fill.value_or(hidden.fill);
  return hidden;
}

void put_on_clipboard(Flow& flow, const std::string& code, const std::string& what) {
  ImGui::SetClipboardText(code.c_str());
  flow.frame.view.say(what + " is on the clipboard");
}

}  // namespace

void draw_mask(Flow& flow, const Results& results, const Spot& spot) {
  const auto hidden = hidden_at(results, spot);
  if (!hidden) return;
  add_heading(flow, "Mask elsewhere");
  for (const MaskConventionText& about : kMaskConventions) {
    const Rect line = add_line(flow);
    const std::string title(about.title);
    put(flow, line, title, flow.theme().text);
    put(flow, line, mask_value(hidden->here, about.convention, hidden->fill), flow.theme().dim, 1);
    if (press(flow, "mask " + title, line, "Puts the whole mask on the clipboard, read like this."))
      put_on_clipboard(flow, mask_code(hidden->mask, about.convention, hidden->fill),
                       "the mask, " + title + ",");
  }
}

void draw_call(Flow& flow, const Results& results, const Spot& spot) {
  const auto index = results.graph.find(spot.stage);
  if (!index) return;
  const Stage& stage = results.graph.stages[*index];
  const bool on_the_way =
      (stage.mask && stage.role != Role::gradient) || stage.role == Role::mask || stage.role == Role::weights;
  if (!on_the_way || !attention_call(results.graph, stage.part)) return;
  add_heading(flow, "Copy the call of PyTorch");
  const auto call = add_chips(flow, "mask call", {"scaled_dot_product_attention", "MultiheadAttention"},
                              "Puts lines of PyTorch on the clipboard that call it with this layer's mask, "
                              "bias and scale; comments say what it does otherwise.");
  if (!call) return;
  const auto code = attention_code(
      results, stage.part,
      *call == 0 ? AttentionFunction::scaled_dot_product_attention : AttentionFunction::multihead_attention);
  if (code)
    put_on_clipboard(flow, code->text,
                     code->same ? "the call" : "the call, with comments on what it does otherwise,");
  else
    flow.frame.view.say("nothing was copied: the mask or the bias is not computed here", true);
}

}  // namespace attn::inspector
