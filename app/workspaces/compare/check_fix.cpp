// The mended lines of PyTorch, and the report.
#include <algorithm>
#include <filesystem>

#include "app/workspaces/compare/check_shown.h"
#include "core/text/text.h"

namespace attn {
namespace {

// Comments are neither taken away nor added.
void add_fix_lines(std::string& text, std::string_view lines, const char* sign, std::string_view others) {
  for (const std::string& line : split(lines, '\n')) {
    const auto first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    bool stays = line[first] == '#';
    for (const std::string& other : split(others, '\n')) stays = stays || other == line;
    if (stays && sign[0] == '-') continue;  // said once, among those that are right
    text += (stays ? "  " : sign) + line + '\n';
  }
}

std::string verdict_line(const Diagnosis& found, const Tried* tried) {
  if (found.equal()) return "Equal at every stage: nothing to mend.";
  if (found.noise)
    return "Differs everywhere by about " + error_text(found.noise_size) +
           ", no pattern: half precision or noise.";
  if (tried && tried->reproduces)
    return "Reproduced by: " + set_name(*tried) + " (" + error_text(tried->distance) + ").";
  const std::string nothing = "Nothing known reproduces the numbers";
  return tried && found.helps(*tried)
             ? nothing + "; closest: " + set_name(*tried) + " (" + error_text(tried->distance) + ")."
             : nothing + ", or brings them closer.";
}

void add_stages(std::string& text, const Diagnosis& found, const Document& document, const Tried* tried) {
  text += "| stage | largest difference | relative |";
  text += tried ? " with it in ours |\n|---|---|---|---|\n" : "\n|---|---|---|\n";
  const std::vector<GivenStage> given = given_stages(document.check);
  for (const StageVerdict& stage : found.stages) {
    const std::string largest = !stage.same_shape ? std::string("another shape")
                                : !stage.compared ? std::string("not compared")
                                                  : error_text(stage.largest);
    text += "| " + stage.id + " | " + largest + (stage.equal ? " ✓" : "") + " | " +
            error_text(stage.distance) + " |";
    for (std::size_t i = 0; tried && i < std::min(given.size(), tried->stages.size()); ++i)
      if (given[i].id == stage.id) text += " " + error_text(tried->stages[i]) + " |";
    text += "\n";
  }
}

}  // namespace

std::string fix_text(const Tried& tried) {
  std::string text;
  for (const Fix& fix : tried.fixes) {
    add_fix_lines(text, fix.wrong, "- ", fix.right);
    add_fix_lines(text, fix.right, "+ ", fix.wrong);
  }
  return text;
}

std::string check_report(const Document& document, const Diagnosis& found, const Tried* tried) {
  std::string text = "# Check";
  if (!document.check.file.empty())
    text += " of " + std::filesystem::path(document.check.file.front()).filename().string();
  text += "\n\n" + verdict_line(found, tried) + "\n\n";
  add_stages(text, found, document, tried);
  for (std::size_t i = 0; tried && i < tried->words.size(); ++i)
    if (const Mistake* mistake = find_mistake(tried->words[i]))
      text += "\n## " + mistake_name(tried->words[i], tried->details[i]) + "\n\n" +
              std::string(mistake->sentence) + "\n";
  if (tried && tried->reproduces)
    text += "\n## The fix, in PyTorch\n\n```diff\n" + fix_text(*tried) + "```\n";
  text += "\n" + std::to_string(found.tried) + " sets of mistakes tried";
  if (!document.check.names.empty()) text += "; names: " + listed(document.check.names);
  return text + ".\n";
}

}  // namespace attn
