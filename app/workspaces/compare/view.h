// What of two layers is looked at. A part of the View.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/field_words.h"
#include "core/system/file_mark.h"

namespace attn {

// A file of another program's numbers that is to be read, with the names as they are understood.
struct CheckReading {
  std::string path;
  std::vector<std::string> names = {};
  std::size_t time = 0;  // of several about the same file
  bool operator==(const CheckReading&) const = default;
};

struct CompareView {
  bool controls_a = false;    // the controls are those of A, else of the compared layer
  bool equal_stages = false;  // open, each; else one line each
  std::size_t column = 2;     // of A, B and B − A the one shown where there is room for one alone
  std::map<std::string, bool> open = {};  // stages that a person opened, or closed, by the ids of their rows
  std::optional<CheckReading> reading = {};
  std::size_t times_read = 0;
  bool follow = false;                            // the file of the check is read again when it changes
  FileMark read_as = {};                          // that file, as it was read last
  std::vector<std::string> led_by = {};           // the file whose first difference chose the head
  std::size_t led_to = 0;                         // that head; another on screen is a person's choice
  std::map<std::string, std::string> marks = {};  // behind the names of steps: " ✓" and " ✗", by stage
  bool operator==(const CompareView&) const = default;
};

template <class Visit>
void visit_fields(std::type_identity<CompareView>, Visit&& visit) {
  static constexpr SwitchField kControlsA{{.key = "controls_a"}, {}, {}},
      kEqualStages{{.key = "equal_stages",
                    .title = "equal stages",
                    .sentence = "stages whose numbers are the same in both, open as well"},
                   {},
                   {}};
  visit(kControlsA, &CompareView::controls_a);
  visit(kEqualStages, &CompareView::equal_stages);
}

}  // namespace attn
