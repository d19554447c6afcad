// The folder that xdg-user-dirs names for pictures, and names there that nobody has.
#include "app/program/free_path.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace attn {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// The line XDG_PICTURES_DIR="$HOME/Pictures" of the user's folders; empty when there is none.
std::string folder_of_user_dirs(const std::string& home) {
  std::string config = environment("XDG_CONFIG_HOME");
  if (config.empty()) config = home + "/.config";
  std::ifstream file(config + "/user-dirs.dirs");
  const std::string key = "XDG_PICTURES_DIR=\"", home_word = "$HOME";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    std::string folder = line.substr(key.size(), line.find('"', key.size()) - key.size());
    if (folder.starts_with(home_word)) folder.replace(0, home_word.size(), home);
    return folder;
  }
  return {};
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && std::filesystem::is_directory(path, ignored);
}

}  // namespace

std::string pictures_folder() {
  std::string folder = environment("XDG_PICTURES_DIR");
  if (folder.empty()) folder = folder_of_user_dirs(environment("HOME"));
  if (is_folder(folder)) return folder;
  std::error_code ignored;
  return std::filesystem::current_path(ignored).string();
}

std::string free_picture_path(const std::string& folder, const std::string& ending) {
  std::error_code ignored;
  for (int number = 1;; ++number) {
    std::string digits = std::to_string(number);
    if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
    const std::string path = (std::filesystem::path(folder) / ("attention-lab-" + digits + ending)).string();
    // Of the link itself: one that leads nowhere takes its name all the same.
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return path;
  }
}

}  // namespace attn
