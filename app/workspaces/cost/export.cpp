// Costs for other programs: the curves as CSV, the counts at n as JSON, the canvas as a picture.
#include "app/inspector/inspector_flow.h"
#include "app/workspaces/cost/scene.h"
#include "core/cost/text.h"
#include "core/text/text.h"

namespace attn {
namespace {

// A line for each mechanism and n: counted as in the plots, measured where there is a point.
std::string curves_csv(const CostScene& scene) {
  std::string text = "mechanism,n,operations,bytes_held,seconds_at_peak,seconds_measured\n";
  for (const MechanismKind kind : scene.study().mechanisms) {
    const CostSpec spec = spec_of(scene.study(), kind);
    const std::string subject(kMechanismWords[static_cast<std::size_t>(kind)]);
    for (std::size_t i = 0; i < scene.memo.n.count; ++i) {
      const auto n = static_cast<std::size_t>(scene.memo.n[i]);
      const LayerCost layer = count_layer(with_tokens(spec, n));
      const Count count = operations(layer, CostPart::mixing);
      text += word_of(spec.mechanism) + ',' + std::to_string(n) + ',' + digits(count) + ',' +
              digits(layer.held.value()) + ',';
      if (scene.timed()) text += shortest(static_cast<double>(count) / scene.peak());
      text += ',';
      const MeasuredPoint* point = scene.measured() ? scene.measured()->find(subject, n) : nullptr;
      if (point && !point->seconds.empty()) text += shortest(point->seconds.median());
      text += '\n';
    }
  }
  return text;
}

std::string counts_json(const CostScene& scene) {
  std::string text = "{";
  for (const MechanismKind kind : scene.study().mechanisms) {
    const CostSpec spec = spec_of(scene.study(), kind);
    std::string json = cost_json(spec);
    json.pop_back();
    text += (text.size() > 1 ? ",\n\"" : "\n\"") + word_of(spec.mechanism) + "\": " + json;
  }
  return text + "\n}\n";
}

}  // namespace

void draw_take_away(inspector::Flow& flow, CostScene& scene) {
  inspector::add_heading(flow, "Take away");
  const auto chosen = inspector::add_chips(
      flow, "take costs", {"CSV", "JSON", "PNG"},
      "CSV: every curve; JSON: the counts at n, stage by stage, on the clipboard; PNG: the "
      "canvas as a picture");
  if (!chosen) return;
  Frame& frame = scene.frame;
  if (*chosen == 2) {
    frame.asks.emplace_back(SavePicture{frame.area});
    return;
  }
  ImGui::SetClipboardText((*chosen == 0 ? curves_csv(scene) : counts_json(scene)).c_str());
  frame.view.say(*chosen == 0 ? "the curves are on the clipboard as CSV"
                              : "the counts at n are on the clipboard as JSON");
}

}  // namespace attn
