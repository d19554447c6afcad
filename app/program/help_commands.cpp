// What opens the manual, the key sheet and the palette. Each of them takes the place of the others.
#include "app/program/help_commands.h"

#include "app/manual/pages.h"
#include "app/program/application.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

// What the blocks of a page are about, as the palette has it.
void add_passages(Application& app, const ManualPage& page, std::vector<Command>& list) {
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    const std::string lead = lead_of(page.blocks[i]);
    if (lead.empty()) continue;
    list.push_back({.name = "manual." + page.name + "." + std::to_string(i),
                    .title = "Manual: " + (i == 0 ? page.title : lead + " (" + page.title + ")"),
                    .run = [&app, &page, i](Desk&) { app.view().overlays.manual.show(page.name, i); }});
  }
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
  const ManualPage& first = manual_pages().front();
  list.push_back(
      {.name = "help.attention", .title = first.title, .menu = "Help", .run = [&app, &first](Desk&) {
         app.view().overlays.manual.show(first.name);
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
  for (const ManualPage& page : manual_pages()) add_passages(app, page, list);
}

}  // namespace attn
