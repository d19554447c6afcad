// The table, menu by menu, as it stands now: it is made anew when something it depends on has changed, so
// names, ticks and what is enabled are plain values.
#include "app/program/commands.h"

#include <algorithm>

#include "app/cells/grid_commands.h"
#include "app/frame/present_view.h"
#include "app/frame/recording_view.h"
#include "app/program/application.h"
#include "app/program/code_commands.h"
#include "app/program/file_commands.h"
#include "app/program/help_commands.h"
#include "app/program/lesson_commands.h"
#include "app/program/recording_commands.h"
#include "app/program/stage_commands.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;

// What is on or off among the settings.
Command setting(Application& app, const char* name, const char* title, const char* menu,
                bool Settings::*which, Shortcut key = {}) {
  const auto turn = [&app, which](Desk&) { app.view().settings.*which = !(app.view().settings.*which); };
  return ticked(name, title, menu, app.view().settings.*which, turn, key);
}

// Whether the course of a lesson stands there: it is folded to a strip.
bool folds_course(View& view, SidePanel View::*which) {
  LessonView& played = view.of<LessonView>();
  if (!played.lesson || which != &View::controls || played.needs_controls()) return false;
  played.course_folded = !played.course_folded;
  return true;
}

// A panel is there or not; one that is folded to a strip opens over the canvas instead, alone.
Command panel(Application& app, const char* name, const char* title, bool Settings::*shown,
              SidePanel View::*which, Shortcut key) {
  const auto turn = [&app, shown, which](Desk&) {
    View& view = app.view();
    const bool folded = (view.*which).folded, open = (view.*which).open;
    view.controls.fold(), view.inspector.fold();
    if (!folded && !folds_course(view, which)) view.settings.*shown = !(view.settings.*shown);
    if (folded && !open) (view.*which).show();
  };
  return ticked(name, title, "View", app.view().settings.*shown, turn, key);
}

void add_edit_commands(Application& app, Commands& list) {
  const History& history = app.history();
  const auto step_name = [&](std::size_t i) { return history.steps()[i].name; };
  const bool undo = history.can_undo(), redo = history.can_redo();
  list.push_back({.name = "edit.undo",
                  .title = undo ? "Undo " + step_name(history.position()) : "Undo",
                  .menu = "Edit",
                  .shortcut = ctrl(GLFW_KEY_Z),
                  .run = [&app](Desk&) { app.undo(); },
                  .enabled = undo});
  list.push_back({.name = "edit.redo",
                  .title = redo ? "Redo " + step_name(history.position() + 1) : "Redo",
                  .menu = "Edit",
                  .shortcut = ctrl(GLFW_KEY_Z, true),
                  .run = [&app](Desk&) { app.redo(); },
                  .enabled = redo});
  app.at_desk([&](const Desk& desk) { grid_commands(list, desk); });
  code_commands(list);
  const EngineState engine = app.engine_state();
  list.push_back({.name = "edit.stop",
                  .title = "Stop computing",
                  .menu = "Edit",
                  .run = [&app](Desk&) { app.stop(); },
                  .enabled = engine.busy || (engine.deferred && engine.deferred->running())});
  list.push_back({.name = "edit.compute",
                  .title = "Compute again",
                  .menu = "Edit",
                  .run = [&app](Desk&) { app.compute_again(); },
                  .enabled = app.stopped()});
  list.push_back(setting(app, "view.history", "History", "Edit", &Settings::show_history));
  for (std::size_t i = 0; i < history.steps().size(); ++i)
    list.push_back({.name = "history." + std::to_string(i),
                    .title = "Go to: " + step_name(i),
                    .run = [&app, i](Desk&) { app.jump(i); },
                    .enabled = i != history.position()});
}

void add_theme_commands(Application& app, Commands& list) {
  const Settings& now = app.view().settings;
  const auto theme = [&](const char* name, const char* title, ThemeName choice) {
    list.push_back(ticked(name, title, "View/Theme", now.theme == choice,
                          [&app, choice](Desk&) { app.view().settings.theme = choice; }));
  };
  theme("theme.dark", "Dark", ThemeName::dark);
  theme("theme.light", "Light", ThemeName::light);
  theme("theme.high_contrast", "High contrast", ThemeName::high_contrast);
  for (const LanguageName& language : app.language().languages())
    list.push_back(ticked("language." + language.code, language.name, "View/Language",
                          app.language().code() == language.code, [&app, code = language.code](Desk&) {
                            app.view().settings.language = code;
                            app.view().language.reset();
                          }));
  const bool cividis = now.weight_colours == WeightColours::cividis;
  list.push_back(ticked("colours.cividis", "Colour-blind-safe weights (cividis)", "View", cividis,
                        [&app, other = cividis ? WeightColours::viridis : WeightColours::cividis](Desk&) {
                          app.view().settings.weight_colours = other;
                        }));
}

