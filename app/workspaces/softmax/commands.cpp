// The workspace of the softmax by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/canvas/edits.h"
#include "app/frame/desk.h"
#include "app/frame/workspace.h"
#include "app/workspaces/softmax/row.h"
#include "app/workspaces/softmax/scene.h"
#include "app/workspaces/softmax/view.h"
#include "core/document/layer_plan.h"
#include "core/softmax/book.h"
#include "core/softmax/fields.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;
constexpr const char* kSoftmaxMenu = "Edit/Softmax";

// The edit is handed the results on screen: null before there are any.
using RowEdit = std::function<void(Document&, Desk&, const Results*)>;

// Of the workspace on screen.
const Results* shown_row(const Desk& desk) {
  const auto& results = desk.engine.results;
  return has_numbers(results) ? results.get() : nullptr;
}

void add_edit(Commands& table, std::string name, std::string title, const std::string& menu, Shortcut key,
              RowEdit edit, bool checked = false) {
  table.push_back({.name = "softmax." + std::move(name),
                   .title = std::move(title),
                   .menu = menu,
                   .shortcut = key,
                   .run = [edit = std::move(edit)](Desk& desk) { edit(desk.draft, desk, shown_row(desk)); },
                   .enabled = true,
                   .checked = checked});
}

void add_to_spec(Commands& table, std::string name, std::string title, const std::string& menu, Shortcut key,
                 std::function<void(SoftmaxSpec&)> edit, bool checked = false) {
  add_edit(
      table, std::move(name), std::move(title), menu, key,
      [edit = std::move(edit)](Document& d, Desk&, const Results*) { edit(d.softmax); }, checked);
}

const Tensor& row_scores(const Results& shown) {
  return shown.outputs[shown.places.as<SoftmaxPlaces>()->scores].whole();
}

std::size_t selected_key(const Desk& desk, const Results* shown) {
  const auto& key = desk.view.of<SoftmaxView>().key;
  if (!shown || !key || *key >= row_scores(*shown).columns())
    throw Error("no key is selected: click a bar or press N");
  return *key;
}

void add_key_at_end(Document& document, Desk& desk, const Results* shown) {
  if (shown && document.softmax.source == RowSource::layer)
    add_shown_key(document, *shown);
  else
    add_key(document.softmax, std::to_string(document.softmax.scores.columns()), 0);
  desk.view.of<SoftmaxView>().key = document.softmax.scores.columns() - 1;
}

void remove_selected(Document& document, Desk& desk, const Results* shown) {
  const std::size_t key = selected_key(desk, shown);
  remove_shown_key(document, *shown, key);
  desk.view.of<SoftmaxView>().key.reset();
}

void mask_selected(Document& document, Desk& desk, const Results* shown) {
  const std::size_t key = selected_key(desk, shown);
  const SoftmaxPlaces& places = *shown->places.as<SoftmaxPlaces>();
  const Tensor& input = shown->outputs[places.input].whole();
  mask_key(document, key, input[{0, 0, key}] != -HUGE_VALF, places.from);
}

// The number that is pinned in the Pipeline says which row; else today's query and head.
void take_layer_row(Document& document, Desk& desk, const Results*) {
  const View& view = desk.view;
  SoftmaxSpec& spec = document.softmax;
  spec.source = RowSource::layer;
  if (!view.pinned) return;
  const Graph graph = build_layer(document).graph;
  const auto stage = graph.find(view.pinned->stage);
  if (!stage || graph.stages[*stage].rows.along != Axis::queries) return;
  spec.query = view.pinned->cell.row, spec.head = view.pinned->cell.head;
}

void show_in_pipeline(Desk& desk) {
  if (desk.draft.softmax.source != RowSource::layer)
    throw Error("this row is your own: R takes one of the layer");
  const Results* shown = shown_row(desk);
  const Workspace* shows = showing(desk.workspaces, kLayerPlan);
  if (!shown || !shown->places.as<SoftmaxPlaces>()->from || !shows) return;
  const LayerRow from = *shown->places.as<SoftmaxPlaces>()->from;
  const std::size_t heaviest = softmax_memo(desk.memos, desk.engine.results).heaviest[0];
  const std::size_t key = desk.view.of<SoftmaxView>().key.value_or(heaviest);
  desk.asks.emplace_back(ShowWorkspace{shows});
  desk.view.layer.head = from.head;
  desk.view.pinned = Spot{from.stage, {from.head, from.query, key}};
  desk.view.canvases[shows].reveal = from.stage;
}

