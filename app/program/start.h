// What the program opens with.
#pragma once

#include <functional>
#include <string>

#include "app/program/application.h"

namespace attn {

// `input` when given (throws what read_document throws), else the work that was open when the program last
// ended, else the first example: never an empty window. `change` is laid over what is given, as
// an edit that is not saved. Points and large files are `dropped`: they are read when the window stands, and
// refused there; so is the work that was open where that is large, and the first example stands in for it.
// The caller adds the backend and its host's parts.
Application::Setup start_setup(const std::string& input, Store store, const StartChange& change = {});

// At the very first start: the tour of the window, and how to leave it.
inline constexpr const char* kTour = "tour";
void begin_tour(Application& app);

}  // namespace attn