void add_weight_range_commands(Application& app, Commands& list) {
  const auto range = [&](const char* name, const char* title, WeightRange choice) {
    list.push_back(ticked(name, title, "View/Colours of weights", app.view().settings.weight_range == choice,
                          [&app, choice](Desk&) { app.view().settings.weight_range = choice; }));
  };
  range("weights.range.one", "From 0 to 1", WeightRange::one);
  range("weights.range.own", "Each map to its own largest weight", WeightRange::own);
  range("weights.range.shared", "All maps to the largest weight of the layer", WeightRange::shared);
}

// The scale in use: of this run where one was given for it.
float& scale_of(View& view) {
  return view.ui_scale ? *view.ui_scale : view.settings.ui_scale;
}

void usual_scale(Application& app) {
  app.view().ui_scale.reset();
  app.view().settings.ui_scale = 1;
}

void add_view_commands(Application& app, Commands& list) {
  const auto scaled = [&app](float factor) {
    return [&app, factor](Desk&) {
      float& scale = scale_of(app.view());
      scale = std::clamp(scale * factor, 0.5f, 3.0f);
    };
  };
  list.push_back({.name = "view.larger",
                  .title = "Larger",
                  .menu = "View",
                  .shortcut = ctrl(GLFW_KEY_EQUAL),
                  .run = scaled(1.1f)});
  // Where "+" is typed with Shift, and on the number pad.
  list.back().other_keys = {ctrl(GLFW_KEY_EQUAL, true), ctrl(GLFW_KEY_KP_ADD)};
  list.push_back({.name = "view.smaller",
                  .title = "Smaller",
                  .menu = "View",
                  .shortcut = ctrl(GLFW_KEY_MINUS),
                  .run = scaled(1 / 1.1f)});
  list.push_back({.name = "view.scale_1",
                  .title = "Usual size",
                  .menu = "View",
                  .shortcut = ctrl(GLFW_KEY_0),
                  .run = [&app](Desk&) { usual_scale(app); }});
  list.push_back(
      panel(app, "view.controls", "Controls", &Settings::show_controls, &View::controls, ctrl(GLFW_KEY_B)));
  list.push_back(panel(app, "view.inspector", "Inspector", &Settings::show_inspector, &View::inspector,
                       ctrl(GLFW_KEY_I)));
  add_theme_commands(app, list);
  add_weight_range_commands(app, list);
  list.push_back(
      {.name = "view.sections",
       .title = "All sections of the controls open",
       .menu = "View",
       .run = [](Desk& desk) { desk.view.settings.sections = {.all = !desk.view.settings.sections.all}; },
       .checked = app.view().settings.sections.all});
  list.push_back(setting(app, "view.reduce_motion", "Reduce motion", "View", &Settings::reduce_motion));
  const auto layer = [&](const char* name, const char* title, bool LayerView::*which) {
    list.push_back(ticked(name, title, "View", app.view().layer.*which,
                          [&app, which](Desk&) { app.view().layer.*which = !(app.view().layer.*which); }));
  };
  layer("view.parameters", "Show the projections W and biases", &LayerView::show_parameters);
  layer("view.softmax", "Open scores and weights into their steps", &LayerView::open_softmax);
  list.push_back({.name = "view.fit",
                  .title = "Fit the canvas",
                  .menu = "View",
                  .shortcut = plain(GLFW_KEY_F),
                  .run = [](Desk& desk) {
                    PresentView& present = desk.view.of<PresentView>();
                    present.on ? void(present.sight = {}) : desk.view.canvas().fit();
                  }});
}

void show_next(Application& app, std::ptrdiff_t direction) {
  const auto all = app.workspaces();
  const std::ptrdiff_t count = std::ssize(all), now = &app.workspace() - all.data();
  app.show(all[static_cast<std::size_t>((now + direction + count) % count)]);
}

