// The language that the window speaks now.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/language/languages.h"
#include "app/language/speech.h"
#include "core/graph/graph.h"

namespace attn {

struct LessonTitle {
  std::string name, title, goal;
};

class LanguageInUse {
 public:
  // From now on this one, by its code or a PO file. True: it is another one. Throws Error where it cannot be
  // read; it is not asked for again then, and the one before stays.
  bool use(const std::string& code);
  // What a person named of the graph, tokens above all, stays as it is.
  void leave_names(const Graph& graph);
  // What is drawn next, in the current Dear ImGui context, is in it.
  void speak() { speech_.speak(); }
  const std::string& code() const { return code_; }
  // Those that there are.
  const std::vector<LanguageName>& languages();
  // Null: English.
  const Language* language() const { return language_.get(); }
  // Of the built-in lessons, in it.
  const std::vector<LessonTitle>& lesson_titles();

 private:
  std::string code_ = kEnglish;
  std::shared_ptr<const Language> language_;
  Speech speech_;
  std::vector<std::shared_ptr<const Labels>> labels_;  // that are left as they are
  std::vector<LanguageName> languages_;                // empty: not read yet, as
  std::vector<LessonTitle> titles_;
};

}  // namespace attn
