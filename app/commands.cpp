// The table, menu by menu, as it stands now: it is made anew when something it depends on has changed, so
// names, ticks and what is enabled are plain values.
#include "app/commands.h"

#include <algorithm>

#include "app/application.h"
#include "app/file_commands.h"
#include "app/grid_commands.h"
#include "app/toolkit.h"
#include "app/workspaces/steps.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;

// What is on or off among the settings.
Command setting(const Application& app, const char* name, const char* title, const char* menu,
                bool Settings::*which, Shortcut key = {}) {
  const auto turn = [which](Application& a) { a.view().settings.*which = !(a.view().settings.*which); };
  return ticked(name, title, menu, app.view().settings.*which, turn, key);
}

void add_edit_commands(const Application& app, Commands& list) {
  const History& history = app.history();
  const auto step_name = [&](std::size_t i) { return history.steps()[i].name; };
  const bool undo = history.can_undo(), redo = history.can_redo();
  list.push_back({"edit.undo", undo ? "Undo " + step_name(history.position()) : "Undo", "Edit",
                  ctrl(GLFW_KEY_Z), [](Application& a) { a.undo(); }, undo});
  list.push_back({"edit.redo", redo ? "Redo " + step_name(history.position() + 1) : "Redo", "Edit",
                  ctrl(GLFW_KEY_Z, true), [](Application& a) { a.redo(); }, redo});
  grid_commands(list, app);
  const EngineState engine = app.engine_state();
  list.push_back({"edit.stop",
                  "Stop computing",
                  "Edit",
                  {},
                  [](Application& a) { a.stop(); },
                  engine.busy || (engine.rest && engine.rest->running())});
  list.push_back({"edit.compute",
                  "Compute again",
                  "Edit",
                  {},
                  [](Application& a) { a.compute_again(); },
                  app.stopped()});
  list.push_back(setting(app, "view.history", "History", "Edit", &Settings::show_history));
  for (std::size_t i = 0; i < history.steps().size(); ++i)
    list.push_back({"history." + std::to_string(i),
                    "Go to: " + step_name(i),
                    "",
                    {},
                    [i](Application& a) { a.jump(i); },
                    i != history.position()});
}

void add_theme_commands(const Application& app, Commands& list) {
  const Settings& now = app.view().settings;
  const auto theme = [&](const char* name, const char* title, ThemeName choice) {
    list.push_back(ticked(name, title, "View/Theme", now.theme == choice,
                          [choice](Application& a) { a.view().settings.theme = choice; }));
  };
  theme("theme.dark", "Dark", ThemeName::dark);
  theme("theme.light", "Light", ThemeName::light);
  theme("theme.high_contrast", "High contrast", ThemeName::high_contrast);
  const bool cividis = now.weight_colours == WeightColours::cividis;
  list.push_back(ticked("colours.cividis", "Colour-blind-safe weights (cividis)", "View", cividis,
                        [other = cividis ? WeightColours::viridis : WeightColours::cividis](Application& a) {
                          a.view().settings.weight_colours = other;
                        }));
}

