#include "app/widgets/formula.h"

#include <algorithm>

#include "app/on_canvas.h"
#include "app/widgets/words.h"

namespace attn {

std::vector<FormulaPart> layer_formula(const Graph& graph) {
  const auto has = [&](const char* id) { return graph.find(id).has_value(); };
  std::vector<std::string> softmax(kSoftmaxSteps.begin(), kSoftmaxSteps.end());
  softmax.emplace_back("weights");
  std::vector<FormulaPart> parts;
  if (has("dropped")) parts.push_back({"dropout(", {"dropped"}});
  parts.push_back({"softmax(", softmax});
  parts.push_back({"Q", {"q", "scores"}});
  parts.push_back({"Kᵀ", {"k", "scores"}});
  if (const auto scaled = graph.find("scaled")) {
    const Scale* scale = std::get_if<Scale>(&graph.stages[*scaled].operation);
    if (scale && scale->text.starts_with("1/√"))
      parts.push_back({"/ √d_k", {"scaled"}});
    else if (scale && scale->text != "1")
      parts.push_back({"× " + scale->text, {"scaled"}});
  }
  if (has("biased")) parts.push_back({"+ bias", {"bias", "biased"}});
  if (has("masked")) parts.push_back({"+ mask", {"mask", "masked"}});
  parts.push_back({")", softmax});
  if (has("dropped")) parts.push_back({")", {"dropped"}});
  parts.push_back({"V", {"v", "head_output"}});
  if (has("w_o")) parts.push_back({"W_O", {"concat", "output"}});
  return parts;
}

float draw_formula(ImDrawList& list, const Theme& theme, ImVec2 position,
                   const std::vector<FormulaPart>& formula, const std::vector<std::string>& stages) {
  const ImFont* font = theme.fonts.body;
  float x = position.x;
  for (const FormulaPart& part : formula) {
    const bool lit = std::ranges::any_of(
        part.stages, [&](const std::string& id) { return std::ranges::count(stages, id) > 0; });
    draw_text(list, lit ? theme.fonts.bold : font, {x, position.y}, lit ? theme.text : theme.faint,
              part.text);
    x += text_width(lit ? theme.fonts.bold : font, part.text) + theme.px(4);
  }
  return x - position.x;
}

}  // namespace attn
