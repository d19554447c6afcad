// The layer by name: what its controls do, for keys, menus and the palette.
#include <algorithm>

#include <GLFW/glfw3.h>

#include "app/canvas/canvas.h"
#include "app/cells/mask_paint.h"
#include "app/fields/field_typing.h"
#include "app/frame/before.h"
#include "app/frame/desk.h"
#include "app/frame/visible_stages.h"
#include "app/frame/workspace.h"
#include "app/layer/layer_controls.h"
#include "core/attention/layer_fields.h"
#include "core/edits/edit_sides.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;
using Change = std::function<void(Document&)>;

constexpr std::size_t kHeadKeys = 9;

// What cannot be computed is refused, and the document stays.
void change(Desk& desk, const Change& edit) {
  edit(desk.draft);
  desk.workspace.build(desk.draft, kLayerA);
}

void add(Commands& table, const std::string& name, const std::string& title, const std::string& menu,
         const Change& edit, bool checked = false) {
  table.push_back({.name = "layer." + name,
                   .title = title,
                   .menu = menu,
                   .run = [edit](Desk& desk) { change(desk, edit); },
                   .enabled = true,
                   .checked = checked});
}

// The words of a field as a menu of their own.
template <class Choice, std::size_t N>
void add_choices(Commands& table, const ChoiceField<Choice, N>& about, const std::string& menu, Choice now,
                 const std::function<void(LayerSpec&, Choice)>& set) {
  for (const auto& word : about.words)
    add(
        table, std::string(about.text.key) + "." + std::string(word.word), std::string(word.title),
        "Edit/Layer/" + menu, [set, choice = word.choice](Document& d) { set(d.layer(), choice); },
        word.choice == now);
}

// Opens a row of the controls for typing.
void add_typing(Commands& table, const std::string& id, const std::string& title, const std::string& text) {
  table.push_back(
      {.name = "layer." + id, .title = title + "…", .menu = "Edit/Layer", .run = [id, text](Desk& desk) {
         desk.view.show_controls();
         start_typing(desk.view, {.id = id, .label = {}, .tooltip = {}}, text);
       }});
}

// The selected cells of scores or weights.
void add_painting(Commands& table, const std::string& name, const std::string& title, Shortcut key,
                  bool all) {
  table.push_back(
      {.name = "layer." + name,
       .title = title,
       .menu = "Edit/Layer/Mask",
       .shortcut = key,
       .run = [all](Desk& desk) {
         const auto results = desk.engine.results;
         if (!results) return;
         change(desk, [&](Document& document) { paint_selection(document, desk.view, results->graph, all); });
       }});
}

void mask_commands(Commands& table, const LayerSpec& layer) {
  for (const MaskRule& rule : new_mask_rules()) {
    const std::size_t kind = rule.index();
    const bool on = std::ranges::count(layer.masks, kind, [](const auto& t) { return t.rule.index(); }) > 0;
    add(
        table, std::string("mask.") + name(rule), std::string(mask_rule_text(rule).title), "Edit/Layer/Mask",
        [kind](Document& d) { toggle_rule(d.layer(), kind); }, on);
  }
  add_painting(table, "mask.paint", "Hide or free the selected cells", plain(GLFW_KEY_M), true);
  if (head_count(layer) > 1)
    add_painting(table, "mask.paint_head", "Hide or free them in this head",
                 {.key = GLFW_KEY_M, .shift = true}, false);
  if (!layer.mask.empty())
    add(
        table, "mask.painted", "Painted", "Edit/Layer/Mask", [](Document& d) { d.layer().mask = {}; }, true);
  add_choices<Fill>(table, layer_field::fill, "Masked scores become", layer.fill,
                    [](LayerSpec& l, Fill fill) { l.fill = fill; });
  if (!weighting_text(weighting_of(layer)).undefined) return;
  add_choices<EmptyRow>(table, layer_field::empty_row, "A row with no key becomes", layer.empty_row,
                        [](LayerSpec& l, EmptyRow row) { l.empty_row = row; });
}

