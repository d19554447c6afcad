// The window's language: what the settings, this run or the environment ask for.
#include <algorithm>

#include "app/program/application.h"
#include "app/program/lesson_state.h"
#include "core/system/error.h"

namespace attn {

// A lesson that is played begins its step again, in the other language.
void Application::follow_language() {
  const std::string& chosen = view_.settings.language;
  try {
    if (language_.use(view_.language.value_or(chosen.empty() ? usual_language_ : chosen))) {
      const std::string played = lesson_ ? lesson().lesson->name : "";
      const std::size_t step = lesson().step;
      leave_lesson();  // what was looked at before comes back, in views of its own
      const std::vector<std::string> built_in = lesson_names();
      for (auto& one : lesson().course)
        if (std::ranges::count(built_in, one->name) > 0)
          one = std::make_shared<const Lesson>(read_lesson(one->name, language_.language()));
      if (!played.empty()) play_lesson(played, step);
    }
  } catch (const Error& error) {
    say(error.what(), true);
  }
  language_.speak();
}

}  // namespace attn
