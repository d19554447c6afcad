// What the parts of the diagnosis share: the set of mistakes that is looked at, and ours with it, computed.
// Private to app/workspaces/compare/check_*.cpp.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/workspaces/compare/check_scene.h"
#include "app/workspaces/compare/scene.h"
#include "core/diagnosis/set_name.h"

namespace attn {

// From frame to frame.
struct DiagnosisMemo {
  std::vector<std::string> pointed = {};         // words of the set under the pointer; empty: none is
  std::shared_ptr<std::atomic<bool>> stop = {};  // ends the search that goes on
  std::size_t bytes() const { return bytes_of(pointed); }
};

// What is searched for, of a document whose check is on.
DiagnosisRequest diagnosis_request(const Document& document);
// The results on screen, of a check; null before the first.
const Results* check_results(const Frame& frame);
// The given stages with ours beside them, of such results: those whose numbers are all here.
GivenNumbers given_numbers(const Results& results);
void stop_search(Frame& frame);
// From the beginning, after a stop.
void search_again(Frame& frame);

// The set of those words that was tried; null where none was.
const Tried* find_tried(const Diagnosis& found, std::span<const std::string> words);
bool has_mistake(const Tried& tried, std::string_view word);

// A layer alone, every number of it computed; its stages bear the ids of ours.
struct Mistaken {
  std::shared_ptr<const Results> results = {};
};
// Of the layer with those mistakes. Nothing is found of a layer that is too large.
Study<Mistaken> study_mistaken(Frame& frame, const Tried& tried);

// How far the last given stage would be from ours if one mistake of a set were mended.
struct Mended {
  struct WithoutOne {
    std::string word;                // that is mended
    std::optional<double> off = {};  // the largest |yours − ours| that the others leave; none: not known
  };
  std::vector<WithoutOne> each = {};
};
Study<Mended> study_mended(Frame& frame, const Tried& tried);

// Commands about the mistakes that are shown.
inline constexpr const char *kMistakesToB = "check.mistake_to_b", *kCopyFix = "check.copy_fix";
// What was found, as Markdown.
std::string check_report(const Document& document, const Diagnosis& found, const Tried* tried);

// "1e−7", "0.239", "3.33": of an error relative to something.
std::string error_text(double value);

// Which head reads number `column` of row `row` of n×(h·d): that of its columns, or of its run of memory.
struct HeadShape {
  std::size_t heads = 1, rows = 1, width = 1;
};
std::size_t head_of(HeadCut cut, const HeadShape& shape, std::size_t row, std::size_t column);
// And the place in n×(h·d) of the first number of a head's row.
struct HeadPlace {
  std::size_t row = 0, column = 0;
};
HeadPlace place_of_head_row(HeadCut cut, const HeadShape& shape, std::size_t head, std::size_t row);

}  // namespace attn
