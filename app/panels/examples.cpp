// The example chooser, in every workspace, with a line about the one that is open.
#include <algorithm>

#include "app/fields/fields.h"
#include "app/panels/panels.h"

namespace attn {

void draw_examples(Frame& frame, Column column) {
  section(frame, column, "Example");
  std::vector<const Command*> commands;
  std::vector<std::string> names, says;
  std::size_t current = 0;
  for (const Command& command : frame.table) {
    if (!command.name.starts_with("example.")) continue;
    if (command.checked) current = names.size();
    commands.push_back(&command);
    names.push_back(command.title);
    std::ranges::replace(names.back(), '-', ' ');
    says.push_back(command.says);
  }
  const bool is_example = current < commands.size() && commands[current]->checked;
  const FieldRow row{"example", "", "open a built-in example; Ctrl+Z goes back"};
  const auto choice = choice_row(frame, column, row, names, is_example ? current : names.size(), says);
  if (choice) frame.commands.push_back(commands[*choice]->name);
  hint(frame, column, is_example ? says[current] : std::string("your own numbers"));
}

}  // namespace attn