// One workspace needs no choice.
void add_workspace_commands(Application& app, Commands& list) {
  if (app.workspaces().size() < 2) return;
  for (const Workspace& workspace : app.workspaces()) {
    const auto place = static_cast<int>(&workspace - app.workspaces().data());
    list.push_back(ticked(
        "workspace." + std::string(workspace.name), std::string(workspace.title), "View/Workspace",
        &workspace == &app.workspace(), [&app, &workspace](Desk&) { app.show(workspace); },
        place < 9 ? ctrl(GLFW_KEY_1 + place) : Shortcut{}));
  }
  list.push_back({.name = "workspace.next",
                  .title = "Next workspace",
                  .menu = "View",
                  .shortcut = ctrl(GLFW_KEY_PAGE_DOWN),
                  .run = [&app](Desk&) { show_next(app, 1); }});
  list.push_back({.name = "workspace.previous",
                  .title = "Previous workspace",
                  .menu = "View",
                  .shortcut = ctrl(GLFW_KEY_PAGE_UP),
                  .run = [&app](Desk&) { show_next(app, -1); }});
}

void add_device_commands(Application& app, Commands& list) {
  const auto device = [&](const std::string& choice, const std::string& title) {
    list.push_back(ticked("device." + choice, title, "Device", app.view().device_choice() == choice,
                          [&app, choice](Desk&) { app.use_device(choice); }));
  };
  device("auto", "Best device that passes its test");
  device("reference", "Reference (Eigen, double)");
  for (const DeviceChoice& d : app.engine_state().devices) device(std::to_string(d.index), d.title);
  list.push_back(
      {.name = "device.survey", .title = "Look for devices", .menu = "Device", .run = [&app](Desk&) {
         app.survey_devices();
       }});
  list.push_back(
      {.name = "device.retest", .title = "Test all devices again", .menu = "Device", .run = [&app](Desk&) {
         app.retest_devices();
       }});
}

// While the window presents, what steps keeps its keys.
bool keeps_keys(const Application& app, const Command& command) {
  return presents(app.view()) && is_stage_command(command);
}

// A key of the workspace on screen is its own there.
void leave_keys_to(Application& app, Command& own, Commands& list) {
  const auto same = [&](const Command& command) {
    return &command != &own && own.shortcut && command.shortcut == own.shortcut;
  };
  if (std::ranges::any_of(list, [&](const Command& c) { return same(c) && keeps_keys(app, c); }))
    own.shortcut = {};
  for (Command& command : list)
    if (same(command)) command.shortcut = {};
}

}  // namespace

TableKey table_key(const Application& app) {
  const EngineState engine = app.engine_state();
  const RecordingView& recording = app.view().of<RecordingView>();
  return {.history = app.history().revision(),
          .recent_files = app.store().recent_files(),
          .settings = app.view().settings,
          .device = app.view().device_choice(),
          .layer = app.view().layer,
          .all_in_sight = app.view().canvas().all_in_sight,
          .workspace = &app.workspace(),
          .devices = engine.devices,
          .busy = engine.busy || (engine.deferred && engine.deferred->running()),
          .stopped = app.stopped(),
          .reading = app.reading(),
          .measuring = app.measuring().running,
          .saving_steps = app.saving_steps(),
          .presents = presents(app.view()),
          .palette = app.view().overlays.palette,
          .about_file = app.view().file.about,
          .lesson = app.lesson().lesson.get(),
          .lesson_step = app.lesson().step,
          .lesson_page = {app.lesson().slide.page, app.lesson().slide.exercise},
          .recorded = recording.on ? recording.steps.size() + 1 : 0,
          .lesson_on_own = app.lesson().on_own,
          .cell_has_keys = app.view().grid.has_keys};
}

Commands make_commands(Application& app, bool passages) {
  Commands list;
  file_commands(list, app);
  add_edit_commands(app, list);
  add_view_commands(app, list);
  add_workspace_commands(app, list);
  stage_commands(list, app);
  app.at_desk([&](const Desk& desk) {
    const std::size_t general = list.size();
    if (desk.workspace.commands) desk.workspace.commands(list, desk);
    for (std::size_t i = general; i < list.size(); ++i) leave_keys_to(app, list[i], list);
  });
  add_device_commands(app, list);
  recording_commands(list, app);
  lesson_commands(list, app);
  help_commands(list, app);
  if (passages) passage_commands(list, app);
  return list;
}

}  // namespace attn
