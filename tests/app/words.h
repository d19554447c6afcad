// The command line as a function of words, and a folder for its files.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "tests/contains.h"
#include "tests/devices.h"

namespace attn::tests {

struct Outcome {
  int status;
  std::string out, err;
};

// In this process.
inline Outcome run_words(std::vector<std::string> words) {
  std::vector<const char*> argv{"attention-lab"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::ostringstream out, err;
  Console console(devices(), err, [&](std::string_view text) { out << text; });
  const int status = command_line(static_cast<int>(argv.size()), argv.data(), console);
  return {status, out.str(), err.str()};
}

// A new folder (with a space in its name), removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "attention lab XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  bool holds_only(std::vector<std::string> names) const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    std::sort(names.begin(), names.end());
    return found == names;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace attn::tests
