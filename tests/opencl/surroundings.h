// A folder of a test's own, and a stand-in for the program that tests devices: a shell script.
#pragma once

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/opencl/survey.h"

namespace attn::opencl {

// Script lines: a list of one device, a compiled kernel in PoCL's cache, and a report that all is well.
inline const std::string kList =
    "echo '{\"devices\": [{\"name\": \"Device\", \"platform\": \"P\", \"driver\": \"1\", \"gpu\": false}], "
    "\"problem\": \"\"}'\n";
inline const std::string kCompile =
    "mkdir -p \"$POCL_CACHE_DIR/A\"; echo kernel >\"$POCL_CACHE_DIR/A/k.so\"\n";
inline const std::string kPass =
    "echo '{\"passed\": true, \"verdict\": \"passed\", \"largest_error\": 1e-7, \"milliseconds\": 2}'\n";

// A limit of this process, and of its children, for a while.
class Limited {
 public:
  Limited(int resource, rlim_t most) : resource_(resource) {
    REQUIRE(getrlimit(resource, &before_) == 0);
    const rlimit less{.rlim_cur = most, .rlim_max = before_.rlim_max};
    REQUIRE(setrlimit(resource, &less) == 0);
  }
  ~Limited() { setrlimit(resource_, &before_); }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;

 private:
  int resource_;
  rlimit before_{};
};

class Place {
 public:
  Place() {
    std::string name = (std::filesystem::temp_directory_path() / "opencl-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    std::filesystem::create_directories(folder_ / "tmp");
    surroundings = {.cache_home = folder_ / "cache",
                    .temporary = folder_ / "tmp",
                    .probe = {},
                    .vendors = folder_ / "vendors",
                    .busy = [] { return false; }};
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

  // The probe lists one device of one driver; asked to test it, it notes the question and runs `test`.
  void set_probe(const std::string& test) { set_drivers({{"device", {.list = kList, .test = test}}}); }

  // What the probe does with a driver: shell lines.
  struct Acts {
    std::string list, test;
  };
  // Each has an .icd file of its name. The probe notes which of them it is asked to list, and which to test.
  void set_drivers(const std::map<std::string, Acts>& drivers) {
    const auto noting = [&](const char* file) {
      return "echo $driver >>'" + (folder_ / file).string() + "'; ";
    };
    std::string script = "#!/bin/sh\ndriver=$(cat \"$OCL_ICD_VENDORS\"/*.icd)\ncase \"$2 $driver\" in\n";
    std::filesystem::remove_all(surroundings.vendors);
    std::filesystem::create_directories(surroundings.vendors);
    for (const auto& [name, acts] : drivers) {
      write(surroundings.vendors + "/" + name + ".icd", name);
      script += "\"list " + name + "\") " + noting("listed") + acts.list + "\n;;\n";
      script += "*\" " + name + "\") " + noting("asked") + acts.test + "\n;;\n";
    }
    set_script(script + "*) exit 9;;\nesac\n");
  }

  void set_script(const std::string& text) {
    const std::filesystem::path script = folder_ / "probe.sh";
    write(script, text);
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    surroundings.probe = script.string();
  }

  // How often the probe was asked to list the devices of a driver.
  std::size_t listed(const std::string& driver) const {
    std::istringstream lines(read(folder_ / "listed"));
    return static_cast<std::size_t>(std::count(std::istream_iterator<std::string>(lines), {}, driver));
  }

  // How often the probe was asked to test a device.
  std::size_t asked() const {
    const std::string text = read(folder_ / "asked");
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  // One start of a program: its cache is closed again.
  Survey start(Survey ask(Cache&, const Surroundings&) = survey) const {
    std::vector<std::string> notes;
    Cache cache(surroundings, notes);
    Survey result = ask(cache, surroundings);
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

}  // namespace attn::opencl
