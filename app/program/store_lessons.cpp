// What is kept of lessons: a small file of its own in the state folder.
#include <filesystem>
#include <map>
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

// What is no such list is none.
std::vector<std::size_t> counts_in(const json& object, const char* key) {
  std::vector<std::size_t> counts;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return counts;
  for (const json& count : *found)
    if (count.is_number_unsigned()) counts.push_back(count.get<std::size_t>());
  return counts;
}

LessonReply read_reply(const json& kept) {
  LessonReply reply{.choice = count_in(kept, "choice"),
                    .thrown = count_in(kept, "fault"),
                    .suspected = counts_in(kept, "suspected")};
  if (kept.contains("guess") && kept["guess"].is_number()) reply.guess = kept["guess"].get<double>();
  for (const json& point : kept.value("curve", json::array()))
    if (point.is_number()) reply.curve.push_back(point.get<double>());
  const std::vector<std::size_t> cell = counts_in(kept, "cell");
  if (cell.size() == 3 && kept.contains("stage") && kept["stage"].is_string())
    reply.cell = Spot{kept["stage"].get<std::string>(), {cell[0], cell[1], cell[2]}};
  reply.shown = kept.contains("shown") && kept["shown"].is_boolean() && kept["shown"].get<bool>();
  return reply;
}

LessonProgress read_progress(const json& kept) {
  LessonProgress progress;
  if (!kept.is_object()) return progress;
  progress.step = count_in(kept, "step").value_or(0);
  for (const json& step : kept.value("seen", json::array()))
    if (step.is_number_unsigned()) progress.seen.insert(step.get<std::size_t>());
  for (const json& answer : kept.value("answers", json::array())) {
    const auto step = count_in(answer, "step"), exercise = count_in(answer, "exercise");
    if (!step || !exercise) continue;
    if (answer.contains("right") && answer["right"].is_boolean())
      progress.answered[{*step, *exercise}] = answer["right"].get<bool>();
    if (const LessonReply reply = read_reply(answer); reply != LessonReply())
      progress.replies[{*step, *exercise}] = reply;
  }
  return progress;
}

void write_reply(const LessonReply& reply, json& kept) {
  if (reply.choice) kept["choice"] = *reply.choice;
  if (reply.guess) kept["guess"] = *reply.guess;
  if (!reply.curve.empty()) kept["curve"] = reply.curve;
  if (reply.thrown) kept["fault"] = *reply.thrown;
  if (!reply.suspected.empty()) kept["suspected"] = reply.suspected;
  if (reply.cell) {
    const Cell& cell = reply.cell->cell;
    kept["stage"] = reply.cell->stage;
    kept["cell"] = {cell.head, cell.row, cell.column};
  }
  if (reply.shown) kept["shown"] = true;
}

json written(const LessonProgress& progress) {
  std::map<ExercisePlace, json> by_place;
  for (const auto& [place, right] : progress.answered) by_place[place]["right"] = right;
  for (const auto& [place, reply] : progress.replies) write_reply(reply, by_place[place]);
  json answers = json::array();
  for (auto& [place, answer] : by_place) {
    answer["step"] = place.first, answer["exercise"] = place.second;
    answers.push_back(std::move(answer));
  }
  return {{"step", progress.step}, {"seen", progress.seen}, {"answers", answers}};
}

// Null where nothing was kept; discarded where it is damaged.
json kept_lessons(const std::string& folder) {
  try {
    const auto bytes = read_file(folder + "/" + kLessons);
    const char* text = reinterpret_cast<const char*>(bytes.data());
    json kept = json::parse(text, text + bytes.size(), nullptr, false);
    return kept.is_object() ? kept : json(json::value_t::discarded);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

LessonRecord Store::load_lessons() const {
  LessonRecord record;
  const json kept = state_.empty() ? json() : kept_lessons(state_);
  if (!kept.is_object()) return record;
  try {
    if (kept.contains("last") && kept["last"].is_string()) record.last = kept["last"].get<std::string>();
    const json lessons = kept.value("lessons", json::object());
    for (const auto& [name, progress] : lessons.items()) record.lessons[name] = read_progress(progress);
  } catch (const json::exception&) {  // of another form
  }
  return record;
}

// One that is damaged is kept beside.
void Store::save_lessons(const LessonRecord& record) {
  if (!state_.empty() && kept_lessons(state_).is_discarded()) {
    const std::filesystem::path folder(state_), aside = folder / free_file_aside("damaged lessons");
    std::error_code failed;
    std::filesystem::create_directory(aside.parent_path(), failed);
    std::filesystem::rename(folder / kLessons, aside, failed);
  }
  json lessons = json::object();
  for (const auto& [name, progress] : record.lessons) lessons[name] = written(progress);
  write_state(kLessons, json{{"last", record.last}, {"lessons", lessons}}.dump(
                            2, ' ', false, json::error_handler_t::replace) +
                            "\n");
}

}  // namespace attn
