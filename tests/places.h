// Where this build's sources and binaries are, for tests that read fixtures or start the program.
#pragma once

extern const char* const kSourceDir;
extern const char* const kBinaryDir;