void scoring_commands(Commands& table, const LayerSpec& layer) {
  for (const auto& word : layer_field::scoring.words)
    add(
        table, "score." + std::string(word.word), std::string(word.title), "Edit/Layer/Score",
        [scoring = word.choice](Document& d) { set_scoring(d, scoring); }, layer.scoring == word.choice);
  add_choices<Weighting>(table, layer_field::weighting, "Weighting", layer.weighting,
                         [](LayerSpec& l, Weighting weighting) { l.weighting = weighting; });
  add_typing(table, std::string(layer_field::soft_cap.text.key), "Soft cap", shortest(layer.soft_cap));
  add(
      table, "qk_norm", "Norm of queries and keys", "Edit/Layer",
      [](Document& d) { d.layer().qk_norm = !d.layer().qk_norm; }, layer.qk_norm);
}

void score_commands(Commands& table, const LayerSpec& layer) {
  const auto scale = [&](const char* word, const char* title, ScaleMode mode) {
    add(
        table, std::string("scale.") + word, title, "Edit/Layer/Scale",
        [mode](Document& d) { d.layer().scale.mode = mode; }, layer.scale.mode == mode);
  };
  scale("sqrt", "1/√d_k", ScaleMode::sqrt);
  scale("none", "Off", ScaleMode::none);
  scale("number", "A number", ScaleMode::number);
  add_typing(table, std::string(layer_field::temperature.text.key), "Temperature",
             shortest(layer.temperature));
  add(
      table, "temperature.off", "No temperature", "Edit/Layer",
      [](Document& d) { d.layer().temperature = 1; }, layer.temperature == 1);
}

void size_commands(Commands& table, const LayerSpec& layer) {
  add_typing(table, "tokens", has_own_keys(layer) ? "Queries" : "Tokens", std::to_string(query_count(layer)));
  if (has_own_keys(layer)) add_typing(table, "keys", "Keys", std::to_string(key_count(layer)));
  add_typing(table, "d_k", "Width d_k", std::to_string(key_width(layer)));
  add_typing(table, "d_v", "Width d_v", std::to_string(value_width(layer)));
  const bool memory = has_own_keys(layer);
  add(table, "memory", "Keys from a memory of their own", "Edit/Layer", memory ? remove_memory : add_memory,
      memory);
  if (layer.direct) return;
  add_typing(table, "width", "Width", std::to_string(layer.x.columns()));
  add_typing(table, std::string(layer_field::heads.text.key), "Heads", std::to_string(head_count(layer)));
}

// Q, K and V that are given have nothing that an encoding could be added to.
void position_commands(Commands& table, const LayerSpec& layer) {
  for (std::size_t kind = 0; kind < kPositions.size(); ++kind) {
    const Position position = position_at(kind);
    if (layer.direct && is_added(position)) continue;
    add(
        table, "position." + std::string(kPositions[kind].word), std::string(kPositions[kind].title),
        "Edit/Layer/Position", [position](Document& d) { d.layer().position = position; },
        layer.position.index() == kind);
  }
}

void chance_commands(Commands& table, const LayerSpec& layer) {
  visit_chances([&](const auto& field, double LayerSpec::*number) {
    const std::string key(field.number.text.key);
    add_typing(table, key, std::string(field.title), shortest(layer.*number));
    if (layer.*number == 0) return;
    add(table, key + ".off", std::string(field.off), "Edit/Layer",
        [number](Document& d) { d.layer().*number = 0; });
    add(table, key + ".seed", std::string(field.another), "Edit/Layer",
        [seed = field.seed](Document& d) { ++(d.layer().*seed); });
  });
}

void switch_head(Desk& desk, std::size_t head, bool solo) {
  change(desk, [&](Document& document) {
    if (solo)
      solo_head(document.layer(), desk.view.layer.head = head);
    else
      toggle_head(document.layer(), head);
  });
}

}  // namespace

