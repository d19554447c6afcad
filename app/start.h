// What the program opens with.
#pragma once

#include <string>

#include "app/application.h"

namespace attn {

// `input` when given (throws what read_document throws), else the work that was open when the program last
// ended, else the first example: never an empty window. The caller adds the backend and its host's parts.
Application::Setup start_setup(const std::string& input, Store store);

}  // namespace attn
