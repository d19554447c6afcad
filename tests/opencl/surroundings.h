// A folder of a test's own, and a stand-in for the program that tests devices: a shell script.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/opencl/survey.h"

namespace attn::opencl {

class Place {
 public:
  Place() {
    std::string name = (std::filesystem::temp_directory_path() / "opencl-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    std::filesystem::create_directories(folder_ / "tmp");
    surroundings = {.cache_home = folder_ / "cache", .temporary = folder_ / "tmp", .probe = {}};
  }
  ~Place() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path kernels() const { return folder_ / "cache/attention-lab/pocl"; }
  std::filesystem::path ledger() const { return folder_ / "cache/attention-lab/devices.json"; }

  // The probe lists one device; asked to test it, it notes the question and runs `test`.
  void set_probe(const std::string& test) {
    const std::filesystem::path script = folder_ / "probe.sh";
    write(
        script,
        "#!/bin/sh\nif [ \"$2\" = list ]; then\n  echo '{\"devices\": [{\"name\": \"Device\", \"platform\": "
        "\"P\", \"driver\": \"1\", \"gpu\": false}], \"problem\": \"\"}'\n  exit\nfi\necho asked >>'" +
            (folder_ / "asked").string() + "'\n" + test + "\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    surroundings.probe = script.string();
  }

  // How often the probe was asked to test a device.
  std::size_t asked() const {
    const std::string text = read(folder_ / "asked");
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  // One start of a program: its cache is closed again.
  Survey start() const {
    std::vector<std::string> notes;
    Cache cache(surroundings, notes);
    Survey result = survey(cache, surroundings);
    result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
    return result;
  }

  static void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }
  static std::string read(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }

  Surroundings surroundings;

 private:
  std::filesystem::path folder_;
};

inline bool has_note(const Survey& survey, const std::string& words) {
  return std::any_of(survey.notes.begin(), survey.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

// Script lines: a compiled kernel in PoCL's cache, and a report that all is well.
inline const std::string kCompile =
    "mkdir -p \"$POCL_CACHE_DIR/A\"; echo kernel >\"$POCL_CACHE_DIR/A/k.so\"\n";
inline const std::string kPass =
    "echo '{\"passed\": true, \"verdict\": \"passed\", \"largest_error\": 1e-7, \"milliseconds\": 2}'\n";

}  // namespace attn::opencl
