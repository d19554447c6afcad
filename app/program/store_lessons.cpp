// What is kept of lessons: a small file of its own in the state folder.
#include <nlohmann/json.hpp>

#include "app/program/store.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

using nlohmann::json;

constexpr const char* kLessons = "lessons.json";

// What is no such number is passed over.
std::optional<std::size_t> count_in(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<std::size_t>();
}

LessonProgress read_progress(const json& kept) {
  LessonProgress progress;
  if (!kept.is_object()) return progress;
  progress.step = count_in(kept, "step").value_or(0);
  for (const json& step : kept.value("seen", json::array()))
    if (step.is_number_unsigned()) progress.seen.insert(step.get<std::size_t>());
  for (const json& answer : kept.value("answers", json::array())) {
    const auto step = count_in(answer, "step"), exercise = count_in(answer, "exercise");
    if (step && exercise && answer.contains("right") && answer["right"].is_boolean())
      progress.answered[{*step, *exercise}] = answer["right"].get<bool>();
  }
  return progress;
}

json written(const LessonProgress& progress) {
  json answers = json::array();
  for (const auto& [place, right] : progress.answered)
    answers.push_back({{"step", place.first}, {"exercise", place.second}, {"right", right}});
  return {{"step", progress.step}, {"seen", progress.seen}, {"answers", answers}};
}

}  // namespace

LessonRecord Store::load_lessons() const {
  LessonRecord record;
  if (state_.empty()) return record;
  try {
    const auto bytes = read_file(state_ + "/" + kLessons);
    const char* text = reinterpret_cast<const char*>(bytes.data());
    const json kept = json::parse(text, text + bytes.size(), nullptr, false);
    if (!kept.is_object()) return record;
    if (kept.contains("last") && kept["last"].is_string()) record.last = kept["last"].get<std::string>();
    const json lessons = kept.value("lessons", json::object());
    for (const auto& [name, progress] : lessons.items()) record.lessons[name] = read_progress(progress);
  } catch (const Error&) {            // nothing was kept
  } catch (const json::exception&) {  // of another form
  }
  return record;
}

void Store::save_lessons(const LessonRecord& record) {
  json lessons = json::object();
  for (const auto& [name, progress] : record.lessons) lessons[name] = written(progress);
  write_state(kLessons, json{{"last", record.last}, {"lessons", lessons}}.dump(
                            2, ' ', false, json::error_handler_t::replace) +
                            "\n");
}

}  // namespace attn
