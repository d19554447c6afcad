// Controls worked as a person does.
#pragma once

#include <GLFW/glfw3.h>

#include <string>
#include <string_view>

#include "app/host/headless.h"

namespace attn::tests {

// Clicks a field, types over what is there and commits.
inline void enter(Headless& lab, std::string_view field, const std::string& text) {
  lab.click_item(field);
  lab.frames(2);
  lab.type(text);
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
}

// Opens a list and takes one of its entries.
inline void choose(Headless& lab, std::string_view field, std::string_view entry) {
  lab.click_item(field);
  lab.frames(2);
  lab.click_item(entry);
  lab.settle();
}

}  // namespace attn::tests
