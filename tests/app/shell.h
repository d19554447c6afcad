// The program started from a shell, as a user would.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "core/system/file.h"
#include "tests/app/words.h"
#include "tests/places.h"

namespace attn::tests {

inline std::string text_of(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A shell command in which $lab is the program, $built the folder it is in and $folder a new folder.
inline Outcome run_shell(const std::string& command, const TemporaryFolder& folder) {
  const std::string script = "built='" + std::string(kBinaryDir) +
                             "'; lab=\"$built/attention-lab\"; source='" + kSourceDir + "'; folder='" +
                             folder / "" + "'\n" + command + "\n";
  write_file(folder / "script", script);
  const std::string line =
      "/bin/sh '" + folder / "script" + "' >'" + folder / "stdout" + "' 2>'" + folder / "stderr" + "'";
  const int status = std::system(line.c_str());
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                  text_of(folder / "stdout"), text_of(folder / "stderr")};
  // Whoever goes on where a child process crashed would hide it.
  CHECK_MESSAGE(!contains(outcome.err, "Sanitizer: "), outcome.err);
  return outcome;
}

inline Outcome run_shell(const std::string& command) {
  const TemporaryFolder folder;
  return run_shell(command, folder);
}

// $lab computes on a device that fails or is wrong at work.
inline const std::string kFaultyAtWork =
    std::string("LD_PRELOAD='") + kBinaryDir + "/tests/libfaulty_opencl.so' ";

// Shell lines: devices are listed, and pass at once: a test of all kernels, from an empty folder, takes most
// of a minute. What meets the driver is as many processes as then. What is computed with them is checked as
// always.
inline const std::string kDevicesPass = R"sh(
cat >"$folder/probe" <<END
#!/bin/sh
[ "\$2" != list ] || exec "$lab" probe list
"$lab" probe list >/dev/null
echo '{"computed": true, "passed": true, "passing": false, "verdict": "passed", "largest_error": 0, "milliseconds": 1,' \
  '"most_steps": 18446744073709551615, "flash_rows": 0, "flash_keys": 0}'
END
chmod +x "$folder/probe"; export ATTENTION_LAB_PROBE="$folder/probe"
)sh";

}  // namespace attn::tests
