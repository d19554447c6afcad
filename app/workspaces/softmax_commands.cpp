// The workspace of the softmax by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/application.h"
#include "app/workspaces/edits.h"
#include "app/workspaces/softmax.h"
#include "app/workspaces/softmax_scene.h"
#include "core/attention/pipeline.h"
#include "core/error.h"
#include "core/softmax/book.h"
#include "core/softmax/softmax_fields.h"
#include "core/text.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;
constexpr const char* kSoftmaxMenu = "Edit/Softmax";

// The edit is handed the view, and what was worked out of the row: null before there are results.
using RowEdit = std::function<void(Document&, View&, const SoftmaxMemo*)>;

void add_edit(Commands& table, std::string name, std::string title, const std::string& menu, Shortcut key,
              RowEdit edit, bool checked = false) {
  table.push_back({"softmax." + std::move(name), std::move(title), menu, key,
                   edit_command([edit = std::move(edit)](Document& document, View& view) {
                     edit(document, view, view.softmax.memory.memo.get());
                   }),
                   true, checked});
}

void add_to_spec(Commands& table, std::string name, std::string title, const std::string& menu, Shortcut key,
                 std::function<void(SoftmaxSpec&)> edit, bool checked = false) {
  add_edit(
      table, std::move(name), std::move(title), menu, key,
      [edit = std::move(edit)](Document& d, View&, const SoftmaxMemo*) { edit(d.softmax); }, checked);
}

std::size_t selected_key(const View& view, const SoftmaxMemo* memo) {
  if (!memo || !view.softmax.key || *view.softmax.key >= memo->names->size())
    throw Error("no key is selected: click a bar or press N");
  return *view.softmax.key;
}

void add_key_at_end(Document& document, View& view, const SoftmaxMemo* memo) {
  if (memo && document.softmax.source == RowSource::layer)
    add_shown_key(document, *memo);
  else
    add_key(document.softmax, std::to_string(document.softmax.scores.columns()), 0);
  view.softmax.key = document.softmax.scores.columns() - 1;
}

void remove_selected(Document& document, View& view, const SoftmaxMemo* memo) {
  remove_shown_key(document, *memo, selected_key(view, memo));
  view.softmax.key.reset();
}

void mask_selected(Document& document, View& view, const SoftmaxMemo* memo) {
  const std::size_t key = selected_key(view, memo);
  const Tensor& input = memo->results->outputs[memo->layout.input];
  mask_key(document, key, input[{0, 0, key}] != -HUGE_VALF);
}

// The number that is pinned in the Pipeline says which row; else today's query and head.
void take_layer_row(Document& document, View& view, const SoftmaxMemo*) {
  SoftmaxSpec& spec = document.softmax;
  spec.source = RowSource::layer;
  if (!view.pinned) return;
  const Graph graph = build_pipeline(document).graph;
  const auto stage = graph.find(view.pinned->stage);
  if (!stage || graph.stages[*stage].rows.along != Axis::queries) return;
  spec.query = view.pinned->cell.row, spec.head = view.pinned->cell.head;
}

void show_in_pipeline(Application& app) {
  if (app.document().softmax.source != RowSource::layer)
    return app.say("this row is your own: R takes one of the layer", true);
  const SoftmaxMemo* memo = app.view().softmax.memory.memo.get();
  if (!memo || !memo->layout.from) return;
  const LayerRow from = *memo->layout.from;
  const std::size_t key = app.view().softmax.key.value_or(memo->heaviest[0]);
  for (const Workspace& workspace : app.workspaces())
    if (workspace.build == kPipelinePlan.build) app.show(workspace);
  app.view().layer.head = from.head;
  app.view().pinned = Spot{from.stage, {from.head, from.query, key}};
  app.view().canvas().reveal = from.stage;
}

std::function<void(Application&)> step_key(std::ptrdiff_t by) {
  return [by](Application& app) {
    const SoftmaxMemo* memo = app.view().softmax.memory.memo.get();
    if (!memo || !memo->names) return;
    const auto count = static_cast<std::ptrdiff_t>(memo->names->size());
    auto& key = app.view().softmax.key;
    const std::ptrdiff_t at = key ? static_cast<std::ptrdiff_t>(*key) + by : by > 0 ? 0 : count - 1;
    key = static_cast<std::size_t>((at + count) % count);
  };
}

void type_selected(Application& app) {
  const View& view = app.view();
  const SoftmaxMemo* memo = view.softmax.memory.memo.get();
  try {
    const std::size_t key = selected_key(view, memo);
    type_score(app.view(), shortest(memo->results->outputs[memo->layout.scores][{0, 0, key}]));
  } catch (const Error& error) {
    app.say(error.what(), true);
  }
}

