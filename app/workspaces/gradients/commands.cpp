// The workspace of gradients by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include "app/canvas/edits.h"
#include "app/workspaces/gradients/row.h"
#include "app/workspaces/gradients/scene.h"
#include "core/gradients/fields.h"
#include "core/gradients/what_if.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;

// `value`: of the draft, or of the view, of a desk.
void add_switch(Commands& table, const SwitchField& field, const std::string& menu, bool on, int key,
                std::function<bool&(Desk&)> value) {
  Command command = ticked("gradients." + std::string(field.text.key), std::string(field.text.title), menu,
                           on, [value = std::move(value)](Desk& desk) {
                             bool& turned = value(desk);
                             turned = !turned;
                           });
  if (key != 0) command.shortcut = plain(key);
  command.says = std::string(field.text.sentence);
  table.push_back(std::move(command));
}

void add_to_part(Commands& table, const Desk& now, const SwitchField& field, const std::string& menu,
                 bool GradientsSpec::*on) {
  add_switch(table, field, menu, now.draft.gradients.*on, 0,
             [on](Desk& desk) -> bool& { return desk.draft.gradients.*on; });
}

void add_to_view(Commands& table, const Desk& now, const SwitchField& field, bool GradientsView::*on,
                 int key = 0) {
  add_switch(table, field, std::string(kGradientsMenu) + "/Show", now.view.of<GradientsView>().*on, key,
             [on](Desk& desk) -> bool& { return desk.view.of<GradientsView>().*on; });
}

// Of the pinned number of the output, where one is.
void make_one_hot(Desk& desk) {
  GradientsSpec& spec = desk.draft.gradients;
  spec.loss = LossKind::one_hot;
  if (!has_numbers(desk.engine.results)) return;
  if (const auto cell = pinned_output(*desk.engine.results, desk.view))
    spec.row = cell->row, spec.column = cell->column;
}

// The first that is tried; of none the one that teaches most.
WhatIf compared_what_if(const GradientsSpec& spec) {
  const std::vector<WhatIf> tried = what_ifs_of(spec);
  return tried.empty() ? WhatIf::scale_off : tried.front();
}

// By the workspace that compares layers.
void compare_what_if(Desk& desk) {
  const Workspace* compares = taking(desk.workspaces, ImportKind::layer);
  if (!compares) return;
  const WhatIf what = compared_what_if(desk.draft.gradients);
  compares->take(desk.draft, desk.view, {.points = {}, .other = otherwise(desk.draft, what)});
  desk.asks.emplace_back(ShowWorkspace{compares});
}

}  // namespace

void gradients_commands(Commands& table, const Desk& now) {
  namespace f = gradients_field;
  namespace v = gradients_view_field;
  const std::string menu = kGradientsMenu;
  add_choices(table, "gradients", menu + "/Loss", f::loss, &Document::gradients, &GradientsSpec::loss,
              now.draft);
  add_choices(table, "gradients", menu + "/Target", f::target, &Document::gradients, &GradientsSpec::target,
              now.draft);
  table.push_back({.name = "gradients.one_hot",
                   .title = "One-hot, of the pinned output",
                   .menu = menu,
                   .shortcut = plain(GLFW_KEY_O),
                   .run = make_one_hot});
  const auto what_if = [&](const SwitchField& field, bool GradientsSpec::*on) {
    add_to_part(table, now, field, menu + "/What if", on);
  };
  what_if(f::scale_off, &GradientsSpec::scale_off);
  what_if(f::cold, &GradientsSpec::cold);
  what_if(f::no_mask, &GradientsSpec::no_mask);
  what_if(f::large_inputs, &GradientsSpec::large_inputs);
  table.push_back({.name = kCompareWhatIf,
                   .title = "Compare, " + std::string(title_of(compared_what_if(now.draft.gradients))),
                   .menu = menu,
                   .run = compare_what_if,
                   .says = "this layer and that one side by side, stage by stage; Ctrl+Z goes back"});
  add_to_view(table, now, v::weights, &GradientsView::weights, GLFW_KEY_W);
  add_to_view(table, now, v::numbers, &GradientsView::numbers);
  add_to_part(table, now, f::times_number, menu + "/Show", &GradientsSpec::times_number);
  add_to_view(table, now, v::logarithmic, &GradientsView::logarithmic);
  add_to_view(table, now, v::own_range, &GradientsView::own_range);
  proof_commands(table, now);
  descent_commands(table, now);
}

}  // namespace attn
