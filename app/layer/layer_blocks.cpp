// Which of a layer's stages stand where, by their roles.
#include "app/layer/layer_blocks.h"

#include <algorithm>

#include <GLFW/glfw3.h>

#include "app/canvas/block_arrange.h"
#include "app/canvas/steps.h"
#include "app/cells/mask_paint.h"
#include "app/cells/token_edits.h"
#include "app/layer/formula_line.h"
#include "app/plot/plot_numbers.h"
#include "app/theme/toolkit.h"
#include "core/graph/rounding.h"

namespace attn {
namespace {

// One layer of the graph.
class LayerBlocks {
 public:
  LayerBlocks(const Frame& frame, std::size_t part, const ShownParts& shown)
      : frame_(frame), graph_(frame.graph), part_(part), heads_(heads_of(graph_, part)), shown_(shown) {}

  std::vector<BlockGroup> build() {
    group({Role::token}, Axis::keys);  // what the keys come from first, as in a translation
    more({Role::token}, Axis::queries);
    more({Role::token}, Axis::other);
    group({Role::query, Role::key, Role::value});
    groups_.back().joins = true;
    if (frame_.view.layer.show_parameters) parameters();
    groups_.emplace_back();
    opened(0, first_score());
    group({Role::score, Role::bias});
    weights();
    merged();
    std::erase_if(groups_, [](const BlockGroup& g) { return g.blocks.empty(); });
    return std::move(groups_);
  }

 private:
  // The stages that a canvas shows without being asked, of these roles, in the graph's order.
  std::vector<StageIndex> shown(std::initializer_list<Role> roles) const {
    std::vector<StageIndex> found;
    for (StageIndex i = 0; i < graph_.stages.size(); ++i) {
      const Stage& stage = graph_.stages[i];
      if (stage.part == part_ && stage.drawn == Drawn::always && std::ranges::count(roles, stage.role) > 0)
        found.push_back(i);
    }
    return found;
  }

  // Consecutive heads share a matrix of a smaller stack.
  std::size_t matrix_of(std::size_t stack) const {
    const std::size_t head = frame_.view.layer.head;
    if (stack == 0 || heads_ % stack != 0) return head;
    return shared_matrix(std::min(head, heads_ - 1), stack, heads_);
  }

  void add(StageIndex index) {
    const Stage& stage = graph_.stages[index];
    Block block = matrix_block(frame_, index, matrix_of(stage.shape.stack));
    const std::size_t stack = block.shape.stack;
    if (stack > 1 && stack <= heads_)
      block.grid.subtitle.push_back({(stack == heads_ ? "head " : "K/V ") + std::to_string(block.grid.head)});
    const Address layer = shown_.attention.value_or(graph_.layer_of(stage));
    if (!shown_.of_stack) add_token_edits(block.grid, stage, frame_.draft, layer);
    if (!shown_.of_stack || shown_.attention) add_mask_paint(block.grid, stage, frame_, layer);
    block.arrow = leads_here(graph_.stages[computing(graph_, index)], stage);
    groups_.back().blocks.push_back(std::move(block));
  }

  // An arrow joins a computed stage with the one it was made from, right before it; the first of a row with
  // the row before.
  bool leads_here(const Stage& computed, const Stage& stage) const {
    if (computed.given()) return starts_row(stage);
    const std::vector<Block>& row = groups_.back().blocks;
    if (row.empty()) return stage.role != Role::output;
    const StageIndex before = row.back().stage;
    return std::ranges::count(computed.inputs, before) > 0;
  }
  // Q that is given leads from nowhere, but stands where computed ones do.
  bool starts_row(const Stage& stage) const {
    return groups_.back().blocks.empty() && stage.role == Role::query;
  }

  void group(std::initializer_list<Role> roles, std::optional<Axis::Along> along = {}) {
    groups_.emplace_back();
    more(roles, along);
  }
  void more(std::initializer_list<Role> roles, std::optional<Axis::Along> along = {}) {
    for (const StageIndex i : shown(roles))
      if (!along || graph_.stages[i].rows.along == *along) add(i);
  }

  // Of the steps that have to be opened those from one place of the graph to another.
  void opened(StageIndex from, StageIndex to) {
    if (!frame_.view.layer.open_softmax) return;
    for (StageIndex i = from; i < to; ++i)
      if (graph_.stages[i].part == part_ && graph_.stages[i].drawn == Drawn::inside) add(i);
  }
  StageIndex first_score() const {
    const std::vector<StageIndex> scores = shown({Role::score});
    return scores.empty() ? 0 : scores.front();
  }

  void parameters() {
    groups_.emplace_back();
    for (StageIndex i = 0; i < graph_.stages.size(); ++i) {
      if (graph_.stages[i].part != part_ || graph_.stages[i].drawn != Drawn::parameters) continue;
      add(i);
      groups_.back().blocks.back().arrow = false;
    }
  }