void head_commands(Commands& table, const LayerSpec& layer) {
  for (std::size_t h = 0; h < std::min(kHeadKeys, head_count(layer)); ++h) {
    const int key = GLFW_KEY_1 + static_cast<int>(h);
    const std::string n = std::to_string(h);
    const bool on = !std::ranges::binary_search(layer.muted_heads, h);
    table.push_back({.name = "head." + n,
                     .title = "Head " + n + " on or off",
                     .menu = "Stage/Heads",
                     .shortcut = {.key = key},
                     .run = [h](Desk& desk) { switch_head(desk, h, false); },
                     .enabled = true,
                     .checked = on});
    table.push_back({.name = "head." + n + ".solo",
                     .title = "Head " + n + " alone",
                     .menu = "Stage/Heads",
                     .shortcut = {.key = key, .alt = true},
                     .run = [h](Desk& desk) { switch_head(desk, h, true); }});
  }
}

namespace {

// The stage that a person has chosen or points at.
std::string meant_stage(const View& view) {
  if (view.grid.selection) return view.grid.selection->anchor.stage;
  const std::optional<Spot>& spot = view.focus();
  return spot ? spot->stage : std::string();
}

void canvas_commands(Commands& table, const Desk& now) {
  const bool all = now.view.canvas().all_in_sight;
  table.push_back({.name = "view.all_in_sight",
                   .title = "All stages in sight, the weights largest",
                   .menu = "View",
                   .shortcut = {.key = GLFW_KEY_F, .shift = true},
                   .run =
                       [](Desk& desk) {
                         CanvasView& canvas = desk.view.canvas();
                         arrange_all(canvas, !canvas.all_in_sight);
                       },
                   .enabled = true,
                   .checked = all});
  table.push_back({.name = "view.fill",
                   .title = "Fill the canvas with the matrix, or show all again",
                   .menu = "View",
                   .shortcut = plain(GLFW_KEY_Z),
                   .run = [](Desk& desk) {
                     CanvasView& canvas = desk.view.canvas();
                     const std::string stage = canvas.filled.empty() ? meant_stage(desk.view) : canvas.filled;
                     if (stage.empty()) throw Error("point at a matrix or click one of its numbers first");
                     toggle_filled(canvas, stage);
                   }});
}

// One key pins what is there and then flips between it and now.
void before_commands(Commands& table) {
  const auto pin = [](Desk& desk) {
    const auto results = desk.engine.results;
    if (!results) throw Error("no snapshot yet: the first numbers are still being computed");
    pin_before(desk.view, results);
    desk.view.say("Snapshot taken. B: show it · Shift+B: discard");
  };
  table.push_back({.name = "view.before",
                   .title = "Take a snapshot, then flip between it and now",
                   .menu = "View",
                   .shortcut = plain(GLFW_KEY_B),
                   .run = [pin](Desk& desk) {
                     BeforeView& before = desk.view.before;
                     if (!before.results) return pin(desk);
                     before.shown = !before.shown;
                   }});
  table.push_back({.name = "view.before.anew", .title = "Take a new snapshot", .menu = "View", .run = pin});
  table.push_back({.name = "view.before.let_go",
                   .title = "Discard the snapshot",
                   .menu = "View",
                   .shortcut = {.key = GLFW_KEY_B, .shift = true},
                   .run = [](Desk& desk) { desk.view.before = {}; }});
}

}  // namespace

void layer_commands(Commands& table, const Desk& now) {
  const LayerSpec& layer = now.draft.layer();
  size_commands(table, layer);
  position_commands(table, layer);
  scoring_commands(table, layer);
  score_commands(table, layer);
  mask_commands(table, layer);
  chance_commands(table, layer);
  head_commands(table, layer);
  canvas_commands(table, now);
  before_commands(table);
}

}  // namespace attn
