// Desk: what a command finds when it runs, and what it may change. Whatever else it wants, it asks the
// program for.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "app/frame/memos.h"
#include "app/frame/rect.h"
#include "app/frame/view.h"
#include "core/document/document.h"
#include "core/engine/engine.h"
#include "core/io/numbers_file.h"
#include "core/measure/measure.h"

namespace attn {

struct Workspace;

// What commands and panels ask the program to do once they are done.
struct OpenFile {
  std::string path;
  bool as_compared = false;  // into the open work, compared with its layer
};
struct PreviewFile {  // once more, with other choices
  std::string path;
  ArrayChoices choices;
};
struct TakePreview {
  bool check;  // its numbers against those of its layer, else the layer alone
};
struct SaveFile {  // by the program's own dialog
  std::string path;
  bool overwrite = false;  // though there is such a file, or another than was read
};
struct ChooseFile {  // that is opened then
  bool as_compared = false;
};
struct ReadPoints {  // out of a text: rows of x and values
  std::string text;
};
struct StartMeasuring {
  MeasureSpec spec;
};
struct StopMeasuring {};
struct ShowWorkspace {
  const Workspace* workspace;
};
struct PlayLesson {
  std::string lesson;                    // a name, or a lesson's file
  std::optional<std::size_t> step = {};  // counted from 0; none: where it was left
};
struct ShowAnswer {
  std::size_t exercise;  // of the step that is played
};
struct SavePicture {              // of the next frame, under a free name
  std::optional<Rect> area = {};  // none: the window
  bool svg = false;               // else PNG
};
struct SaveNumbers {  // of a matrix or a plot, under a free name
  std::string title;  // what they are, for the status line
  NumbersFormat format;
  NumbersWriter write;
};
using Ask = std::variant<OpenFile, PreviewFile, TakePreview, SaveFile, ChooseFile, ReadPoints, StartMeasuring,
                         StopMeasuring, ShowWorkspace, PlayLesson, ShowAnswer, SavePicture, SaveNumbers>;

struct Desk {
  const EngineState& engine;  // of the workspace on screen
  std::span<const Workspace> workspaces;
  const Workspace& workspace;  // on screen, one of them
  bool measuring;              // something is measured on the device
  Memos& memos;
  Document& draft;  // what changes of it is one step of the history; nothing where the command throws Error
  View& view;
  std::vector<Ask>& asks;
};

}  // namespace attn
