// What is kept of lessons from one start to the next: where one was, what was answered, and whether it was
// right.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/frame/view.h"
#include "core/document/document.h"
#include "core/evaluate/results.h"

namespace attn {

// What a person says to an exercise.
struct LessonReply {
  std::optional<std::size_t> choice = {};   // of several answers
  std::optional<double> guess = {};         // on the slider
  std::vector<double> curve = {};           // that was drawn
  std::optional<Spot> cell = {};            // that was clicked
  std::optional<std::size_t> thrown = {};   // fault: which of the exercise's
  std::vector<std::size_t> suspected = {};  // and those that were guessed
  bool shown = false;                       // the answer is, and stays as it was given
  bool operator==(const LessonReply&) const = default;
};

// By step and exercise, counted from 0.
using ExercisePlace = std::pair<std::size_t, std::size_t>;

// What is kept of a lesson.
struct LessonProgress {
  std::size_t step = 0;                               // where it was left
  std::set<std::size_t> seen = {};                    // steps that were gone through
  std::map<ExercisePlace, bool> answered = {};        // and whether it was right, or near
  std::map<ExercisePlace, LessonReply> replies = {};  // the first whose answer was shown, else the last
  bool operator==(const LessonProgress&) const = default;
};
struct LessonRecord {
  std::map<std::string, LessonProgress> lessons = {};  // by their names
  std::string last = {};                               // that was played
  bool operator==(const LessonRecord&) const = default;
};

}  // namespace attn
