// The only source that is compiled differently in every folder: all others can be found in a compiler's
// cache.
#include "tests/places.h"

const char* const kSourceDir = ATTENTION_LAB_SOURCE_DIR;
const char* const kBinaryDir = ATTENTION_LAB_BINARY_DIR;
