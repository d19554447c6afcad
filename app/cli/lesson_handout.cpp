// Handouts: the lesson's words, and its canvas as SVG.
#include "app/cli/lesson_handout.h"

#include <algorithm>

#include "app/cli/lesson_script.h"
#include "app/frame/drawn_parts.h"
#include "app/host/offscreen.h"
#include "app/program/lesson_state.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/text/base64.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="LANGUAGE">
<head>
<meta charset="utf-8">
<title>TITLE</title>
<style>
body { font: 11pt/1.45 sans-serif; max-width: 42em; margin: 2em auto; padding: 0 1em; }
h2 { margin-top: 2em; break-after: avoid; }
img { width: 100%; border: 1px solid #ccc; break-inside: avoid; }
.why { border-left: 3px solid #0072b2; padding-left: .8em; }
.exercise { border: 1px solid #ccc; padding: .2em 1em; margin: 1em 0; break-inside: avoid; }
.answer, .hint { color: #444; }
.room { height: 4em; }
</style>
</head>
<body>
)";

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : text)
    html += c == '&'   ? "&amp;"
            : c == '<' ? "&lt;"
            : c == '>' ? "&gt;"
            : c == '"' ? "&quot;"
                       : std::string(1, c);
  return html;
}

// The window over the steps' documents, drawn without a display.
class LessonPictures {
 public:
  explicit LessonPictures(const std::string& language)
      : screen_({.document = {},
                 .settings = settings(),
                 .size = {1440, 1100},
                 .backend = [](std::vector<std::string>&) { return make_reference_backend(); }}) {
    screen_.app().view().timeless = true;
    screen_.app().view().language = language;
  }

  // The canvas as SVG.
  std::string draw(const LessonStep& step, const Document& document) {
    Application& app = screen_.app();
    app.change(document);
    if (!step.look.empty()) app.look(step.look);
    screen_.lab().settle();
    const std::vector<DrawnPart>& panels = app.memos().of<DrawnParts>().panels;
    const auto canvas = std::ranges::find(panels, "canvas", &DrawnPart::name);
    if (canvas == panels.end()) throw Error("the window has no room for its canvas", Fault::output);
    return screen_.svg(canvas->area, IM_COL32_WHITE, "");
  }

 private:
  static Settings settings() {
    Settings settings;
    settings.theme = ThemeName::light;
    settings.reduce_motion = true;
    settings.show_controls = settings.show_inspector = false;
    return settings;
  }
  Offscreen screen_;
};

void write_line(std::string& html, const ScriptLine& line) {
  constexpr std::array kClasses{"said", "why", "attempt", "question", "choice", "row", "hint", "answer"};
  const std::string lead = line.lead.empty() ? "" : "<b>" + escaped(line.lead) + ".</b> ";
  html += std::string("<p class=\"") + kClasses[line.kind] + "\">" + lead + escaped(line.text) + "</p>\n";
}

void write_lines(std::string& html, const std::vector<ScriptLine>& lines, bool answers) {
  bool open = false;
  const auto close = [&] {
    if (open) html += std::string(answers ? "" : "<div class=\"room\"></div>\n") + "</div>\n";
    open = false;
  };
  for (const ScriptLine& line : lines) {
    if (line.kind == ScriptLine::question) {
      close();
      html += "<div class=\"exercise\">\n";
      open = true;
    }
    write_line(html, line);
  }
  close();
}

}  // namespace

std::string handout_of(const std::string& name, bool answers, const std::string& code) {
  const auto language = read_language(code);
  const Lesson lesson = read_lesson(name, language.get());
  std::string html = kHead;
  std::string tag = language ? language->code : kEnglish;
  std::ranges::replace(tag, '_', '-');  // pt_BR of gettext is pt-BR of HTML
  html.replace(html.find("LANGUAGE"), 8, escaped(tag));
  html.replace(html.find("TITLE"), 5, escaped(lesson.title));
  html += "<h1>" + escaped(lesson.title) + "</h1>\n<p>" + escaped(lesson.goal) + "</p>\n";
  LessonPictures pictures(code);
  LessonReplay replay(lesson, workspaces());
  for (std::size_t i = 1; replay.next(); ++i) {
    const LessonStep& step = replay.step();
    html += "<h2>" + std::to_string(i) + ". " + escaped(step.title) + "</h2>\n";
    const std::string svg = pictures.draw(step, replay.document());
    html += "<img alt=\"" + escaped(step.title) + "\" src=\"data:image/svg+xml;base64," +
            base64_of(std::as_bytes(std::span(svg))) + "\">\n";
    write_lines(html, script_of(replay, answers, language.get()), answers);
  }
  return html + "</body>\n</html>\n";
}

}  // namespace attn
