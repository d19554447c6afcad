// Fonts that are missing, damaged or poor in marks.
#include "app/host/fonts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/host/context.h"
#include "app/host/headless.h"
#include "app/host/stand_ins.h"
#include "app/program/commands.h"
#include "app/program/input.h"
#include "app/program/lesson_state.h"
#include "app/theme/toolkit.h"
#include "core/system/assets.h"
#include "core/text/text.h"
#include "tests/app/scratch_folder.h"
#include "tests/places.h"

using namespace attn;
using namespace attn::tests;
namespace fs = std::filesystem;

namespace {

std::string dejavu() {
  std::string note;
  const std::string file = find_font_files(note).regular;
  REQUIRE_MESSAGE(file.ends_with("DejaVuSans.ttf"), file);  // installed with the program
  return file;
}

std::string bold_dejavu() {
  std::string note;
  return find_font_files(note).bold;
}

void add_marks(std::string_view text, std::set<unsigned>& marks) {
  for (CodePoint c{}; !text.empty(); text.remove_prefix(c.bytes))
    if ((c = first_code_point(text)).value >= 0x80) marks.insert(c.value);
}

// The characters beyond ASCII in the words that the program shows: in the strings of its sources, in the
// manual and in lessons.
std::set<unsigned> shown_marks() {
  std::set<unsigned> marks;
  for (const auto& files : {manual_files(), lesson_files(), language_files()})
    for (const Asset& page : files) add_marks(page.bytes, marks);
  for (const char* folder : {"/app", "/core"})
    for (const auto& entry : fs::recursive_directory_iterator(std::string(kSourceDir) + folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);)
        add_marks(line.substr(0, line.find("//")), marks);  // comments are read elsewhere
    }
  return marks;
}

// Those of the words about steps and of lessons, which have fonts of their own.
std::set<unsigned> step_marks() {
  std::ifstream file(std::string(kSourceDir) + "/assets/words/steps.md");
  std::set<unsigned> marks;
  for (const auto& files : {lesson_files(), language_files()})
    for (const Asset& text : files)
      if (text.name.find('/') == text.name.npos || text.name.find("/lessons/") != text.name.npos ||
          text.name.ends_with("words.po"))
        add_marks(text.bytes, marks);
  for (std::string line; std::getline(file, line);) add_marks(line, marks);
  return marks;
}

float width(const ImFont& font, const std::string& text) {
  return font.CalcTextSizeA(font_size(&font), 1e6f, 0, text.c_str()).x;
}

// How much ink a glyph has.
int ink(const ImFontAtlas& atlas, const ImFontGlyph& glyph) {
  const auto texel = [](float at, int size) {
    return static_cast<int>(std::lround(at * static_cast<float>(size)));
  };
  int sum = 0;
  for (int y = texel(glyph.V0, atlas.TexHeight); y < texel(glyph.V1, atlas.TexHeight); ++y)
    for (int x = texel(glyph.U0, atlas.TexWidth); x < texel(glyph.U1, atlas.TexWidth); ++x)
      sum += atlas.TexPixelsAlpha8[y * atlas.TexWidth + x];
  return sum;
}

}  // namespace

TEST_CASE("a font that is missing or damaged or no font is not used") {
  const ScratchFolder folder;
  const std::string whole = dejavu(), damaged = folder / "damaged.ttf", words = folder / "words.ttf";
  fs::copy_file(whole, damaged);
  fs::resize_file(damaged, fs::file_size(damaged) / 2);
  std::ofstream(words) << "not a font";
  CHECK(is_usable_font(whole));
  CHECK_FALSE(is_usable_font(damaged));
  CHECK_FALSE(is_usable_font(words));
  CHECK_FALSE(is_usable_font(folder / ""));
  CHECK_FALSE(is_usable_font(folder / "nowhere.ttf"));
  CHECK_FALSE(is_usable_font(""));
}

TEST_CASE("where a font went after it was found the built-in one is drawn with") {
  const ImguiContext context;
  const ScratchFolder folder;
  const Fonts fonts = load_fonts({.regular = folder / "gone.ttf", .bold = folder / "gone too.ttf"}, 1);
  for (const ImFont* font : {fonts.body, fonts.bold, fonts.small, fonts.large}) {
    REQUIRE(font != nullptr);
    CHECK(width(*font, "0.5") > 0);
  }
}

TEST_CASE("of several places the first that can be drawn from is taken") {
  const ScratchFolder folder;
  const std::string words = folder / "words.ttf", whole = dejavu();
  std::ofstream(words) << "not a font";
  CHECK(first_usable_font({folder / "nowhere.ttf", words, whole, "/usr/share/fonts"}) == whole);
  CHECK(first_usable_font({words}).empty());
}

