// lessons: the course, in the terminal.
#pragma once

namespace attn {

class CommandParser;

// Adds the command: the list of lessons, one as text with its numbers, and the check of all of them.
void add_lessons(CommandParser& parser);

}  // namespace attn
