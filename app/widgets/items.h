// The toolkit's own items, in the window's language.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

namespace attn {

// What is read before "##" in the window's language, the id in English.
std::string spoken_label(std::string_view english);

bool menu_item(std::string_view label, const char* shortcut = nullptr, bool ticked = false,
               bool enabled = true);
bool selectable(std::string_view label, bool chosen = false);
bool button(std::string_view label, ImVec2 size = {});
// It stays in the window, and scrolls: newer versions let a menu within another grow beyond it.
bool begin_menu(std::string_view title);
void say(std::string_view english);
void say_dim(std::string_view english);
void say_wrapped(std::string_view english);

}  // namespace attn
