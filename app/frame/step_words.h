// What is said of the steps of a computation, from assets/words/steps.md: what one does, why, and what to
// look at. Its sentences hold places for facts of the document: "divided by {root}".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct StepWords {
  std::vector<std::string> steps;          // that it is about: ids, or titles in quotes
  std::string title = {};                  // "Scale"
  std::vector<std::string> controls = {};  // the sections of the controls that decide it, of any workspace
  std::string mistake = {};  // the word of a change that breaks it (core/edits/layer_changes.h); may be empty
  std::string workspace = {}, lead = {};  // where to read on, and the words of its button; may be empty
  // In order; the first sentence is said whose facts are all there.
  std::vector<std::string> what = {}, why = {}, look = {};
};

// Throws Error with the line of what cannot be read.
std::vector<StepWords> read_step_words(std::string_view text);

// Of the step with that title, without its number where it has one, else with that id, whatever part of the
// graph it is in; null: none. Embedded, read once.
const StepWords* words_of_step(std::string_view id, std::string_view title);

}  // namespace attn
