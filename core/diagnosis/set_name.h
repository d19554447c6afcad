// Mistakes and sets of them as a person reads them.
#pragma once

#include <string>

#include "core/diagnosis/diagnosis.h"

namespace attn {

// "scale 1/d_k, not 1/√d_k", "temperature, T = 1.7".
std::string mistake_name(const std::string& word, const std::string& detail = {});
// Of all of a set, joined by " and ".
std::string set_name(const Tried& tried);

}  // namespace attn
