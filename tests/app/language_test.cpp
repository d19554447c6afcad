// The window in another language, and what is missing of one.
#include "app/language/languages.h"

#include <doctest/doctest.h>

#include <fstream>
#include "app/language/speech.h"
#include "app/program/lesson_state.h"
#include "app/widgets/glossary.h"
#include "core/system/error.h"
#include "tests/app/lesson_lab.h"
#include "tests/app/scratch_folder.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct LanguageLab : WorkspaceLab {
  explicit LanguageLab(std::string language, std::string_view workspace = "pipeline")
      : WorkspaceLab(workspace, {.document = read_document("three-tokens"),
                                 .settings = Settings{.language = std::move(language)}}) {}
  void speak(const std::string& language) {
    view().settings.language = language;
    settle();
    frames(3);
  }
};

}  // namespace

TEST_CASE("the program speaks English and German, and knows each by its own name") {
  const std::vector<LanguageName> all = languages();
  REQUIRE(all.size() >= 2);
  CHECK(all[0].code == "en");
  CHECK(all[0].name == "English");
  CHECK(std::ranges::count_if(all, [](const auto& l) { return l.code == "de" && l.name == "Deutsch"; }) == 1);
  for (const LanguageName& language : all) CHECK_NOTHROW(read_language(language.code));
  CHECK(read_language("en") == nullptr);
  CHECK_THROWS_WITH_AS(read_language("xx"), doctest::Contains("it speaks en"), Error);
}

TEST_CASE("the window speaks another language at once, and English again") {
  LanguageLab lab("de");
  for (const char* words : {"Datei", "Bearbeiten", "Köpfe", "Vergleich"})
    CHECK_MESSAGE(lab.shows(words), words);
  CHECK_FALSE(lab.shows("Heads"));
  lab.speak("en");
  CHECK(lab.shows("Heads"));
  CHECK_FALSE(lab.shows("Köpfe"));
  lab.run("language.de");
  CHECK(lab.view().settings.language == "de");
  CHECK(lab.shows("Köpfe"));
}

TEST_CASE("a locale says which language, where the program speaks it") {
  for (const char* german : {"de", "de_DE.UTF-8", "de_AT@euro", "de.UTF-8"})
    CHECK(language_of(german) == "de");
  for (const char* other : {"", "C", "C.UTF-8", "en_GB.UTF-8", "deu_DE", "fr"})
    CHECK(language_of(other) == "en");
}

TEST_CASE("tokens are called what a person calls them, though the window has the word too") {
  LanguageLab lab("de");
  Document named = lab.document();
  named.layer().tokens = {"Undo", "head", "row 1"};
  const Document before = lab.document();
  for (const Document& document : {named, before}) {
    lab.app().change(document);
    lab.settle();
    lab.frames(1);
    for (const char* token : {"Undo", "head", "row 1"})
      CHECK_MESSAGE(lab.find_text(token).has_value() == (document == named), token);
    CHECK(lab.shows("Gewichte"));
  }
}

TEST_CASE("what was looked up stays remembered while the names are the same") {
  PhraseBook book;
  Speech speech;
  speech.use(&book);
  speech.leave({"mask"});
  const std::size_t changes = speech.changes();
  speech.leave({"mask"});
  CHECK(speech.changes() == changes);
  speech.leave({});
  CHECK(speech.changes() > changes);
}

TEST_CASE("a word of the glossary is found and explained in German") {
  LanguageLab lab("de");
  const Glossary german = read_glossary();
  REQUIRE(german.size() > 10);
  const auto found = glossary_words(german, "kollabierte Zeilen, und die Entropie in Nats");
  REQUIRE(found.size() == 3);
  CHECK(found[0].entry->heading == "collapsed row, collapsed rows");
  CHECK(spoken(found[0].entry->says).find("Gewicht") != std::string::npos);
}

TEST_CASE("without a setting the window speaks what the environment asks for, with one that") {
  Application::Setup setup;
  setup.document = read_document("three-tokens");
  setup.usual_language = "de";
  Headless lab({.document = {}, .opened = std::move(setup)});
  CHECK(lab.shows("Köpfe"));
  lab.view().settings.language = "en";
  lab.frames(2);
  CHECK(lab.shows("Heads"));
  lab.view().language = "de";  // of this run
  lab.frames(2);
  CHECK(lab.shows("Köpfe"));
}

TEST_CASE("a language that there is not is told, and the one before stays") {
  LanguageLab lab("de");
  lab.speak("xx");
  CHECK(lab.view().message_is_error);
  CHECK(lab.view().message.find("xx is no language of the program") != std::string::npos);
  CHECK(lab.shows("Köpfe"));
}

TEST_CASE("what a table lacks is said in English, between ‹ and ›") {
  const ScratchFolder folder;
  std::ofstream(folder / "mine.po") << "msgid \"Heads\"\nmsgstr \"Têtes\"\n";
  LanguageLab lab(folder / "mine.po");
  CHECK(lab.shows("Têtes"));
  CHECK(lab.shows("‹Compare›"));
  CHECK(lab.shows("‹File›"));
  std::ofstream(folder / "bad.po") << "msgid \"Heads\"\n";
  lab.speak(folder / "bad.po");
  CHECK(lab.view().message.find("bad.po: line 1: msgid without msgstr below it") != std::string::npos);
}

TEST_CASE("a lesson is played in the window's language, and goes on in another from its step") {
  LanguageLab lab("de");
  lab.app().play_lesson("softmax", 1);
  lab.settle();
  lab.frames(3);
  const Lesson english = read_lesson("softmax"), german = read_lesson("softmax", read_language("de").get());
  REQUIRE(english.steps[1].title != german.steps[1].title);
  CHECK(lab.app().lesson().now().title == german.steps[1].title);
  CHECK(lab.shows(german.steps[1].title));
  lab.speak("en");
  REQUIRE(lab.app().plays_lesson());
  CHECK(lab.app().lesson().step == 1);
  CHECK(lab.shows(english.steps[1].title));
  lab.app().leave_lesson();
  lab.frames(2);
  CHECK(lab.document() == read_document("three-tokens"));
}

TEST_CASE(
    "a lesson of one's own is as its file has it, one of the course is marked where it is not translated") {
  const ScratchFolder folder;
  std::ofstream(folder / "rows.md") << kTestLesson;
  std::ofstream(folder / "mine.po") << "msgid \"A row\"\nmsgstr \"Eine Zeile\"\n";
  const auto mine = read_language(folder / "mine.po");
  const Lesson own = read_lesson(folder / "rows.md", mine.get());
  CHECK(own.steps[0].title == "Eine Zeile");
  CHECK(own.title == "A lesson of rows");
  CHECK(read_lesson("softmax", mine.get()).title == "‹" + read_lesson("softmax").title + "›");
}
