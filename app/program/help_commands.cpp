// What opens the manual, the key sheet and the palette. Each of them takes the place of the others.
#include "app/program/help_commands.h"

#include <string_view>

#include "app/manual/pages.h"
#include "app/program/application.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

constexpr std::string_view kPassage = "manual.";

struct PassageCommand {
  std::string name, title;
  const ManualPage* page;
  std::size_t block;
};

// What the blocks of all pages are about, as the palette has it.
std::vector<PassageCommand> all_passages() {
  std::vector<PassageCommand> list;
  for (const ManualPage& page : manual_pages())
    for (std::size_t i = 0; i < page.blocks.size(); ++i)
      if (const std::string lead = lead_of(page.blocks[i]); !lead.empty())
        list.push_back({.name = std::string(kPassage) + page.name + "." + std::to_string(i),
                        .title = "Manual: " + (i == 0 ? page.title : lead + " (" + page.title + ")"),
                        .page = &page,
                        .block = i});
  return list;
}

// At the word whose card is shown, else at the page of the workspace.
void toggle_manual(Application& app) {
  ManualView& manual = app.view().overlays.manual;
  const std::string& word = app.view().word.shown;
  if (manual.open)
    manual = {};
  else if (const auto passage = word.empty() ? std::nullopt : passage_about(word))
    manual.show(passage->page->name, passage->block);
  else
    manual.show(page_of(app.workspace()).name);
}

void toggle_palette(Overlays& overlays) {
  overlays.palette = !overlays.palette;
  overlays.palette_text.clear();
  overlays.palette_choice = 0;
}

}  // namespace

void help_commands(std::vector<Command>& list, Application& app) {
  list.push_back(
      {.name = "help.attention", .title = first_page_title(), .menu = "Help", .run = [&app](Desk&) {
         app.view().overlays.manual.show(manual_pages().front().name);
       }});
  list.push_back({.name = "help.manual",
                  .title = "Manual",
                  .menu = "Help",
                  .shortcut = plain(GLFW_KEY_F1),
                  .run = [&app](Desk&) { toggle_manual(app); }});
  list.push_back(
      {.name = "help.keys", .title = "Keys", .menu = "Help", .shortcut = typed('?'), .run = [&app](Desk&) {
         app.view().overlays.keys = !app.view().overlays.keys;
       }});
  list.push_back({.name = "help.palette",
                  .title = "Commands…",
                  .menu = "Help",
                  .shortcut = ctrl(GLFW_KEY_P, true),
                  .run = [&app](Desk&) { toggle_palette(app.view().overlays); }});
}

bool is_passage_command(const std::string& name) {
  return name.starts_with(kPassage);
}

void passage_commands(std::vector<Command>& list, Application& app) {
  static const std::vector<PassageCommand> kPassages = all_passages();  // the table is made often
  for (const PassageCommand& passage : kPassages)
    list.push_back({.name = passage.name, .title = passage.title, .run = [&app, &passage](Desk&) {
                      app.view().overlays.manual.show(passage.page->name, passage.block);
                    }});
}

}  // namespace attn
