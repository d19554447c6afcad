// Where the cache lies is Mesa's rule (disk_cache_generate_cache_dir): the first of its variables, else below
// the user's cache folder.
#include "app/host/shader_cache.h"

#include <cstdlib>
#include <filesystem>

#include "core/system/disk_space.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRoom = std::size_t{4} << 20;  // bytes: its index has 1.3 MB, a shader some kilobytes

fs::path cache_folder() {
  for (const char* variable : {"MESA_SHADER_CACHE_DIR", "MESA_GLSL_CACHE_DIR", "XDG_CACHE_HOME"})
    if (const char* value = std::getenv(variable); value && *value) return value;
  const char* home = std::getenv("HOME");
  return home && *home == '/' ? fs::path(home) / ".cache" : fs::path();
}

bool is_safe() {
  const fs::path folder = cache_folder();
  if (folder.empty()) return false;
  std::error_code error;
  fs::create_directories(folder, error);  // a new account has none yet
  return !error && room_error(folder, kRoom) == 0;
}

}  // namespace

void use_shader_cache_if_safe() {
  if (!is_safe()) ::setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
}

}  // namespace attn
