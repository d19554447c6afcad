// What depends on the language is read anew when it is another.
#include "app/program/language_in_use.h"

#include <utility>

#include "app/program/lesson_state.h"
#include "core/system/error.h"

namespace attn {

bool LanguageInUse::use(const std::string& code) {
  if (std::exchange(code_, code) == code) return false;
  language_ = read_language(code);
  speech_.use(language_ ? &language_->window : nullptr);
  titles_.clear();
  return true;
}

const std::vector<LanguageName>& LanguageInUse::languages() {
  if (languages_.empty()) languages_ = attn::languages();
  return languages_;
}

const std::vector<LessonTitle>& LanguageInUse::lesson_titles() {
  if (!titles_.empty()) return titles_;
  for (const std::string& name : lesson_names()) try {
      const Lesson lesson = read_lesson(name, language());
      titles_.push_back({name, lesson.title, lesson.goal});
    } catch (const Error& error) {
      titles_.push_back({name, name, error.what()});
    }
  return titles_;
}

}  // namespace attn
