// Where the sources are and what was built of them: the only source that is compiled differently in every
// folder.
#include "tests/places.h"

const char* const kSourceDir = ATTENTION_LAB_SOURCE_DIR;
const char* const kBinaryDir = ATTENTION_LAB_BINARY_DIR;