  void weights() {
    groups_.emplace_back();
    opened(first_score(), graph_.stages.size());
    std::optional<Block> arcs;
    for (const StageIndex i : shown({Role::weights})) {
      add(i);
      arcs = groups_.back().blocks.back();  // the last: they mix the values
    }
    for (const StageIndex i : shown({Role::output}))
      if (graph_.stages[i].stack == Stack::heads) add(i);
    if (!arcs) return;
    find_links(*arcs);
    weights_ = *arcs;
    special(*arcs, Block::arcs, "arcs", arcs_shown(arcs->grid));
  }

  // Those of weights that are not kept are found with their checks.
  void find_links(Block& arcs) {
    const Checks* checks =
        frame_.engine.results.get() == frame_.results ? frame_.engine.checks.get() : nullptr;
    const SoftmaxChecks* of = checks && !frame_.view.before.shown ? checks->of(arcs.stage) : nullptr;
    if (!of || of->strongest.empty()) return;
    arcs.grid.summary.strongest = of->strongest;
    if (checks->rows_seen < checks->rows)
      rows_seen_ =
          "in " + std::to_string(checks->rows_seen) + " of " + std::to_string(checks->rows) + " rows";
  }

  // What of the links is drawn.
  Subtitle arcs_shown(const Grid& grid) const {
    const std::vector<Strongest>& strongest = grid.summary.strongest;
    if (grid.head >= strongest.size()) return {{"query → key"}};
    const auto& [links, all] = strongest[grid.head];
    Subtitle shown{{"strongest links"},
                   {.text = std::to_string(links.size()) + " of " + decimal_text(static_cast<double>(all), 0),
                    .essential = true}};
    if (!rows_seen_.empty()) shown.push_back({.text = rows_seen_, .essential = true});
    shown.push_back({"query → key"});
    return shown;
  }

  void special(Block block, Block::Kind kind, const char* title, Subtitle what) {
    block.kind = kind;
    block.arrow = false;
    block.grid.title = title;
    if (kind == Block::arcs && heads_ > 1)
      what.insert(what.begin(), {"head " + std::to_string(block.grid.head)});
    block.grid.subtitle = std::move(what);
    groups_.back().blocks.push_back(std::move(block));
  }

  // What the heads become, when it is something else than their outputs.
  void merged() {
    std::vector<StageIndex> joined = shown({Role::output});
    std::erase_if(joined, [&](StageIndex i) { return graph_.stages[i].stack == Stack::heads; });
    if (joined.empty()) return;
    groups_.emplace_back();
    groups_.back().joins = true;
    if (heads_ > 1 && weights_)
      special(*weights_, Block::heads, "heads", {{std::to_string(heads_)}, {"click shows one large"}});
    for (const StageIndex i : joined) add(i);
  }

  const Frame& frame_;
  const Graph& graph_;
  std::size_t part_, heads_;
  const ShownParts& shown_;
  std::optional<Block> weights_;
  std::string rows_seen_;  // "in 2048 of 8192 rows", where links of not all are known
  std::vector<BlockGroup> groups_;
};

// What is typed, dragged or pasted starts from the numbers of now: a click or a key on the canvas is back
// there before it acts. Only what flips does not.
void leave_before(Frame& frame, Rect canvas) {
  const GridView& grid = frame.view.grid;
  const bool covered = frame.view.controls.open || frame.view.inspector.open;
  const bool clicked = !covered && (ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1)) &&
                       canvas.contains(ImGui::GetIO().MousePos);
  const bool key = grid.selection && any_key_pressed() && !key_pressed(GLFW_KEY_B, false);
  if (clicked || key || grid.open() || grid.drag) frame.view.before.shown = false;
}

}  // namespace

std::vector<BlockGroup> layer_blocks(const Frame& frame, const ShownParts& parts) {
  std::vector<BlockGroup> groups(1);
  for (const StageIndex stage : parts.read) groups.front().blocks.push_back(matrix_block(frame, stage, 0));
  for (std::size_t part = parts.first; part < parts.end; ++part)
    for (BlockGroup& group : LayerBlocks(frame, part, parts).build()) {
      if (groups.size() == 1 && !groups.front().blocks.empty()) group.joins = true;
      groups.push_back(std::move(group));
    }
  if (groups.front().blocks.empty()) groups.erase(groups.begin());
  return groups;
}

std::vector<BlockGroup> layer_blocks(const Frame& frame) {
  return layer_blocks(frame, {0, frame.graph.parts.size()});
}

void draw_layers(Frame& frame, Rect canvas) {
  leave_before(frame, canvas);
  std::vector<BlockGroup> groups = layer_blocks(frame);
  if (!shows_step_alone(frame, groups)) canvas.min.y += draw_formula_line(frame, canvas);
  draw_blocks(frame, canvas, std::move(groups));
}

}  // namespace attn
