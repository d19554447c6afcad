// The way back from a number of the stream, sum by sum.
#include "core/transformer/writes.h"

#include <algorithm>
#include <array>
#include <optional>

namespace attn {
namespace {

constexpr std::array<const char*, kBoxes> kBoxWrites{" attention", " cross-attention", " feed-forward"};

struct WritesBack {
  const Graph& graph;
  const SideStages& side;
  std::vector<StreamWrite> writes = {};  // the last first

  // What the box of that number writes, in words; else those of the stage itself.
  std::string words_of(StageIndex stage) const {
    for (std::size_t i = 0; i < side.blocks.size(); ++i)
      for (const BoxStages& box : side.blocks[i].boxes) {
        const std::string layer = "layer " + std::to_string(i);
        if (box.added == stage) return layer + kBoxWrites[static_cast<std::size_t>(box.box)];
        if (box.stream == stage && box.normed == stage) return layer + " norm";
        if (box.stream == stage) return layer + " stream";
      }
    return stage == side.input || side.embedded == stage ? "embed" : graph.stages[stage].title;
  }
  void write(StageIndex stage, const std::string& words) { writes.push_back({stage, words}); }

  // What was there before this stage added to it; none: the sum begins here.
  std::optional<StageIndex> step(StageIndex at) {
    const Stage& stage = graph.stages[at];
    const bool input = at == side.input || graph.stages[side.input].computed_from == at;
    if (input && side.position && !stage.computed_from) {
      write(*side.position, "position"), write(*side.embedded, "embed");
      return std::nullopt;
    }
    const bool begins = input || stage.computed_from;
    if (!begins && stage.inputs.size() == 2 && is_added(stage.inputs[1])) {
      write(stage.inputs[1], words_of(stage.inputs[1]));
      return stage.inputs[0];
    }
    const bool passes = !begins && stage.traits.passes_numbers;
    if (passes && !is_added(stage.inputs[0])) return stage.inputs[0];  // a box that is off, or the output
    const StageIndex first = passes ? stage.inputs[0] : at;
    write(first, words_of(first));
    return std::nullopt;
  }
  bool is_added(StageIndex stage) const {
    return std::ranges::any_of(side.blocks, [&](const BlockStages& block) {
      return std::ranges::any_of(block.boxes, [&](const BoxStages& box) { return box.added == stage; });
    });
  }
};

}  // namespace

std::vector<StreamWrite> writes_of(const Graph& graph, const StackStages& stages, bool decoder,
                                   StageIndex stream) {
  WritesBack back{graph, *stages.side(decoder)};
  for (std::optional<StageIndex> at = stream; at;) at = back.step(*at);
  std::ranges::reverse(back.writes);
  return std::move(back.writes);
}

}  // namespace attn
