// What of the runs is looked at. A part of the View.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/graph/field_words.h"

namespace attn {

struct TrainingRuns;

// Which of a head's weights is opened.
enum class SeenWeights { query, key, value };

struct TrainingView {
  static constexpr std::size_t kNewest = 1'000'000;  // whatever step has been reached

  std::size_t at = kNewest;  // the step that everything shows
  // The pinned head, by its attention from the first on; kNewest: the one that has learnt most.
  std::size_t attention = kNewest, head = 0;
  std::size_t row = kNewest, column = kNewest;  // of its map; kNewest: where an answer stands
  SeenWeights weights = SeenWeights::query;
  std::size_t weight_row = 5, weight_column = 3;  // of the head's own matrix
  bool other = false;                             // maps and examples are B's
  bool branch = false;                            // … or C's, the run that branched off
  double speed = 1000;                            // steps a second; the most: as fast as they come
  std::map<std::size_t, std::string> typed = {};  // rows that somebody typed in place of held-out ones
  std::size_t example = 0;                        // the row whose maps are shown
  bool played = false;                            // in the last frame
  std::optional<std::size_t> back_to = {};        // the step to show when what trains by itself is done
  std::optional<double> replayed = {};            // the step, while what was trained is shown again
  std::shared_ptr<TrainingRuns> runs = {};        // what was trained: it outlives a look elsewhere
};

namespace training_view_field {

inline constexpr double kMostSpeed = 1000;

inline constexpr CountField at{
    .text = {.key = "at", .title = "at step", .sentence = "the step that everything shows"}};
inline constexpr CountField attention{
    .text = {.key = "attention", .title = "attention", .sentence = "whose head is pinned"}};
inline constexpr CountField head{
    .text = {.key = "seen_head", .title = "head", .sentence = "that is pinned, of its attention"}};
inline constexpr CountField row{
    .text = {.key = "asks", .title = "row", .sentence = "of the pinned weight: which place asks"}};
inline constexpr CountField column{
    .text = {.key = "answers", .title = "column", .sentence = "of the pinned weight: which place answers"}};
inline constexpr SwitchField other{
    {.key = "other", .title = "run B", .sentence = "maps and examples are those of run B"}, "", ""};
inline constexpr NumberField speed{
    .text = {.key = "speed",
             .title = "speed",
             .sentence = "steps a second while it plays; at the right end as fast as they come"},
    .least = 1,
    .most = kMostSpeed,
    .takes = "from 1 to 1000"};

}  // namespace training_view_field

template <class Visit>
void visit_fields(std::type_identity<TrainingView>, Visit&& visit) {
  namespace f = training_view_field;
  visit(f::at, &TrainingView::at);
  visit(f::attention, &TrainingView::attention);
  visit(f::head, &TrainingView::head);
  visit(f::row, &TrainingView::row);
  visit(f::column, &TrainingView::column);
  visit(f::other, &TrainingView::other);
  visit(f::speed, &TrainingView::speed);
}

}  // namespace attn