TEST_CASE("the built-in font has words for every mark that the program shows") {
  const ImguiContext context;
  const Fonts fonts = load_fonts(FontFiles(), 1);
  for (const ImFont* font : {fonts.body, fonts.bold, fonts.small})
    for (const unsigned mark : shown_marks()) {
      INFO(std::hex, mark);
      CHECK(font->FindGlyphNoFallback(static_cast<ImWchar>(mark)) != nullptr);
    }
}

TEST_CASE("the font of sentences about steps and in lessons has every mark of theirs") {
  const ImguiContext context;
  for (const FontFiles& files : {FontFiles{.regular = dejavu(), .bold = bold_dejavu()}, FontFiles()}) {
    const Fonts fonts = load_fonts(files, 1);
    REQUIRE_FALSE(step_marks().empty());
    for (const unsigned mark : step_marks()) {
      INFO(std::hex, mark);
      CHECK(fonts.lead->FindGlyphNoFallback(static_cast<ImWchar>(mark)) != nullptr);
    }
  }
}

TEST_CASE("the font of titles has every mark of the lessons’ titles") {
  const ImguiContext context;
  const Fonts fonts = load_fonts({.regular = dejavu(), .bold = bold_dejavu()}, 1);
  std::set<unsigned> marks;
  for (const std::string& name : lesson_names()) {
    const Lesson lesson = read_lesson(name);
    add_marks(lesson.title, marks);
    for (const LessonStep& step : lesson.steps) add_marks(step.title, marks);
  }
  REQUIRE_FALSE(marks.empty());
  for (const unsigned mark : marks) {
    INFO(std::hex, mark);
    CHECK(glyph_of(fonts.title, static_cast<ImWchar>(mark)) != nullptr);
  }
}

TEST_CASE("the fonts of the program have every mark that it shows") {
  const ImguiContext context;
  const Fonts fonts = load_fonts({.regular = dejavu(), .bold = bold_dejavu()}, 1);
  for (const ImFont* font : {fonts.body, fonts.bold, fonts.small})
    for (const unsigned mark : shown_marks()) {
      INFO(std::hex, mark);
      CHECK(glyph_of(font, static_cast<ImWchar>(mark)) != nullptr);
    }
}

TEST_CASE("every title and key of every command can be written") {
  Headless lab({.document = read_document(kStartExample)});
  for (const Workspace& workspace : workspaces()) {
    lab.app().show(workspace);
    lab.settle();
    const ImFont* font = lab.theme().fonts.body;
    const auto check = [&](std::string_view text) {
      INFO(workspace.name, ": ", text);
      for (CodePoint c{}; !text.empty(); text.remove_prefix(c.bytes)) {
        c = first_code_point(text);
        CHECK(is_printable(c));
        CHECK(glyph_of(font, static_cast<ImWchar>(c.value)) != nullptr);
      }
    };
    for (const Command& command : make_commands(lab.app())) {
      check(command.menu + command.title + to_string(command.shortcut));
      for (const Shortcut& other : command.other_keys) check(to_string(other));
    }
  }
}

TEST_CASE("a mark that the font lacks is as wide as the words for it and has their ink") {
  const ImguiContext context;
  for (const float scale : {1.0f, 2.0f}) {
    const Fonts fonts = load_fonts(FontFiles(), scale);
    const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    CHECK(width(*fonts.body, "√") == doctest::Approx(width(*fonts.body, "sqrt")).epsilon(0.1));
    CHECK(width(*fonts.body, "✓") == doctest::Approx(width(*fonts.body, "ok")).epsilon(0.1));
    int letters = 0;
    for (const char c : std::string("sqrt"))
      letters += ink(atlas, *fonts.body->FindGlyph(static_cast<ImWchar>(c)));
    CHECK(ink(atlas, *fonts.body->FindGlyph(0x221a)) == letters);
  }
}

TEST_CASE("what nobody has words for is a box and no question mark") {
  const ImguiContext context;
  const Fonts fonts = load_fonts(FontFiles(), 1);
  for (const ImFont* font : {fonts.body, fonts.bold, fonts.small, fonts.large}) {
    const ImFontGlyph& unknown = *font->FindGlyph(0x4e2d);
    CHECK(unknown.Codepoint == 0xfffd);
    CHECK(ink(*ImGui::GetIO().Fonts, unknown) > 0);
  }
}

TEST_CASE("a font that has all marks is left as it is") {
  const ImguiContext context;
  const Fonts fonts = load_fonts({.regular = dejavu(), .bold = dejavu()}, 1);
  CHECK(width(*fonts.body, "√") < width(*fonts.body, "sqrt") / 2);
  CHECK(width(*fonts.body, "✓") < width(*fonts.body, "ok"));
}
