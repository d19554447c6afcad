// Folders of links to .icd files. A folder is named by what it holds, so that programs that make the same one
// at once don't disturb each other and nobody needs to remove it.
#include "core/opencl/drivers.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>

#include "core/opencl/opencl.h"

namespace attn::opencl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVendors = "/etc/OpenCL/vendors";  // where the loader looks

// The library that an .icd file names.
std::string library_in(const fs::path& icd) {
  std::string name;
  std::getline(std::ifstream(icd), name);
  return name.substr(0, name.find_last_not_of(" \t\r") + 1);
}

// Another one when the file is replaced.
std::string identity(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  return std::to_string(status.st_size) + ":" + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

// Packages put drivers next to the loader; others name them by a path. Where a driver lies elsewhere only its
// .icd file tells that it is another one.
fs::path path_of(const std::string& library) {
  Dl_info loader{};
  if (library.starts_with('/') || ::dladdr(reinterpret_cast<void*>(&clGetPlatformIDs), &loader) == 0)
    return library;
  return fs::path(loader.dli_fname).parent_path() / library;
}

Driver driver_of(const fs::path& icd) {
  const std::string library = library_in(icd);
  return {.name = icd.filename(),
          .file = fs::absolute(icd),
          .fingerprint = library + " " + identity(icd) + " " + identity(path_of(library))};
}

}  // namespace

std::vector<Driver> installed_drivers(const std::string& vendors) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(vendors.empty() ? kVendors : vendors, error), end; !error && it != end;
       it.increment(error))
    if (it->path().extension() == ".icd" && !identity(it->path()).empty()) files.push_back(it->path());
  std::ranges::sort(files);
  std::vector<Driver> drivers;
  std::vector<std::string> libraries;
  for (const fs::path& file : files) {
    const std::string library = library_in(file);
    if (std::ranges::count(libraries, library) > 0) continue;
    libraries.push_back(library);
    drivers.push_back(driver_of(file));
  }
  // One file or library named instead of a folder; a loader that looks elsewhere; or no driver at all.
  if (drivers.empty()) drivers.push_back({.name = "the driver", .file = {}, .fingerprint = vendors});
  return drivers;
}

fs::path folder_of(const std::vector<Driver>& drivers, const fs::path& parent) {
  std::string content;
  for (const Driver& driver : drivers) {
    if (driver.file.empty()) return {};
    content += driver.file + "\n";
  }
  char name[17];
  std::snprintf(name, sizeof name, "%016zx", std::hash<std::string>()(content));
  const fs::path folder = parent / name;
  std::error_code error;
  fs::create_directories(folder, error);
  for (const Driver& driver : drivers) {
    const fs::path link = folder / driver.name;
    if (fs::is_symlink(link, error)) continue;
    fs::create_symlink(driver.file, link, error);
    if (error && !fs::is_symlink(link)) return {};
  }
  return folder;
}

}  // namespace attn::opencl
