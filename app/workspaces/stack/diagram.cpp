// Which boxes the diagram has, in the order of the computation.
#include <algorithm>

#include "app/plot/plot_numbers.h"
#include "app/workspaces/stack/architecture.h"

namespace attn {
namespace {

// ".12", "1.3": as many digits, since a box is narrow; the table below has two decimals.
std::string share_words(double share) {
  std::string text = decimal_text(share, share < 0.995 ? 2 : 1);
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
         .tooltip = "Every row " + std::string(when) + ": " +
                    (spec().norm_kind == NormKind::layer ? "its mean taken away and divided by its spread"
                                                         : "divided by the root of its mean square")});
  }
  std::string added(const BoxStages& box) const {
    if (!box.added) return "off";
    const auto share = share_of(scene, column.decoder, box);
    return share ? share_words(*share) : "";
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
    add({.kind = DiagramBox::function,
         .id = id,
         .text = box_title(column.decoder, which),
         .number = added(*found),
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

  // Of a decoder that writes: the token that goes in at the step of decoding; else the last.
  std::size_t last_row() const {
    const std::size_t last = token_count(side()) - 1;
    return column.decoder && !side().ids.empty() ? std::min(scene.view().step, last) : last;
  }

  void add_input() {
    const SideStages& stages = *scene.places().side(column.decoder);
    const std::string count = std::to_string(last_row() + 1);
    const bool symbols = !side().ids.empty();
    add({.id = "input",
         .text = column.decoder && symbols ? "embed " + count + " so far"
                 : symbols                 ? "embed " + count + " tokens"
                                           : count + (count == "1" ? " token, d " : " tokens, d ") +
                                 std::to_string(width_of(spec())),
         .tooltip = std::string(symbols ? "Each token is a row of the embedding"
                                        : "Each token is a row of features") +
                    (last_row() + 1 < token_count(side())
                         ? "; those behind the step of decoding change nothing of what is before them"
                         : ""),
         .stage = stages.input});
    if (stages.position)
      add({.id = "position",
           .text = "+ position",
           .tooltip = "A row that says where the token stands is added",
           .stage = stages.input});
  }

  void add_block() {
    const SideStages& stages = *scene.places().side(column.decoder);
    const std::size_t layer = std::min(scene.view().layer, stages.blocks.size() - 1);
    column.first_of_block = column.boxes.size();
    for (const BoxStages& box : stages.blocks[layer].boxes) add_box(stages.blocks[layer], layer, box.box);
    column.end_of_block = column.boxes.size();
  }

  void add_end(bool last) {
    const bool memory = !column.decoder && scene.places().decoder;
    if (side().normed)
      column.memory = add({.id = "final norm",
                           .text = norm_title(),
                           .tooltip = "What the last layer leaves, normalised",
                           .stage = memory ? std::optional(scene.places().encoder->output) : std::nullopt});
    else
      column.memory = column.boxes.size() - 1;
    const StackStages& places = scene.places();
    if (!last || !places.probabilities) return;
    add({.kind = DiagramBox::output,
         .id = "head",
         .text = spec().tied && !spec().embedding.empty() ? "· Eᵀ, softmax" : "· W_head, softmax",
         .tooltip = "How likely each symbol comes next",
         .stage = places.probabilities});
    const Tensor& shares = scene.numbers(*places.probabilities);
    const std::size_t row = std::min(last_row(), shares.rows() - 1);
    std::size_t best = 0;
    for (std::size_t j = 1; j < shares.columns(); ++j)
      if (shares[{0, row, j}] > shares[{0, row, best}]) best = j;
    const std::string symbol = best < spec().symbols.size() ? spec().symbols[best] : std::to_string(best);
    add({.kind = DiagramBox::answer,
         .id = "answer",
         .text = symbol,
         .number = decimal_text(static_cast<double>(shares[{0, row, best}]), 4),
         .tooltip = "The most likely symbol behind the last token so far, and how likely it is",
         .stage = places.probabilities});
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
