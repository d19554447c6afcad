// Following a number to its sources and its targets, through what is not drawn.
#include "app/frame/links.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/frame/visible_stages.h"
#include "core/operations/matmul.h"

namespace attn {
namespace {

// A cell of a stage; behind a softmax there are as many as keys.
using Place = std::pair<StageIndex, Cell>;
struct PlaceHash {
  std::size_t operator()(const Place& place) const {
    std::size_t hash = place.first;
    for (const std::size_t part : {place.second.head, place.second.row, place.second.column})
      hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 32);
  }
};

class Linker {
 public:
  Linker(const Results& results, const View& view) : results_(results), view_(view) {}

  // Every cell is opened once, however many ways lead to it.
  void follow_sources(StageIndex index, Cell cell) {
    if (!opened_.insert({index, cell}).second) return;
    if (!can_explain(results_, index, cell)) return;
    const Stage& stage = results_.graph.stages[index];
    for (const Term& term : explain(results_, index, cell).terms)
      for (const Operand& o : term.operands) {
        if (o.input < 0) continue;
        const StageIndex source = stage.inputs[static_cast<std::size_t>(o.input)];
        if (stage.role != Role::gradient || !is_masked(source, o.cell)) add_source(source, o.cell);
      }
  }

  // Regions of the operations that are looked through are boxes, so the boxes around two corners' regions are
  // exact.
  void follow_targets(StageIndex index, Region region) {
    const Cell last{region.end.head - 1, region.end.row - 1, region.end.column - 1};
    for (StageIndex later = index + 1; later < results_.graph.stages.size(); ++later) {
      const Stage& reader = results_.graph.stages[later];
      for (std::size_t input = 0; input < reader.inputs.size(); ++input) {
        if (reader.inputs[input] != index) continue;
        const std::vector<Shape> shapes = results_.graph.input_shapes(later);
        const Regions first = reach(reader.operation, shapes, input, region.begin);
        const Regions until = reach(reader.operation, shapes, input, last);
        for (std::size_t i = 0; i < std::min(first.size(), until.size()); ++i)
          add_target(later, {first[i].begin, until[i].end});
      }
    }
  }

  Links take() {
    std::ranges::sort(sources_);
    const auto repeated = std::ranges::unique(sources_);
    sources_.erase(repeated.begin(), repeated.end());
    for (const auto& [stage, cell] : sources_)
      links_.sources[results_.graph.stages[stage].id].push_back(cell);
    return std::move(links_);
  }

 private:
  // A masked number takes no part in a gradient: the weight there is 0.
  bool is_masked(StageIndex stage, Cell cell) const {
    const auto mask = results_.graph.stages[stage].mask;
    if (!mask) return false;
    const StageResult& hides = results_.outputs[*mask];
    const std::size_t stack = results_.graph.stages[stage].shape.stack;
    cell.head = stack % hides.stack() == 0 ? shared_matrix(cell.head, hides.stack(), stack) : 0;
    return hides.holds(cell) && hides[cell] != 0;
  }

  // What is not in sight of every canvas is marked where one shows it, and looked through besides.
  bool is_marked(const Stage& stage) const {
    return on_screen(stage, view_) || stage.drawn == Drawn::parameters;
  }

  void add_source(StageIndex source, Cell cell) {
    const Stage& stage = results_.graph.stages[source];
    if (is_marked(stage)) sources_.emplace_back(source, cell);
    if (!on_screen(stage, view_)) follow_sources(source, cell);
  }

  void add_target(StageIndex target, Region region) {
    const Stage& stage = results_.graph.stages[target];
    if (!on_screen(stage, view_)) follow_targets(target, region);
    if (!is_marked(stage)) return;
    std::vector<Region>& regions = links_.targets[stage.id];
    if (std::ranges::find(regions, region) == regions.end()) regions.push_back(region);
  }

  const Results& results_;
  const View& view_;
  std::unordered_set<Place, PlaceHash> opened_;
  std::vector<Place> sources_;
  Links links_;
};

}  // namespace

Links make_links(const Results& results, const Spot& spot, const View& view) {
  const auto stage = results.graph.find(spot.stage);
  if (!stage || !results.outputs[*stage].holds(spot.cell)) return {};
  Linker linker(results, view);
  linker.follow_sources(*stage, spot.cell);
  linker.follow_targets(*stage, region(spot.cell));
  return linker.take();
}

}  // namespace attn
