#include "app/workspaces/pipeline_notice.h"

#include <cfloat>

#include "app/widgets/chips.h"
#include "core/attention/layer.h"
#include "core/error.h"

namespace attn {
namespace {

struct Heads {
  std::size_t heads, kv_heads;
};

// Head counts near the layer's own with which it could be computed.
std::vector<Heads> repairs(const LayerSpec& layer) {
  constexpr std::size_t kMost = 64;
  std::vector<Heads> found;
  if (layer.direct) return found;
  const auto works = [&](Heads h) {
    LayerSpec copy = layer;
    copy.heads = h.heads, copy.kv_heads = h.kv_heads;
    copy.muted_heads.clear();
    try {
      check_layer(copy);
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  const auto add = [&](std::size_t heads) {
    for (const Heads h : {Heads{heads, layer.kv_heads}, Heads{heads, heads}})
      if (found.size() < 3 && works(h)) return found.push_back(h), true;
    return false;
  };
  if (works({layer.heads, layer.kv_heads})) return found;  // the heads are not what is wrong
  add(layer.heads);
  for (std::size_t h = layer.heads; h-- > 1;)
    if (add(h)) break;
  for (std::size_t h = layer.heads + 1; h <= kMost; ++h)
    if (add(h)) break;
  return found;
}

std::string words(Heads h, const LayerSpec& layer) {
  if (h.heads == layer.heads) return std::to_string(h.kv_heads) + " key/value heads";
  const std::string text = std::to_string(h.heads) + (h.heads == 1 ? " head" : " heads");
  return h.kv_heads == h.heads ? text : text + ", " + std::to_string(h.kv_heads) + " for keys and values";
}

bool device_failed(const EngineState& engine) {
  return engine.fault == Fault::device && engine.device != "reference";
}

bool has_fixes(const Frame& frame) {
  return frame.engine.stopped || device_failed(frame.engine) || frame.history.can_undo() ||
         !repairs(frame.draft.layer).empty();
}

// Buttons that lead out: going on, head counts that fit the projections, or the step back.
void fixes(Frame& frame, float left, float right) {
  ChipRow row(frame.theme, left, right);
  if (frame.engine.stopped &&
      row.add({.id = "compute", .text = "Compute it", .tooltip = "goes on where it stopped", .on = true}))
    frame.commands.push_back("edit.compute");
  if (device_failed(frame.engine) && row.add({.id = "reference",
                                              .text = "Compute on the reference",
                                              .tooltip = "slower, on the processor, always there",
                                              .on = true}))
    frame.commands.push_back("device.reference");
  for (const Heads h : repairs(frame.draft.layer))
    if (row.add({.id = "fix " + std::to_string(h.heads),
                 .text = words(h, frame.draft.layer),
                 .tooltip = {},
                 .on = true})) {
      LayerSpec& layer = frame.draft.layer;
      layer.heads = h.heads, layer.kv_heads = h.kv_heads;
      std::erase_if(layer.muted_heads, [&](std::size_t head) { return head >= h.heads; });
    }
  if (frame.history.can_undo() &&
      row.add({.id = "fix undo", .text = "Undo", .tooltip = "back to what could be computed"}))
    frame.commands.push_back("edit.undo");
}

}  // namespace

float draw_notice(Frame& frame, Rect canvas) {
  const std::string& error = frame.engine.error;
  if (error.empty()) return 0;
  const Theme& theme = frame.theme;
  const ImFont* font = theme.fonts.body;
  const float pad = theme.px(12), width = canvas.width() - 2 * pad;
  const ImVec2 text = font->CalcTextSizeA(font->FontSize, FLT_MAX, width, error.c_str());
  const float chips = has_fixes(frame) ? theme.px(23) + pad : 0, height = 2 * pad + text.y + chips;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 max{canvas.max.x, canvas.min.y + height};
  list.AddRectFilled(canvas.min, max, mix(theme.panel, theme.bad, 0.16f));
  list.AddRectFilled(canvas.min, {canvas.min.x + theme.px(3), max.y}, theme.bad);
  list.AddText(font, font->FontSize, {canvas.min.x + pad, canvas.min.y + pad}, theme.text, error.c_str(),
               nullptr, width);
  ImGui::SetCursorScreenPos({canvas.min.x + pad, canvas.min.y + 2 * pad + text.y});
  ImGui::PushID("notice");
  fixes(frame, canvas.min.x + pad, canvas.max.x - pad);
  ImGui::PopID();
  return height;
}

}  // namespace attn
