// The German window: every text, every workspace, nothing in English and nothing over each other.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "app/language/languages.h"
#include "core/language/po_file.h"
#include "core/system/assets.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// What the tables of the window hold, of every language.
template <class With>
void each_entry(const With& with) {
  for (const Asset& file : language_files())
    if (file.name.find("/lessons/") == file.name.npos)
      for (const PoEntry& entry :
           parse_po(asset_text(language_files(), "assets/languages", file.name)).entries)
        with(std::string(file.name), entry);
}

// Runs of at least two small letters.
template <class With>
void each_word(std::string_view text, const With& with) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (std::isalpha(static_cast<unsigned char>(text[end])) || text[end] & 0x80))
      ++end;
    const std::string_view word = text.substr(at, end - at);
    if (word.size() >= 2 && std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; }))
      with(std::string(word));
    at = std::max(end, at + 1);
  }
}

// Words that are English alone: they stand in texts of the tables, and in no translation.
std::set<std::string> english_words() {
  std::set<std::string> english, others;
  each_entry([&](const std::string&, const PoEntry& entry) {
    each_word(entry.english, [&](const std::string& word) { english.insert(word); });
    each_word(entry.translation, [&](const std::string& word) { others.insert(word); });
  });
  std::erase_if(english, [&](const std::string& word) { return others.contains(word); });
  REQUIRE(english.size() > 500);  // else there are no tables
  return english;
}

// What a person named, and ids in formulas.
std::set<std::string> words_of_data(const Graph& graph) {
  std::set<std::string> data;
  const auto add = [&](const std::string& word) { data.insert(word); };
  for (const Stage& stage : graph.stages) {
    each_word(stage.id, add);
    for (const Axis* axis : {&stage.rows, &stage.columns})
      if (axis->labels && !axis->words)
        for (const std::string& label : *axis->labels) each_word(label, add);
  }
  return data;
}

struct GermanLab : WorkspaceLab {
  explicit GermanLab(std::string_view workspace, const char* example = "three-tokens")
      : WorkspaceLab(workspace, {.document = read_document(example),
                                 .settings = Settings{.language = "de", .sections = {.all = true}}}) {}
};

}  // namespace

TEST_CASE("of the German window nothing is missing, and nothing that it says is another text's English") {
  const auto german = read_language("de");
  each_entry([&](const std::string& file, const PoEntry& entry) {
    CAPTURE(file);
    CAPTURE(entry.line);
    CAPTURE(entry.english);
    CHECK_FALSE(entry.translation.empty());
    const std::string* again = german->window.find(entry.translation);
    CHECK((!again || *again == entry.translation));
  });
}

TEST_CASE("in German no workspace says English words, whatever step it is at" *
          doctest::test_suite("unsanitized")) {
  const std::set<std::string> english = english_words();
  std::map<std::string, std::string> left;  // the word, and where it stands
  for (const char* example : {"three-tokens", "eight-heads", "dates"})
    for (const Workspace& workspace : workspaces()) {
      GermanLab lab(workspace.name, example);
      lab.resize({2400, 1600});
      const std::size_t steps = lab.app().steps().size();
      for (std::size_t step = 0; step <= steps; ++step) {
        lab.settle();
        lab.frames(2);
        const std::set<std::string> data = words_of_data(lab.app().engine_state().results->graph);
        for (const DrawnText& text : lab.texts()) {
          const std::string where = std::string(workspace.name) + ": " + text.text;
          if (text.text.find("”") != text.text.npos) left.emplace("English quotes", where);
          each_word(text.text, [&](const std::string& word) {
            if (english.contains(word) && !data.contains(word)) left.emplace(word, where);
          });
        }
        lab.key(GLFW_KEY_RIGHT);
      }
    }
  for (const auto& [word, where] : left) FAIL_CHECK(word << " in " << where);
}

TEST_CASE("every command of the German window is called in German" * doctest::test_suite("unsanitized")) {
  const std::set<std::string> english = english_words();
  const auto german = read_language("de");
  std::map<std::string, std::string> left;
  for (const Workspace& workspace : workspaces()) {
    GermanLab lab(workspace.name);
    const std::set<std::string> data = words_of_data(lab.app().engine_state().results->graph);
    for (const Command& command : make_commands(lab.app())) {
      if (command.name.starts_with("example.") || command.name.starts_with("manual.") ||
          command.name.starts_with("lesson.play."))
        continue;  // names of files, of pages and of lessons, which have tables of their own
      std::vector<std::string> texts = split(command.menu, '/');
      texts.insert(texts.end(), {command.title, command.says});
      for (const std::string& text : texts)
        each_word(german->window.translated(text), [&](const std::string& word) {
          if (english.contains(word) && !data.contains(word)) left.emplace(word, command.name + ": " + text);
        });
    }
  }
  for (const auto& [word, where] : left) FAIL_CHECK(word << " in " << where);
}

TEST_CASE("in German no words of a window lie over each other" * doctest::test_suite("unsanitized")) {
  for (const Workspace& workspace : workspaces()) {
    GermanLab lab(workspace.name);
    const std::vector<DrawnText> texts = lab.texts();
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Rect &a = texts[i].box, &b = texts[j].box;
        const float across = std::min(a.max.x, b.max.x) - std::max(a.min.x, b.min.x);
        const float down = std::min(a.max.y, b.max.y) - std::max(a.min.y, b.min.y);
        CHECK_MESSAGE(!(across > 2 && down > 4),
                      workspace.name << ": “" << texts[i].text << "” and “" << texts[j].text << "”");
      }
  }
}