std::function<void(Desk&)> step_key(std::ptrdiff_t by) {
  return [by](Desk& desk) {
    const Results* shown = shown_row(desk);
    if (!shown) return;
    const auto count = static_cast<std::ptrdiff_t>(row_scores(*shown).columns());
    auto& key = desk.view.of<SoftmaxView>().key;
    const std::ptrdiff_t at = key ? static_cast<std::ptrdiff_t>(*key) + by : by > 0 ? 0 : count - 1;
    key = static_cast<std::size_t>((at + count) % count);
  };
}

void type_selected(Desk& desk) {
  try {
    const Results* shown = shown_row(desk);
    const std::size_t key = selected_key(desk, shown);
    type_score(desk.view, shortest(row_scores(*shown)[{0, 0, key}]));
  } catch (const Error& error) {
    desk.view.say(error.what(), true);
  }
}

void softmax_lists(Commands& table, const Document& now) {
  const SoftmaxSpec& spec = now.softmax;
  for (std::size_t i = 0; i < kWeightings.size(); ++i) {
    const auto weighting = static_cast<Weighting>(i);
    add_to_spec(
        table, "weighting." + std::string(kWeightings[i].word),
        std::string(kWeightings[i].title) + ": " + std::string(kWeightings[i].formula),
        "Edit/Softmax/Instead of softmax", {},
        [weighting](SoftmaxSpec& s) { toggle_weighting(s, weighting); },
        std::ranges::count(spec.weightings, weighting) > 0);
  }
  add_choices(table, "softmax", "Edit/Softmax/Numbers", softmax_field::format, &Document::softmax,
              &SoftmaxSpec::format, now);
  for (std::size_t i = 0; i < book_rows().size(); ++i)
    add_to_spec(table, "book." + std::to_string(i), std::string(book_rows()[i].title),
                "Edit/Softmax/Check the book", {}, [i](SoftmaxSpec& s) { take_book_row(s, book_rows()[i]); });
}

void next_products(SoftmaxSpec& spec) {
  const auto words = softmax_field::products.words;
  spec.products = words[(softmax_field::products.index_of(spec.products) + 1) % words.size()].choice;
}

}  // namespace

void softmax_commands(Commands& table, const Desk& now) {
  const SoftmaxSpec& spec = now.draft.softmax;
  add_edit(table, "add_key", "Add a key", kSoftmaxMenu, plain(GLFW_KEY_INSERT), add_key_at_end);
  add_edit(table, "remove_key", "Remove the selected key", kSoftmaxMenu,
           {.key = GLFW_KEY_DELETE, .shift = true}, remove_selected);
  add_edit(table, "mask_key", "Mask the selected key, or show it", kSoftmaxMenu, plain(GLFW_KEY_M),
           mask_selected);
  table.push_back({.name = "softmax.type_score",
                   .title = "Type the selected key's score",
                   .menu = kSoftmaxMenu,
                   .shortcut = plain(GLFW_KEY_E),
                   .run = type_selected});
  table.push_back({.name = "softmax.next_key",
                   .title = "Select the next key",
                   .menu = kSoftmaxMenu,
                   .shortcut = plain(GLFW_KEY_N),
                   .run = step_key(1)});
  table.push_back({.name = "softmax.previous_key",
                   .title = "Select the key before",
                   .menu = kSoftmaxMenu,
                   .shortcut = {.key = GLFW_KEY_N, .shift = true},
                   .run = step_key(-1)});
  add_edit(table, "layer_row", "The row of the layer, the pinned one", kSoftmaxMenu, plain(GLFW_KEY_R),
           take_layer_row, spec.source == RowSource::layer);
  add_edit(table, "own_row", "Take the row as your own", kSoftmaxMenu, plain(GLFW_KEY_O),
           [](Document& d, Desk&, const Results* shown) {
             if (shown) take_row(d, *shown);
           });
  table.push_back({.name = "softmax.show_in_pipeline",
                   .title = "Show the row in the Pipeline",
                   .menu = kSoftmaxMenu,
                   .shortcut = plain(GLFW_KEY_P),
                   .run = show_in_pipeline});
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
  softmax_lists(table, now.draft);
}

}  // namespace attn
