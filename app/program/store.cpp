// Small JSON files, each written whole. What is missing or damaged reads as nothing; what cannot be written
// is a note, since losing it costs a convenience and failing would cost the work.
#include "app/program/store.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/program/store_place.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

using nlohmann::json;

constexpr std::size_t kRecentFiles = 10;  // of each kind: files, and work that was set aside
constexpr const char *kSettings = "settings.json", *kRecent = "recent.json";
constexpr const char* kThemes[] = {"dark", "light", "high-contrast"};
constexpr const char* kColours[] = {"viridis", "cividis"};
constexpr const char* kRanges[] = {"one", "own", "shared"};

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

// By workspace and title; those that say no on or off are passed over.
void read_sections(const json& settings, OpenSections& sections) {
  const auto found = settings.is_object() ? settings.find("sections") : settings.end();
  if (found == settings.end()) return;
  read_field(*found, "all", sections.all);
  if (!found->is_object() || !found->contains("left") || !(*found)["left"].is_object()) return;
  for (const auto& [workspace, titles] : (*found)["left"].items())
    if (titles.is_object())
      for (const auto& [title, open] : titles.items())
        if (open.is_boolean()) sections.left[workspace][title] = open.get<bool>();
}

std::vector<std::string> read_recent_files(const std::string& folder) {
  const json recent = read_json(folder, kRecent);
  std::vector<std::string> files;
  if (!recent.is_array()) return files;
  for (const json& path : recent) {
    std::error_code ignored;
    if (path.is_string() && files.size() < 2 * kRecentFiles &&
        std::filesystem::exists(path.get<std::string>(), ignored))
      files.push_back(path.get<std::string>());
  }
  return files;
}

// Why it could not be written; empty when it was.
std::string write_private(const std::string& folder, const std::string& name, const std::string& text) {
  try {
    const std::string file = folder + "/" + name;
    make_private_folder(std::filesystem::path(file).parent_path().string());
    write_file(file, text, Readers::owner);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

float within(float value, float low, float high, float otherwise) {
  return std::isfinite(value) ? std::clamp(value, low, high) : otherwise;
}

}  // namespace

Store Store::from_environment() {
  Store store(folder_of("XDG_CONFIG_HOME", ".config"), folder_of("XDG_STATE_HOME", ".local/state"));
  if (store.state_.empty()) store.note_ = "there is no home folder (HOME is not set)";
  return store;
}

Store::Store() : place_(std::make_shared<Place>()) {}

Store::Store(std::string config_folder, std::string state_folder)
    : config_(std::move(config_folder)), state_(std::move(state_folder)), place_(std::make_shared<Place>()) {
  place_->recent().files = read_recent_files(state_);
}

// Of files, and of work that was set aside, the newest: neither takes the room of the other.
void Store::drop_oldest(std::vector<std::string>& recent) {
  std::size_t files = 0, aside = 0;
  std::erase_if(recent, [&](const std::string& path) {
    const bool was_aside = was_set_aside(path);
    if (++(was_aside ? aside : files) <= kRecentFiles) return false;
    std::error_code ignored;
    if (was_aside) std::filesystem::remove(path, ignored);
    return true;
  });
}

bool Store::write_state(const std::string& name, const std::string& text) {
  if (!state_.empty()) note_ = write_private(state_, name, text);
  return note_.empty();
}

Settings Store::load_settings() const {
  Settings s;
  const json j = read_json(config_, kSettings);
  read_choice(j, "theme", kThemes, s.theme);
  read_choice(j, "weight_colours", kColours, s.weight_colours);
  read_choice(j, "weight_range", kRanges, s.weight_range);
  read_field(j, "ui_scale", s.ui_scale);
  read_field(j, "reduce_motion", s.reduce_motion);
  read_field(j, "show_history", s.show_history);
  read_field(j, "show_controls", s.show_controls);
  read_field(j, "show_inspector", s.show_inspector);
  read_field(j, "controls_width", s.controls_width);
  read_field(j, "inspector_width", s.inspector_width);
  read_field(j, "device", s.device);
  read_field(j, "language", s.language);
  read_sections(j, s.sections);
  const Settings defaults;
  s.ui_scale = within(s.ui_scale, 0.5f, 3, 1);
  s.controls_width = within(s.controls_width, kLeastPanel, kMostPanel, defaults.controls_width);
  s.inspector_width = within(s.inspector_width, kLeastPanel, kMostPanel, defaults.inspector_width);
  return s;
}

void Store::save_settings(const Settings& s) {
  const json j{{"theme", kThemes[static_cast<int>(s.theme)]},
               {"weight_colours", kColours[static_cast<int>(s.weight_colours)]},
               {"weight_range", kRanges[static_cast<int>(s.weight_range)]},
               {"ui_scale", s.ui_scale},
               {"reduce_motion", s.reduce_motion},
               {"show_history", s.show_history},
               {"show_controls", s.show_controls},
               {"show_inspector", s.show_inspector},
               {"controls_width", s.controls_width},
               {"inspector_width", s.inspector_width},
               {"device", s.device},
               {"language", s.language},
               {"sections", {{"all", s.sections.all}, {"left", s.sections.left}}}};
  if (!config_.empty()) write_private(config_, kSettings, j.dump(2) + "\n");
}

bool Store::begin_first_start() {
  namespace fs = std::filesystem;
  std::error_code unknown;
  if (config_.empty() || state_.empty() || fs::exists(config_ + "/" + kSettings, unknown)) return false;
  if (fs::exists(state_, unknown) && !fs::is_empty(state_, unknown)) return false;
  save_lessons({});
  return note_.empty();
}

std::vector<std::string> Store::recent_files() const {
  return place_->recent().files;
}

// Another window may have added some since.
void Store::add_recent_file(const std::string& path) {
  const auto [lock, recent] = place_->recent();
  if (auto now = read_recent_files(state_); !now.empty()) recent = std::move(now);
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  drop_oldest(recent);
  write_state(kRecent, json(recent).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace attn
