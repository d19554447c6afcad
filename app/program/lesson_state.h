// Lessons as the program plays them: read, and their steps' states.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/frame/view.h"
#include "app/frame/workspace.h"
#include "app/language/languages.h"
#include "core/lesson/lesson.h"
#include "core/lesson/live_numbers.h"

namespace attn {

// The names of the built-in lessons, in the order of the course.
std::vector<std::string> lesson_names();
// A built-in lesson by its name, or a lesson's file, in that language (null: as it stands in the file). What
// the language lacks of a built-in lesson stands between ‹ and ›. Throws Error with the file, the line and
// the reason.
Lesson read_lesson(const std::string& name_or_path, const Language* language = nullptr);

// Whether the file is a lesson's: by its ending, else because it begins as one.
bool is_lesson_file(const std::string& path);

// The words of a step's look for whoever looks in the same way; "afresh; " before them says that what the
// steps before looked at is forgotten.
std::string_view look_words(const LessonStep& step);
inline constexpr std::string_view kAfresh = "afresh;";

// Document and view as the step has them, from those that the step before it began with. A step that opens a
// document begins with that, whatever there was. Throws Error with the line and the reason.
void enter_step(const LessonStep& step, Document& document, View& view,
                std::span<const Workspace> workspaces);

// What an exercise does to the document, of the workspace on screen. Throws Error; the document stays as it
// was.
void apply_sets(std::span<const LessonSet> sets, Document& document, const View& view,
                const LiveNumbers& live);

// The layer with that known mistake. Throws Error where there is none of that word, or the layer has nothing
// for it.
Document with_fault(const Document& document, const std::string& word);

}  // namespace attn
