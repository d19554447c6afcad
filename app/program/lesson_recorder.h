// What is recorded of a document and a look as the next step of a lesson, and the file that comes of all.
#pragma once

#include <span>
#include <string>

#include "app/frame/recording_view.h"
#include "app/frame/view.h"
#include "app/frame/workspace.h"

namespace attn {

// The ending of lessons that a desktop knows (assets/package/attention-lab.xml).
inline constexpr const char* kLessonFileEnding = ".lesson.md";

// What is looked at of the workspace on screen, in words, where the document has it.
std::string looked_at(const View& view, const Document& document, std::span<const Workspace> workspaces);

// A recording without steps.
RecordingView begun_recording();

// Adds a step: what differs from the step before by name, where few words say it, else an example, with what
// differs from that (`made_from`, or one that it is), else the document itself. Replayed before it is added:
// document and look come out as they are, bit for bit. Throws Error, and adds nothing.
void record_step(RecordingView& recording, const Document& document, const View& view,
                 const std::string& made_from, std::span<const Workspace> workspaces);

// The path with the ending of lessons, where it has none.
std::string lesson_path(const std::string& path);

// Writes the lesson and, beside it, the sessions that its steps open. Returns where. Throws Error, which
// names the step and the reason; of the lesson's file nothing is written then.
std::string save_recording(const RecordingView& recording, const std::string& path);

}  // namespace attn
