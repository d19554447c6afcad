// The test program's main(): doctest's, where devices are asked by the program under test and not by the
// tests.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "tests/places.h"

int main(int argc, char** argv) {
  setenv("ATTENTION_LAB_PROBE", (std::string(kBinaryDir) + "/attention-lab").c_str(), 0);
  return doctest::Context(argc, argv).run();
}
