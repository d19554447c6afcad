// Mesa's cache of compiled shaders: it maps a file of it and dies of SIGBUS where the disk has no room for
// that.
#pragma once

namespace attn {

// Before there are threads that read the environment, and before the first call of OpenGL: turns it off for
// this process where its folder is missing, cannot be written or is full. Without it a first frame takes some
// tenths of a second longer.
void use_shader_cache_if_safe();

}  // namespace attn
