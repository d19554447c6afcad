// A file of another program's numbers is read on the engine's worker, and taken up in a frame.
#include "app/workspaces/compare/check_file.h"

#include <filesystem>
#include <span>

#include "app/frame/followed_file.h"
#include "app/workspaces/compare/check_scene.h"
#include "app/workspaces/compare/view.h"
#include "core/compare/check_edit.h"
#include "core/document/limits.h"
#include "core/io/array_file.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

constexpr const char* kReading = "compare.check file";

struct CheckFile {
  Document document = {};
  FileMark mark = {};
};

FileMark mark_of_file(const std::string& path) {
  FileReader file(path);
  std::vector<std::byte> piece(std::size_t{1} << 20);
  while (file.read(piece) == piece.size()) {
  }
  return file.mark();
}

// `document`: the one on screen, whose choices stay where the file is the same.
CheckFile read_file_of_check(const CheckReading& reading, const Document& document) {
  try {
    DumpRequest request;
    if (document.check.file == std::vector{reading.path}) request = check_request(document);
    request.names = reading.names;
    CheckFile file{document, mark_of_file(reading.path)};
    request.layer = document.layer();
    auto arrays = read_array_file(reading.path, wanted_arrays(request));
    if (!arrays) throw Error("it is no file of arrays");
    take_check(file.document, read_dump(std::move(arrays->numbers), request), reading.path);
    check_limits(file.document);
    return file;
  } catch (const Error& error) {
    const std::string what = error.what();
    throw Error(what.starts_with(reading.path) ? what : reading.path + ": " + what, Fault::input);
  }
}

std::string file_name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void take_read_file(Frame& frame) {
  CompareView& view = frame.view.of<CompareView>();
  if (!view.reading) return;
  const CheckReading reading = *view.reading;
  const Study<CheckFile> study = frame.studies.of<CheckFile>(kReading, reading, [&] {
    return StudyStep<CheckFile>([reading, document = frame.draft](CheckFile& found, Backend&) {
      found = read_file_of_check(reading, document);
      return true;
    });
  });
  if (study.error.empty() && (!study.found || study.stale || !study.done)) return;
  view.reading.reset();
  if (!study.error.empty()) {
    view.follow = false;
    return frame.view.say(study.error, true);
  }
  const CheckFile& file = *study.found;
  view.read_as = file.mark;
  put_check(frame.draft, file.document);
  frame.view.say("read " + file_name_of(reading.path) + "; Ctrl+Z goes back");
}

// A frame comes when the program has seen something of the file.
void look_at_followed(Frame& frame) {
  CompareView& view = frame.view.of<CompareView>();
  const std::vector<std::string>& file = frame.draft.check.file;
  if (!view.follow || file.empty() || view.reading) return;
  FollowedFile& followed = frame.memos.of<FollowedFile>();
  followed.path = file[0];
  followed.known = view.read_as;
  if (followed.seen == FollowedFile::changed) read_check_file(frame.view, file[0], frame.draft.check.names);
  if (followed.seen != FollowedFile::gone) return;
  view.follow = false;
  frame.view.say(file[0] + " is gone: it is followed no more, and its numbers stay as they were read", true);
}

struct ShownMistakes {
  std::optional<Tried> tried = {};
  std::size_t bytes() const { return tried ? sizeof(Tried) : 0; }
};

}  // namespace

void read_check_file(View& view, const std::string& path, const std::vector<std::string>& names) {
  CompareView& own = view.of<CompareView>();
  own.reading = {path, names, ++own.times_read};
}

void follow_check_file(Frame& frame) {
  take_read_file(frame);
  look_at_followed(frame);
}

void keep_shown_mistakes(Frame& frame) {
  frame.memos.of<ShownMistakes>().tried = shown_mistakes(frame);
}

const Tried* kept_mistakes(Memos& memos) {
  const auto& tried = memos.of<ShownMistakes>().tried;
  return tried ? &*tried : nullptr;
}

}  // namespace attn
