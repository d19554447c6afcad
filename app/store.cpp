// Small JSON files, each written whole. What is missing or damaged reads as nothing; what cannot be written
// is a note, since losing it costs a convenience and failing would cost the work.
#include "app/store.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/workspaces/workspaces.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/io/session.h"

namespace attn {
namespace {

using nlohmann::json;

constexpr std::size_t kRecentFiles = 10;
constexpr const char *kSettings = "settings.json", *kRecent = "recent.json", *kRecovery = "recovery.json";
constexpr const char* kUnsaved = "unsaved";  // the folder of what was set aside
constexpr const char* kThemes[] = {"dark", "light", "high-contrast"};
constexpr const char* kColours[] = {"viridis", "cividis"};

// $variable/attention-lab, or $HOME/below/attention-lab, or nothing.
std::string folder_of(const char* variable, const char* below) {
  const char *given = std::getenv(variable), *home = std::getenv("HOME");
  if (given && *given == '/') return std::string(given) + "/attention-lab";
  if (home && *home == '/') return std::string(home) + "/" + below + "/attention-lab";
  return {};
}

// Null when the file is missing or damaged: what is remembered is a convenience, never a reason to fail.
json read_json(const std::string& folder, const char* name) {
  if (folder.empty()) return {};
  try {
    const auto bytes = read_file(folder + "/" + name);
    const char* text = reinterpret_cast<const char*>(bytes.data());
    json value = json::parse(text, text + bytes.size(), nullptr, false);
    return value.is_discarded() ? json() : value;
  } catch (const Error&) {
    return {};
  }
}

template <class T>
void read_field(const json& object, const char* name, T& field) {
  if (!object.is_object() || !object.contains(name)) return;
  const json& value = object[name];
  if constexpr (std::is_same_v<T, bool>) {
    if (value.is_boolean()) field = value.get<bool>();
  } else if constexpr (std::is_same_v<T, float>) {
    if (value.is_number()) field = value.get<float>();
  } else {
    if (value.is_string()) field = value.get<std::string>();
  }
}

template <class Choice, std::size_t N>
void read_choice(const json& object, const char* name, const char* const (&words)[N], Choice& choice) {
  std::string word;
  read_field(object, name, word);
  for (std::size_t i = 0; i < N; ++i)
    if (word == words[i]) choice = static_cast<Choice>(i);
}

float within(float value, float low, float high, float otherwise) {
  return std::isfinite(value) ? std::clamp(value, low, high) : otherwise;
}

bool holds(const std::filesystem::path& file, const std::string& text) {
  try {
    const auto bytes = read_file(file.string());
    return std::ranges::equal(text, bytes, {}, {}, [](auto byte) { return static_cast<char>(byte); });
  } catch (const Error&) {
    return false;
  }
}

// "mine, unsaved 2024-02-29 13.45.10.json": of the moment it was set aside, in local time.
std::string name_of_set_aside(const std::string& path) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char when[32];
  std::strftime(when, sizeof when, "%Y-%m-%d %H.%M.%S", &local);
  std::string stem = path.empty() ? "untitled" : std::filesystem::path(path).stem().string();
  // The names of a file system end at 255 bytes; a UTF-8 character is not cut in two.
  constexpr std::size_t kLongest = 200;
  if (stem.size() > kLongest) {
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(stem[end]) & 0xc0) == 0x80) --end;
    stem.resize(end);
  }
  return stem + ", unsaved " + when;
}

}  // namespace

Store Store::from_environment() {
  Store store(folder_of("XDG_CONFIG_HOME", ".config"), folder_of("XDG_STATE_HOME", ".local/state"));
  if (store.state_.empty())
    store.note_ = "there is no home folder: settings and unsaved work will not be remembered";
  return store;
}

Store::Store(std::string config_folder, std::string state_folder)
    : config_(std::move(config_folder)), state_(std::move(state_folder)) {
  const json recent = read_json(state_, kRecent);
  if (!recent.is_array()) return;
  for (const json& path : recent) {
    std::error_code ignored;
    if (path.is_string() && recent_.size() < kRecentFiles &&
        std::filesystem::exists(path.get<std::string>(), ignored))
      recent_.push_back(path.get<std::string>());
  }
}

