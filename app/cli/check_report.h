// What `check` says: for a person the verdict first, then the fix; for scripts one object of JSON.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/facts.h"
#include "core/io/dump.h"

namespace attn {

struct CheckReport {
  std::string input;
  Dump dump;
  Diagnosis diagnosis;
  std::vector<Tensor> ours = {};  // of each stage of the dump; empty: the layer has none
  std::vector<Fact> facts = {};
  Tolerance tolerance = {};
};

void print_check(std::ostream& out, const CheckReport& report);
void print_check_json(std::ostream& out, const CheckReport& report);

// "not checked: weights: …": stages of the file that could not be used; empty: there are none.
std::string unchecked_words(const Dump& dump);

}  // namespace attn
