// What the runs of the positions graph share while they are appended. Private to core/positions.
#pragma once

#include <array>

#include "core/attention/layer.h"
#include "core/positions/graph.h"

namespace attn {

struct PositionsBuilder {
  Graph& graph;
  const PositionsSpec& spec;
  PositionsPlaces places;

  // Of the content.
  std::array<StageIndex, 3> qkv{};
  StageIndex minus_plain = 0;                    // the scaled scores of the content alone, negated
  std::vector<StageIndex> read_by_softmax = {};  // of each of the scores that there are
  std::size_t step = Stage::kNoStep;

  // A chip of the stage bar: what is added from here on belongs to it.
  void begin_step(std::string title, std::string says);
  StageIndex add(Stage stage);

  void begin(std::string prefix, std::string title);
  // A stage that is looked through.
  StageIndex hidden(std::string id, std::string title, Operation operation,
                    std::vector<StageIndex> inputs = {});
  // The same row everywhere: a column of ones times it.
  StageIndex repeated(const std::string& id, StageIndex row, std::size_t rows);
  StageIndex difference(StageIndex a, StageIndex minus_b, std::string id, std::string sentence);
  // The layer of a part over given queries, keys and values; it begins the part, or joins it.
  LayerStages layer(const PositionsPart& part, const std::array<StageIndex, 3>& given, bool joins);
};

// The shown encoding and its similarities; the rows of the others.
void append_map(PositionsBuilder& b);
// The content, and its scores under each encoding.
void append_content(PositionsBuilder& b);
void append_scores_under(PositionsBuilder& b);
// Keys far away, and two orders.
void append_far(PositionsBuilder& b);
void append_orders(PositionsBuilder& b);

}  // namespace attn
