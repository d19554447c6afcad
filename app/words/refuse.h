// Words that an option cannot use.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/text/text.h"

namespace attn {

// Throws Error(Fault::option): what the option cannot use, the nearest of `words`, and what it takes.
[[noreturn]] void refuse(std::string_view option, std::string_view word, std::string_view takes,
                         std::span<const std::string> words = {});

// Throws Error(Fault::option) where the file to be written is one of those that are read, by whatever name:
// what is in it would be lost.
void check_output(const std::string& output, std::initializer_list<std::string> inputs);

}  // namespace attn