void add_weight_range_commands(const Application& app, Commands& list) {
  const auto range = [&](const char* name, const char* title, WeightRange choice) {
    list.push_back(ticked(name, title, "View/Colours of weights", app.view().settings.weight_range == choice,
                          [choice](Application& a) { a.view().settings.weight_range = choice; }));
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

void add_view_commands(const Application& app, Commands& list) {
  const auto scaled = [](float factor) {
    return [factor](Application& a) {
      float& scale = scale_of(a.view());
      scale = std::clamp(scale * factor, 0.5f, 3.0f);
    };
  };
  list.push_back({"view.larger", "Larger", "View", ctrl(GLFW_KEY_EQUAL), scaled(1.1f)});
  // Where "+" is typed with Shift, and on the number pad.
  list.back().other_keys = {ctrl(GLFW_KEY_EQUAL, true), ctrl(GLFW_KEY_KP_ADD)};
  list.push_back({"view.smaller", "Smaller", "View", ctrl(GLFW_KEY_MINUS), scaled(1 / 1.1f)});
  list.push_back({"view.scale_1", "Usual size", "View", ctrl(GLFW_KEY_0), usual_scale});
  list.push_back(
      setting(app, "view.controls", "Controls", "View", &Settings::show_controls, ctrl(GLFW_KEY_B)));
  list.push_back(
      setting(app, "view.inspector", "Inspector", "View", &Settings::show_inspector, ctrl(GLFW_KEY_I)));
  add_theme_commands(app, list);
  add_weight_range_commands(app, list);
  list.push_back(setting(app, "view.reduce_motion", "Reduce motion", "View", &Settings::reduce_motion));
  const auto layer = [&](const char* name, const char* title, bool LayerView::*which) {
    list.push_back(ticked(name, title, "View", app.view().layer.*which,
                          [which](Application& a) { a.view().layer.*which = !(a.view().layer.*which); }));
  };
  layer("view.parameters", "Show the projections W and biases", &LayerView::show_parameters);
  layer("view.softmax", "Open scores and weights into their steps", &LayerView::open_softmax);
  list.push_back({"view.fit", "Fit the canvas", "View", plain(GLFW_KEY_F),
                  [](Application& a) { a.view().canvas().fit(); }});
}

void add_stage_commands(Commands& list) {
  list.push_back({"stage.next", "Next stage", "Stage", plain(GLFW_KEY_RIGHT),
                  [](Application& a) { step_by(a.view(), a.steps(), 1); }});
  list.push_back({"stage.previous", "Previous stage", "Stage", plain(GLFW_KEY_LEFT),
                  [](Application& a) { step_by(a.view(), a.steps(), -1); }});
  list.push_back({"stage.first", "First stage", "Stage", plain(GLFW_KEY_HOME),
                  [](Application& a) { step_to(a.view(), a.steps(), 0); }});
  list.push_back({"stage.last", "Last stage", "Stage", plain(GLFW_KEY_END),
                  [](Application& a) { step_to(a.view(), a.steps(), kLastStep); }});
  list.push_back({"stage.all", "All stages at full strength", "Stage", plain(GLFW_KEY_A),
                  [](Application& a) { leave_steps(a.view()); }});
  list.push_back({"stage.play", "Play the stages", "Stage", plain(GLFW_KEY_SPACE),
                  [](Application& a) { toggle_play(a.view(), a.steps()); }});
}

void show_next(Application& app, std::ptrdiff_t direction) {
  const auto all = app.workspaces();
  const std::ptrdiff_t count = std::ssize(all), now = &app.workspace() - all.data();
  app.show(all[static_cast<std::size_t>((now + direction + count) % count)]);
}

// One workspace needs no choice.
void add_workspace_commands(const Application& app, Commands& list) {
  if (app.workspaces().size() < 2) return;
  for (const Workspace& workspace : app.workspaces())
    list.push_back(ticked("workspace." + std::string(workspace.name), std::string(workspace.title),
                          "View/Workspace", &workspace == &app.workspace(),
                          [&workspace](Application& a) { a.show(workspace); }));
  list.push_back({"workspace.next", "Next workspace", "View", ctrl(GLFW_KEY_PAGE_DOWN),
                  [](Application& a) { show_next(a, 1); }});
  list.push_back({"workspace.previous", "Previous workspace", "View", ctrl(GLFW_KEY_PAGE_UP),
                  [](Application& a) { show_next(a, -1); }});
}

void add_device_commands(const Application& app, Commands& list) {
  const auto device = [&](const std::string& choice, const std::string& title) {
    list.push_back(ticked("device." + choice, title, "Device", app.view().device_choice() == choice,
                          [choice](Application& a) { a.use_device(choice); }));
  };
  device("auto", "Best device that passes its test");
  device("reference", "Reference (Eigen, double)");
  for (const DeviceChoice& d : app.engine_state().devices) device(std::to_string(d.index), d.title);
  list.push_back(
      {"device.survey", "Look for devices", "Device", {}, [](Application& a) { a.survey_devices(); }});
  list.push_back(
      {"device.retest", "Test all devices again", "Device", {}, [](Application& a) { a.retest_devices(); }});
}

void add_help_commands(Commands& list) {
  list.push_back({"help.palette", "Commands…", "Help", ctrl(GLFW_KEY_P, true), [](Application& a) {
                    Overlays& overlays = a.view().overlays;
                    overlays.palette = !overlays.palette;
                    overlays.palette_text.clear();
                    overlays.palette_choice = 0;
                  }});
  list.push_back({"help.keys", "Keys", "Help", plain(GLFW_KEY_F1),
                  [](Application& a) { a.view().overlays.keys = !a.view().overlays.keys; }});
  list.back().other_keys = {{.key = GLFW_KEY_SLASH, .shift = true}};
}

}  // namespace

TableKey table_key(const Application& app) {
  const EngineState engine = app.engine_state();
  return {.history = app.history().revision(),
          .recent_files = app.store().recent_files(),
          .settings = app.view().settings,
          .device = app.view().device_choice(),
          .layer = app.view().layer,
          .all_in_sight = app.view().canvas().all_in_sight,
          .workspace = &app.workspace(),
          .devices = engine.devices,
          .busy = engine.busy || (engine.rest && engine.rest->running()),
          .stopped = app.stopped(),
          .reading = app.reading(),
          .measuring = app.measuring().running,
          .about_file = app.view().file.about};
}

Commands make_commands(const Application& app) {
  Commands list;
  file_commands(list, app);
  add_edit_commands(app, list);
  add_view_commands(app, list);
  add_workspace_commands(app, list);
  add_stage_commands(list);
  if (app.workspace().commands) app.workspace().commands(list, app);
  add_device_commands(app, list);
  add_help_commands(list);
  return list;
}

}  // namespace attn
