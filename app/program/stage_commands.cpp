// What steps by keys, and the mode for projectors.
#include "app/program/stage_commands.h"

#include "app/canvas/presenting.h"
#include "app/canvas/steps.h"
#include "app/frame/present_view.h"
#include "app/program/application.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

constexpr const char* kStageMenu = "Stage";

void toggle_presenting(Application& app) {
  if (presents(app.view())) return end_presenting(app.view());
  if (app.plays_lesson()) return app.lesson().slide = {}, begin_presenting(app.view());
  const auto& results = app.shown().results;
  begin_presenting(app.view(), results ? results->graph : Graph(), app.steps());
}

void add_presenting(std::vector<Command>& list, Application& app) {
  list.push_back(ticked(
      "view.present", "Present", "View", presents(app.view()), [&app](Desk&) { toggle_presenting(app); },
      plain(GLFW_KEY_F5)));
  list.back().says = "for a projector: the present step's matrix or plot and its sentence, large";
  if (!presents(app.view())) return;
  list.push_back({.name = "stage.show_next",
                  .title = "Show the next matrix, plot or part",
                  .menu = kStageMenu,
                  .shortcut = plain(GLFW_KEY_DOWN),
                  .run = [](Desk& desk) { present_another(desk.view, 1); }});
  list.push_back({.name = "stage.show_previous",
                  .title = "Show the matrix, plot or part before",
                  .menu = kStageMenu,
                  .shortcut = plain(GLFW_KEY_UP),
                  .run = [](Desk& desk) { present_another(desk.view, -1); }});
}

}  // namespace

void stage_commands(std::vector<Command>& list, Application& app) {
  list.push_back({.name = "stage.next",
                  .title = "Next stage",
                  .menu = kStageMenu,
                  .shortcut = plain(GLFW_KEY_RIGHT),
                  .run = [&app](Desk&) { step_by(app.view(), app.steps(), 1); },
                  .other_keys = {plain(GLFW_KEY_PAGE_DOWN)}});
  list.push_back({.name = "stage.previous",
                  .title = "Previous stage",
                  .menu = kStageMenu,
                  .shortcut = plain(GLFW_KEY_LEFT),
                  .run = [&app](Desk&) { step_by(app.view(), app.steps(), -1); },
                  .other_keys = {plain(GLFW_KEY_PAGE_UP)}});
  list.push_back({.name = "stage.first",
                  .title = "First stage",
                  .menu = kStageMenu,
                  .shortcut = plain(GLFW_KEY_HOME),
                  .run = [&app](Desk&) { step_to(app.view(), app.steps(), 0); }});
  list.push_back({.name = "stage.last",
                  .title = "Last stage",
                  .menu = kStageMenu,
                  .shortcut = plain(GLFW_KEY_END),
                  .run = [&app](Desk&) { step_to(app.view(), app.steps(), kLastStep); }});
  list.push_back({.name = "stage.all",
                  .title = "All stages at full strength",
                  .menu = kStageMenu,
                  .shortcut = plain(GLFW_KEY_A),
                  .run = [&app](Desk&) { leave_steps(app.view()); }});
  list.push_back({.name = "stage.play",
                  .title = "Play the stages",
                  .menu = kStageMenu,
                  .shortcut = plain(GLFW_KEY_SPACE),
                  .run = [&app](Desk&) { toggle_play(app.view(), app.document(), app.steps()); }});
  add_presenting(list, app);
}

bool is_stage_command(const Command& command) {
  return command.name.starts_with("stage.");
}

}  // namespace attn
