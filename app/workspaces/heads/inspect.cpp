// What the inspector says of the head that is shown large.
#include <algorithm>
#include <array>

#include "app/inspector/inspector_flow.h"
#include "app/workspaces/heads/row.h"
#include "app/workspaces/heads/scene.h"

namespace attn {
namespace {

using namespace inspector;

std::string curly(const std::string& token) {
  return "“" + token + "”";
}

void draw_head_title(Flow& flow, const HeadsScene& scene) {
  const Theme& theme = flow.theme();
  ImGui::PushFont(theme.fonts.bold);
  const Rect line = add_line(flow);
  put(flow, line, "head " + std::to_string(scene.head), theme.text);
  ImGui::PopFont();
  put(flow, line, scene.muted(scene.head) ? "off" : name_and_number(scene, scene.head), theme.dim, 1);
  add_text(flow, "its weights, its share of the output", theme.dim, theme.fonts.small);
}

// The weight by rule, and what equal weights would give it.
void draw_rules(Flow& flow, const HeadsScene& scene) {
  if (scene.memo.figures.empty()) return;
  const HeadFigures& f = scene.memo.figures[scene.head];
  const auto& kind = scene.memo.names[scene.head].kind;
  std::vector<std::array<std::string, 2>> facts;
  float widest = 0;
  for (std::size_t p = 0; p < kPatterns; ++p) {
    facts.push_back({"on " + std::string(kHeadRules[p].title),
                     share_text(f.share[p], 3) + "  chance " + share_text(f.chance[p], 2)});
    widest = std::max(widest, text_width(facts[p][0]) + flow.px(kWordGap) + text_width(facts[p][1]));
  }
  const CompactScope compact(flow, widest);  // all of one size
  for (std::size_t p = 0; p < kPatterns; ++p) {
    const bool names_it = kind && static_cast<std::size_t>(*kind) == p;
    if (f.rows[p] > 0)
      add_fact(flow, facts[p][0], facts[p][1], names_it ? flow.theme().good : flow.theme().text);
  }
  const bool broad = kind == HeadKind::broad;
  add_fact(flow, "entropy of the largest", share_text(f.of_most, 3),
           broad ? flow.theme().good : flow.theme().text);
}

void draw_figures(Flow& flow, const HeadsScene& scene) {
  const Theme& theme = flow.theme();
  draw_rules(flow, scene);
  add_fact(flow, "entropy", share_text(scene.memo.entropy[scene.head], 3) + " nats", theme.text);
  const Tensor& columns = scene.numbers(scene.places().columns);
  std::size_t largest = 0;
  for (std::size_t j = 1; j < columns.columns(); ++j)
    if (columns[{scene.head, 0, j}] > columns[{scene.head, 0, largest}]) largest = j;
  const double mean =
      static_cast<double>(columns[{scene.head, 0, largest}]) / static_cast<double>(scene.weights().rows());
  add_fact(flow, "largest column", curly(scene.memo.keys[largest]) + " " + share_text(mean, 3), theme.text);
}

void draw_without(Flow& flow, const HeadsScene& scene) {
  const Theme& theme = flow.theme();
  const auto& change = scene.memo.change;
  add_heading(flow, "Without it");
  add_fact(flow, scene.muted(scene.head) ? "on, it would add" : "output changes by",
           share_text(change[scene.head], 3), theme.text);
  add_fact(flow, "most for the token", curly(scene.memo.queries[scene.memo.moved[scene.head]]), theme.text);
  add_fact(flow, "for " + curly(scene.memo.queries[scene.row]),
           share_text(scene.change_at(scene.head, scene.row), 3), theme.text);
  const auto above = std::ranges::count_if(change, [&](double other) { return other > change[scene.head]; });
  add_fact(flow, "rank among " + std::to_string(scene.heads()), std::to_string(above + 1), theme.text);
  add_text(flow,
           scene.results.document.layer().direct || scene.results.document.layer().w_o.empty()
               ? "exact: without W_O, the head's columns of the output become 0"
               : "exact: this head's contribution is removed from the sum",
           theme.faint, theme.fonts.small);
}

void draw_alike(Flow& flow, const HeadsScene& scene) {
  if (scene.heads() < 2) return;
  const Theme& theme = flow.theme();
  const Tensor& likeness = scene.numbers(scene.places().likeness);
  const auto with = [&](std::size_t other) { return likeness[{0, scene.head, other}]; };
  std::size_t most = scene.head == 0 ? 1 : 0, least = most;
  for (std::size_t r = 0; r < scene.heads(); ++r) {
    if (r == scene.head) continue;
    if (with(r) > with(most)) most = r;
    if (with(r) < with(least)) least = r;
  }
  add_heading(flow, "Most alike");
  const std::string& stage = scene.results.graph.stages[scene.places().likeness].id;
  for (const auto& [name, other] : {std::pair{"most: head ", most}, std::pair{"least: head ", least}}) {
    const Rect line = add_line(flow);
    put(flow, line, name + std::to_string(other), theme.text);
    put(flow, line, share_text(static_cast<double>(with(other)), 3), theme.text, 1);
    press_to_open(flow, name, line, Spot{stage, {0, scene.head, other}});
  }
}

}  // namespace

void inspect_heads(Frame& frame, Flow& flow) {
  auto scene = heads_scene(frame);
  if (!scene) return;
  if (frame.view.inspected) flow.y += flow.px(10);
  draw_head_title(flow, *scene);
  draw_figures(flow, *scene);
  draw_without(flow, *scene);
  draw_alike(flow, *scene);
}

}  // namespace attn