void add_choices(Commands& table, const SoftmaxSpec& spec) {
  for (std::size_t i = 0; i < kWeightings.size(); ++i) {
    const auto weighting = static_cast<Weighting>(i);
    add_to_spec(
        table, "weighting." + std::string(kWeightings[i].word),
        std::string(kWeightings[i].title) + ": " + std::string(kWeightings[i].formula),
        "Edit/Softmax/Instead of softmax", {},
        [weighting](SoftmaxSpec& s) { toggle_weighting(s, weighting); },
        std::ranges::count(spec.weightings, weighting) > 0);
  }
  for (const auto& word : softmax_field::format.words)
    add_to_spec(
        table, "format." + std::string(word.word), std::string(word.title), "Edit/Softmax/Numbers", {},
        [choice = word.choice](SoftmaxSpec& s) { s.format = choice; }, spec.format == word.choice);
  for (std::size_t i = 0; i < book_rows().size(); ++i)
    add_to_spec(table, "book." + std::to_string(i), std::string(book_rows()[i].title),
                "Edit/Softmax/Check the book", {}, [i](SoftmaxSpec& s) { take_book_row(s, book_rows()[i]); });
}

void next_products(SoftmaxSpec& spec) {
  const auto words = softmax_field::products.words;
  spec.products = words[(softmax_field::products.index_of(spec.products) + 1) % words.size()].choice;
}

}  // namespace

void softmax_commands(Commands& table, const Application& app) {
  const SoftmaxSpec& spec = app.document().softmax;
  add_edit(table, "add_key", "Add a key", kSoftmaxMenu, plain(GLFW_KEY_INSERT), add_key_at_end);
  add_edit(table, "remove_key", "Remove the selected key", kSoftmaxMenu,
           {.key = GLFW_KEY_DELETE, .shift = true}, remove_selected);
  add_edit(table, "mask_key", "Mask the selected key, or show it", kSoftmaxMenu, plain(GLFW_KEY_M),
           mask_selected);
  table.push_back({"softmax.type_score", "Type the selected key's score", kSoftmaxMenu, plain(GLFW_KEY_E),
                   type_selected});
  table.push_back({"softmax.next_key", "Select the next key", kSoftmaxMenu, plain(GLFW_KEY_N), step_key(1)});
  table.push_back({"softmax.previous_key",
                   "Select the key before",
                   kSoftmaxMenu,
                   {.key = GLFW_KEY_N, .shift = true},
                   step_key(-1)});
  add_edit(table, "layer_row", "The row of the layer, the pinned one", kSoftmaxMenu, plain(GLFW_KEY_R),
           take_layer_row, spec.source == RowSource::layer);
  add_edit(table, "own_row", "Take the row as your own", kSoftmaxMenu, plain(GLFW_KEY_O),
           [](Document& d, View&, const SoftmaxMemo* memo) {
             if (memo) take_row(d, *memo);
           });
  table.push_back({"softmax.show_in_pipeline", "Show the row in the Pipeline", kSoftmaxMenu,
                   plain(GLFW_KEY_P), show_in_pipeline});
  const auto turn = [&](const char* name, const char* title, int key, double notches) {
    add_to_spec(table, name, title, kSoftmaxMenu, plain(key),
                [notches](SoftmaxSpec& s) { turn_temperature(s, notches); });
  };
  turn("hotter", "A higher temperature", GLFW_KEY_UP, 1);
  turn("colder", "A lower temperature", GLFW_KEY_DOWN, -1);
  add_to_spec(table, "hard", "Temperature 0: hard", kSoftmaxMenu, {},
              [](SoftmaxSpec& s) { s.temperature = 0; });
  add_to_spec(table, "usual", "Temperature 1", kSoftmaxMenu, plain(GLFW_KEY_T),
              [](SoftmaxSpec& s) { s.temperature = 1; });
  add_to_spec(
      table, "without_max", "Without subtracting the maximum", kSoftmaxMenu, {},
      [](SoftmaxSpec& s) { s.subtract_maximum = !s.subtract_maximum; }, !spec.subtract_maximum);
  add_to_spec(
      table, "by_pairs", "Sums by pairs", kSoftmaxMenu, {},
      [](SoftmaxSpec& s) {
        s.summation = s.summation == SumOrder::pairs ? SumOrder::in_order : SumOrder::pairs;
      },
      spec.summation == SumOrder::pairs);
  add_to_spec(table, "products", "Products raw, scaled or both", kSoftmaxMenu, plain(GLFW_KEY_V),
              next_products);
  add_choices(table, spec);
}

}  // namespace attn
