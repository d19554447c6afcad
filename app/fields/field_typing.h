// Typing into a row of the controls: the text lives in View::field until it is committed or refused.
#pragma once

#include <optional>
#include <string>

#include "app/fields/fields.h"

namespace attn {

// The row's id for Dear ImGui, the same as a button and as a text field, so that the focus stays.
std::string field_id(const FieldRow& row);

bool is_typing(View& view, const FieldRow& row);
void start_typing(View& view, const FieldRow& row, const std::string& text);

// The text field. The text once it is committed: by Enter, Tab or a click elsewhere; Esc drops it.
std::optional<std::string> typing_box(Frame& frame, const FieldRow& row, Rect box);

}  // namespace attn
