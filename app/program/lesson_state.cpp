// Lessons read, and their steps' documents and views made.
#include "app/program/lesson_state.h"

#include <algorithm>
#include <filesystem>

#include "app/frame/look.h"
#include "app/program/begun_file.h"
#include "app/program/input.h"
#include "core/diagnosis/mistake.h"
#include "core/lesson/change_words.h"
#include "core/system/assets.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::string_view kLessonEnding = ".md";

// What its steps open lies beside it, unless that is an example or said in full.
Lesson read_lesson_file(const std::filesystem::path& file) {
  std::vector<std::byte> bytes;
  FileReader(file.string()).read_rest(bytes, kLongestLesson);
  Lesson lesson = parse_lesson(file.stem(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const std::vector<std::string> built_in = examples();
  for (LessonStep& step : lesson.steps)
    if (!step.open.empty() && std::ranges::count(built_in, step.open) == 0)
      step.open = (file.parent_path() / step.open).string();
  return lesson;
}

void translate(Lesson& lesson, const Language& language, bool built_in) {
  change_words(lesson, [&](const std::string& english) {
    const std::string* said = language.of_lesson(lesson.name, english);
    return said && !said->empty() ? *said : said || built_in ? missing(english) : english;
  });
}

// As a window has it that is opened for the first time.
void forget_looks(View& view) {
  view.own = {};
  view.layer = {};
  view.pinned.reset();
  for (auto& [workspace, canvas] : view.canvases) canvas.step.reset();
}

}  // namespace

std::vector<std::string> lesson_names() {
  std::vector<std::string> names;
  for (const Asset& file : lesson_files())
    names.emplace_back(file.name.substr(0, file.name.size() - kLessonEnding.size()));
  return names;
}

Lesson read_lesson(const std::string& name_or_path, const Language* language) {
  const std::vector<std::string> names = lesson_names();
  const bool built_in = std::ranges::count(names, name_or_path) > 0;
  std::error_code ignored;
  if (!built_in && !std::filesystem::exists(name_or_path, ignored)) {
    const std::string nearest = nearest_word(name_or_path, names);
    throw Error(name_or_path + ": there is no such lesson" +
                (nearest.empty() ? "; attention-lab lessons lists them" : "; did you mean " + nearest + "?"));
  }
  try {
    Lesson lesson = built_in
                        ? parse_lesson(name_or_path, asset_text(lesson_files(), "assets/lessons",
                                                                name_or_path + std::string(kLessonEnding)))
                        : read_lesson_file(name_or_path);
    if (language) translate(lesson, *language, built_in);
    return lesson;
  } catch (const Error& error) {
    throw Error(name_or_path + ": " + error.what(), error.fault());
  }
}

bool is_lesson_file(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  if (path.ends_with(kLessonEnding)) return true;
  const auto begun = BegunFile::begin(path);
  if (!begun) return false;
  const std::string_view text(reinterpret_cast<const char*>(begun->bytes.data()), begun->bytes.size());
  const std::size_t end = text.find('\n');
  return text.starts_with("# ") && end != text.npos && text.substr(end + 1).starts_with("goal: ");
}

std::string_view look_words(const LessonStep& step) {
  std::string_view words = step.look;
  if (words.starts_with(kAfresh)) words.remove_prefix(kAfresh.size());
  return words;
}

void enter_step(const LessonStep& step, Document& document, View& view,
                std::span<const Workspace> workspaces) {
  const auto at_line = [&](const std::string& key, const Error& error) {
    return Error("line " + std::to_string(step.line) + ": " + key + ": " + error.what());
  };
  Document made = document;
  try {
    if (!step.open.empty()) made = read_document(step.open);
  } catch (const Error& error) {
    throw at_line("open", error);
  }
  const std::string_view words = look_words(step);
  if (words.size() < step.look.size()) forget_looks(view);
  try {
    // The workspace first: it says which stages there are to be set.
    if (!words.empty()) look(looks_at(words), made, view, workspaces);
  } catch (const Error& error) {
    throw at_line("look", error);
  }
  apply_sets(step.sets, made, view, {});
  try {
    if (!words.empty()) look(words, made, view, workspaces);
  } catch (const Error& error) {
    throw at_line("look", error);
  }
  document = std::move(made);
}

void apply_sets(std::span<const LessonSet> sets, Document& document, const View& view,
                const LiveNumbers& live) {
  Document made = document;
  for (const LessonSet& set : sets) apply(set, made, *view.workspace, live);
  document = std::move(made);
}

Document with_fault(const Document& document, const std::string& word) {
  const Mistake* mistake = find_mistake(word);
  if (mistake == nullptr) {
    std::vector<std::string> words;
    for (const Mistake& known : known_mistakes()) words.emplace_back(known.word);
    const std::string nearest = nearest_word(word, words);
    throw Error(word + " is no known mistake" + (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
  }
  const std::vector<MistakenLayer> forms = mistake->forms(document.layer(), {});
  if (forms.empty()) throw Error(word + ": the layer has " + std::string(mistake->needs));
  Document broken = document;
  broken.layer() = forms.front().layer;
  return broken;
}

}  // namespace attn