void Store::write(const std::string& folder, const char* name, const std::string& text) {
  if (folder.empty()) return;
  try {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw Error(folder + ": " + failed.message(), Fault::output);
    write_file(folder + "/" + name, text);
    note_.clear();
  } catch (const Error& error) {
    note_ = std::string("settings and unsaved work are not remembered: ") + error.what();
  }
}

Settings Store::load_settings() const {
  Settings s;
  const json j = read_json(config_, kSettings);
  read_choice(j, "theme", kThemes, s.theme);
  read_choice(j, "weight_colours", kColours, s.weight_colours);
  read_field(j, "ui_scale", s.ui_scale);
  read_field(j, "reduce_motion", s.reduce_motion);
  read_field(j, "show_history", s.show_history);
  read_field(j, "controls_width", s.controls_width);
  read_field(j, "inspector_width", s.inspector_width);
  read_field(j, "device", s.device);
  const Settings defaults;
  s.ui_scale = within(s.ui_scale, 0.5f, 3, 1);
  s.controls_width = within(s.controls_width, 180, 600, defaults.controls_width);
  s.inspector_width = within(s.inspector_width, 180, 600, defaults.inspector_width);
  return s;
}

void Store::save_settings(const Settings& s) {
  const json j{{"theme", kThemes[static_cast<int>(s.theme)]},
               {"weight_colours", kColours[static_cast<int>(s.weight_colours)]},
               {"ui_scale", s.ui_scale},
               {"reduce_motion", s.reduce_motion},
               {"show_history", s.show_history},
               {"controls_width", s.controls_width},
               {"inspector_width", s.inspector_width},
               {"device", s.device}};
  write(config_, kSettings, j.dump(2) + "\n");
}

void Store::add_recent_file(const std::string& path) {
  std::erase(recent_, path);
  recent_.insert(recent_.begin(), path);
  for (; recent_.size() > kRecentFiles; recent_.pop_back()) {
    std::error_code ignored;
    if (was_set_aside(recent_.back())) std::filesystem::remove(recent_.back(), ignored);
  }
  write(state_, kRecent, json(recent_).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

bool Store::set_aside(const Recovery& work) {
  if (!work.changed || state_.empty()) return false;
  const std::string text = write_session(work.document);
  const auto kept = std::ranges::find_if(
      recent_, [&](const std::string& file) { return was_set_aside(file) && holds(file, text); });
  if (kept != recent_.end()) {
    add_recent_file(std::string(*kept));
    return true;
  }

  const std::filesystem::path folder = std::filesystem::path(state_) / kUnsaved;
  const std::string name = name_of_set_aside(work.path);
  std::string file = name + ".json";
  std::error_code unknown;
  for (int i = 2; std::filesystem::exists(folder / file, unknown); ++i)
    file = name + " " + std::to_string(i) + ".json";
  write(folder.string(), file.c_str(), text);
  if (!note_.empty()) return false;
  add_recent_file((folder / file).string());
  return true;
}

bool Store::was_set_aside(const std::string& path) const {
  return !state_.empty() &&
         std::filesystem::path(path).parent_path() == std::filesystem::path(state_) / kUnsaved;
}

// The session is kept as text inside, so that its own reader, with its own limits, reads it.
std::optional<Recovery> Store::load_recovery() const {
  const json j = read_json(state_, kRecovery);
  std::string session;
  Recovery recovery;
  read_field(j, "session", session);
  read_field(j, "path", recovery.path);
  read_field(j, "changed", recovery.changed);
  if (session.empty()) return std::nullopt;
  try {
    recovery.document = parse_session(session);
    check_document(recovery.document);
  } catch (const Error&) {
    return std::nullopt;
  }
  return recovery;
}

void Store::save_recovery(const Recovery& recovery) {
  const json j{
      {"session", write_session(recovery.document)}, {"path", recovery.path}, {"changed", recovery.changed}};
  write(state_, kRecovery, j.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace attn
