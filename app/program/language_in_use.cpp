// What depends on the language is read anew when it is another.
#include "app/program/language_in_use.h"

#include <algorithm>
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

void LanguageInUse::leave_names(const Graph& graph) {
  if (!language_) return;
  std::vector<std::shared_ptr<const Labels>> labels;
  for (const Stage& stage : graph.stages)
    for (const Axis* axis : {&stage.rows, &stage.columns})
      if (axis->labels && !axis->words && std::ranges::count(labels, axis->labels) == 0)
        labels.push_back(axis->labels);
  if (labels == labels_) return;
  labels_ = std::move(labels);
  TextSet names;
  for (const auto& axis : labels_) names.insert(axis->begin(), axis->end());
  speech_.leave(std::move(names));
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
