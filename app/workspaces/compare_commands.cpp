// The workspace that compares by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/application.h"
#include "app/workspaces/compare.h"
#include "app/workspaces/compare_scene.h"
#include "app/workspaces/edits.h"
#include "core/compare/compare_fields.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;
constexpr const char* kCompareMenu = "Edit/Compare";

void beside_by_reference(Document& document, Application&) {
  copy_a(document);
  set_by_reference(document.compare, shown_beside(document), true);
}

void beside_in_float16(Document& document, Application&) {
  copy_a(document);
  TypedLayer beside = typed_layer(document);
  document.layer().precision = NumberFormat::float32;
  beside.layer.precision = NumberFormat::float16;
  put_layer(document, beside, shown_beside(document));
}

void show_next(Document& document, Application& app) {
  CompareSpec& spec = document.compare;
  CompareView& view = app.view().compare;
  if (view.controls_a) {
    view.controls_a = false, spec.shown = 0;
  } else if (document.has({spec.shown + 2})) {
    ++spec.shown;
  } else {
    view.controls_a = true;
  }
}

}  // namespace

void take_layer_beside(Document& document, View& view, const Document& other) {
  put_layer(document, typed_layer(other), shown_beside(document));
  view.compare.controls_a = false;
}

void compare_commands(Commands& table, const Application& app) {
  const CompareSpec& spec = app.document().compare;
  const auto add = [&](const char* name, const char* title, Shortcut key,
                       std::function<void(Document&, Application&)> edit) {
    table.push_back({name, title, kCompareMenu, key, edit_command(std::move(edit))});
  };
  add("compare.swap", "Swap A and the layer beside it", plain(GLFW_KEY_X),
      [](Document& d, Application&) { swap_with_a(d); });
  add("compare.copy", "Make the layer beside A a copy of it", plain(GLFW_KEY_K),
      [](Document& d, Application&) { copy_a(d); });
  table.push_back({"compare.open", "Open a file beside A…", kCompareMenu, plain(GLFW_KEY_O),
                   [](Application& a) { a.ask_for_file(false, false, true); }});
  add("compare.add", "One more copy of A", plain(GLFW_KEY_N),
      [](Document& d, Application&) { add_layer(d); });
  add("compare.remove", "Remove the layer beside A", plain(GLFW_KEY_R),
      [](Document& d, Application&) { remove_layer(d); });
  add("compare.next", "Controls of the next layer", plain(GLFW_KEY_L), show_next);
  add("compare.reference", "The device against the reference", {}, beside_by_reference);
  add("compare.float16", "float16 against float32", {}, beside_in_float16);
  for (const auto& word : compare_field::figure.words)
    table.push_back(ticked(
        "compare.show." + std::string(word.word), std::string(word.title), "Edit/Compare/Show",
        spec.figure == word.choice,
        edit_command([choice = word.choice](Document& d, Application&) { d.compare.figure = choice; })));
  table.push_back(
      {"compare.same_colours", "The same colours", kCompareMenu, plain(GLFW_KEY_M),
       edit_command([](Document& d, Application&) { d.compare.same_colours = !d.compare.same_colours; }),
       true, spec.same_colours});
}

}  // namespace attn
