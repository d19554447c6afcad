// Which boxes the diagram has, in the order of the computation.
#include <algorithm>

#include "app/plot/plot_numbers.h"
#include "app/workspaces/stack/architecture.h"

namespace attn {
namespace {

// ".12", "1.30".
std::string share_words(double share) {
  std::string text = decimal_text(share, 2);
  if (text.starts_with("0.")) text.erase(0, 1);
  return "+" + text;
}

struct DiagramBuilder {
  const StackScene& scene;
  DiagramColumn column = {};

  const StackSpec& spec() const { return scene.spec(); }
  const StackSide& side() const { return column.decoder ? spec().decoder : spec().encoder; }
  std::size_t add(DiagramBox box) {
    box.decoder = column.decoder;
    column.boxes.push_back(std::move(box));
    return column.boxes.size() - 1;
  }
  std::string norm_title() const { return spec().norm_kind == NormKind::layer ? "LayerNorm" : "RMSNorm"; }
  void add_norm(const std::string& of, const char* when) {
    add({.id = "norm " + of,
         .text = norm_title(),
         .tooltip = "Every row " + std::string(when) + ": its mean taken away and divided by its spread"});
  }
  // Its share is known of the side whose rows are shown.
  std::string added(std::size_t layer, const BoxStages& box) const {
    if (!box.added) return "off";
    const auto share = share_added(scene.numbers(*box.added), scene.numbers(box.before));
    return share && layer < side().blocks.size() ? share_words(*share) : "";
  }

  void add_box(const BlockStages& block, std::size_t layer, StackBox which) {
    const StackBlock& of = side().blocks[layer];
    const auto found = std::ranges::find(block.boxes, which, &BoxStages::box);
    const bool off = of.is_off(which), before = spec().norm_at == NormAt::before && !off;
    const std::string id = which == StackBox::attention ? "attention"
                           : which == StackBox::cross   ? "cross"
                                                        : "feed-forward";
    const std::size_t from = column.boxes.size();
    if (before) add_norm(id, "before it is read");
    if (which == StackBox::cross) column.cross = column.boxes.size();
    const bool causal = column.decoder && which == StackBox::attention;
    add({.kind = DiagramBox::function,
         .id = id,
         .text = causal ? "causal attention" : kBoxTitles[static_cast<std::size_t>(which)],
         .number = added(layer, *found),
         .tooltip =
             std::string(
                 off ? "Off: it adds nothing to the stream"
                     : "The number is ‖what it adds‖ ÷ ‖the stream it is added to‖, mean over tokens") +
             "\nclick: light its rows · double-click or Enter: open it · right-click: off, compare",
         .box = which,
         .off = off});
    if (spec().residual && !off) {
      const std::size_t to = add({.kind = DiagramBox::sum, .id = "sum " + id, .text = "+"});
      column.residuals.push_back({from, to});
    }
    if (spec().norm_at == NormAt::after) add_norm(id, "after the addition");
  }

  void add_input() {
    const std::string count = std::to_string(token_count(side()));
    const bool symbols = !side().ids.empty();
    add({.id = "input",
         .text = column.decoder && symbols ? "embed " + count + " so far"
                 : symbols                 ? "embed " + count + " tokens"
                                           : count + " tokens, d " + std::to_string(width_of(spec())),
         .tooltip = symbols ? "Each token is a row of the embedding" : "Each token is a row of features"});
    const SideStages& stages = *scene.places().side(column.decoder);
    if (stages.position)
      add({.id = "position",
           .text = "+ position",
           .tooltip = "A row that says where the token stands is added"});
  }

  void add_block() {
    const SideStages& stages = *scene.places().side(column.decoder);
    const std::size_t layer = std::min(scene.view().layer, stages.blocks.size() - 1);
    column.first_of_block = column.boxes.size();
    for (const BoxStages& box : stages.blocks[layer].boxes) add_box(stages.blocks[layer], layer, box.box);
    column.end_of_block = column.boxes.size();
  }

  void add_end(bool last) {
    if (side().normed)
      column.memory = add(
          {.id = "final norm", .text = norm_title(), .tooltip = "What the last layer leaves, normalised"});
    else
      column.memory = column.boxes.size() - 1;
    const StackStages& places = scene.places();
    if (!last || !places.probabilities) return;
    add({.kind = DiagramBox::output,
         .id = "head",
         .text = spec().tied ? "· Eᵀ, softmax" : "· W_head, softmax",
         .tooltip = "How likely each symbol comes next"});
    const Tensor& shares = scene.numbers(*places.probabilities);
    const std::size_t row = shares.rows() - 1;
    std::size_t best = 0;
    for (std::size_t j = 1; j < shares.columns(); ++j)
      if (shares[{0, row, j}] > shares[{0, row, best}]) best = j;
    const std::string symbol = best < spec().symbols.size() ? spec().symbols[best] : std::to_string(best);
    add({.kind = DiagramBox::answer,
         .id = "answer",
         .text = symbol,
         .number = decimal_text(static_cast<double>(shares[{0, row, best}]), 4),
         .tooltip = "The most likely symbol behind the last token, and how likely it is"});
  }
};

}  // namespace

std::vector<DiagramColumn> diagram_of(const StackScene& scene) {
  std::vector<DiagramColumn> columns;
  for (const bool decoder : {false, true}) {
    if (!scene.places().side(decoder)) continue;
    DiagramBuilder b{scene};
    b.column.decoder = decoder;
    b.add_input();
    b.add_block();
    b.add_end(decoder || !scene.places().decoder);
    columns.push_back(std::move(b.column));
  }
  return columns;
}

}  // namespace attn
