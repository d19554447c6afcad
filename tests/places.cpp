// Where the sources are, what was built of them and how: the only source of tests that is compiled
// differently in every folder.
#include "tests/places.h"

#include "tests/sanitized.h"

const char* const kSourceDir = ATTENTION_LAB_SOURCE_DIR;
const char* const kBinaryDir = ATTENTION_LAB_BINARY_DIR;

#ifdef ATTENTION_LAB_SANITIZED
const bool attn::tests::kSanitized = true;
#else
const bool attn::tests::kSanitized = false;
#endif
