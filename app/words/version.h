// Which version of the program this is.
#pragma once

namespace attn {

// "1.2.0" where it was built at the tag v1.2.0, "1.2.0+5.g0c1d2e3f" five commits behind it, and the version
// of CMakeLists.txt where there is no tag (assets/package/version.cmake).
const char* version();

}  // namespace attn
