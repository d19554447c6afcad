// Embedded files looked up by name, or read from the source tree: a kernel can be edited without building.
#include "core/system/assets.h"

#include <cstdlib>

#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {

std::string asset_text(std::span<const Asset> files, std::string_view folder, std::string_view name) {
  if (const char* root = std::getenv("ATTENTION_LAB_ASSETS")) {
    const auto bytes = read_file(std::string(root) + "/" + std::string(folder) + "/" + std::string(name));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  for (const Asset& file : files)
    if (file.name == name) return std::string(file.bytes);
  throw Error("there is no built-in file " + std::string(name));
}

}  // namespace attn
