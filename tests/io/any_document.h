// Random documents, with every field and any float; of the NaNs only the one that a session keeps.
#pragma once

#include <random>

#include "core/document/document.h"

namespace attn::tests {

Document any_document(std::mt19937_64& random);

}  // namespace attn::tests
