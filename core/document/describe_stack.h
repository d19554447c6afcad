// The names of undo steps that change a stack as a whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/document/document.h"

namespace attn {

// "4 layers", "encoder, layer 1: attention off", "input 03·jan·2001"; empty where only numbers, or settings
// that are fields of their own, differ.
std::string stack_change(const StackSpec& before, const StackSpec& after);

// Where the first edit made a stack of what stood for one: `before`, with that as its own; none where nothing
// else was edited.
std::optional<Document> with_own_stack(const Document& before, const Document& after);

// What the names of steps call the part of a stack that has this key: "encoder, layer 2, inner: ".
std::string beginning_of_part(std::string_view key);

}  // namespace attn
