// Drivers: the OpenCL drivers that are installed, as the loader finds them, so that each can be asked alone.
//
// The loader opens all drivers at the first OpenCL call of a process: one that crashes or hangs there takes
// the others along. OCL_ICD_VENDORS names the folder of those it opens.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attn::opencl {

struct Driver {
  std::string name;         // of its .icd file, for messages
  std::string file;         // the .icd file; empty: what the loader finds by rules of its own
  std::string fingerprint;  // another one when the driver is replaced
  bool operator==(const Driver&) const = default;
};

// Those that the loader would open, by name. `vendors` is OCL_ICD_VENDORS, or empty. Files that name one and
// the same library are one driver.
std::vector<Driver> installed_drivers(const std::string& vendors);

// A folder below `parent` that holds these drivers alone, for OCL_ICD_VENDORS; empty when none is needed or
// none can be made, and the loader has to be left to itself.
std::filesystem::path folder_of(const std::vector<Driver>& drivers, const std::filesystem::path& parent);

}  // namespace attn::opencl
