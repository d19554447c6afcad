// The controls of the workspace that compares: which layers, what is shown of them, and the layer's own.
#include <algorithm>

#include "app/widgets/chips.h"
#include "app/workspaces/compare.h"
#include "app/workspaces/compare_scene.h"
#include "app/workspaces/layer_controls.h"
#include "core/compare/compare_fields.h"

namespace attn {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string words_of_differences(const Document& document, std::size_t place) {
  const std::vector<std::string> words = differences_from_a(document, place);
  return words.empty() ? "nothing: as A" : list_of(words);
}

void layer_chips(Frame& frame, Column column) {
  CompareSpec& spec = frame.draft.compare;
  bool& of_a = frame.view.compare.controls_a;
  section(frame, column, "Layers");
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "compare.a",
               .text = "A",
               .tooltip = "the layer of the Pipeline: the controls below are its",
               .on = of_a}))
    of_a = true;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, spec.variants); ++i)
    if (row.add({.id = "compare." + std::string(kVariants[i].key),
                 .text = std::string(kVariants[i].name),
                 .tooltip = words_of_differences(frame.draft, i) + "; the controls below are its",
                 .on = !of_a && shown_variant(spec) == i}))
      of_a = false, spec.shown = i;
}

void edit_chips(Frame& frame, Column column) {
  const CompareSpec& spec = frame.draft.compare;
  ChipRow row(frame.theme, column.left, column.right);
  const auto add = [&](const char* command, const char* text, const std::string& tooltip) {
    if (row.add({.id = command, .text = text, .tooltip = tooltip})) frame.commands.emplace_back(command);
  };
  const std::string name = beside_name(spec);
  add("compare.copy", "copy A", name + " becomes a copy of A");
  add("compare.swap", "swap", "A becomes " + name + ", and " + name + " becomes A");
  add("compare.open", "open…", name + " becomes the layer of a session or another file");
  if (spec.variants < kMostVariants) add("compare.add", "+ another", "one more copy of A, to be changed");
  if (spec.variants > 0) add("compare.remove", "remove", name + " goes");
}

void show_chips(Frame& frame, Column column) {
  CompareSpec& spec = frame.draft.compare;
  section(frame, column, "Show");
  ChipRow row(frame.theme, column.left, column.right);
  for (const auto& word : compare_field::figure.words)
    if (row.add({.id = "show " + std::string(word.word),
                 .text = std::string(word.title),
                 .tooltip = std::string(compare_field::figure.text.sentence),
                 .on = spec.figure == word.choice}))
      spec.figure = word.choice;
  if (row.add({.id = "same colours",
               .text = std::string(compare_field::same_colours.text.title),
               .tooltip = std::string(compare_field::same_colours.text.sentence),
               .on = spec.same_colours}))
    spec.same_colours = !spec.same_colours;
}

void ready_chips(Frame& frame, Column column) {
  section(frame, column, "Ready-made");
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "compare.reference",
               .text = "device against reference",
               .tooltip = "B is A, computed by the reference in double"}))
    frame.commands.emplace_back("compare.reference");
  if (row.add({.id = "compare.float16",
               .text = "float16 against float32",
               .tooltip = "B is A with every number rounded to float16"}))
    frame.commands.emplace_back("compare.float16");
}

void difference_words(Frame& frame, Column column) {
  const Document& draft = frame.draft;
  const std::size_t place = shown_variant(draft.compare);
  section(frame, column, (beside_name(draft.compare) + " differs in").c_str());
  hint(frame, column, words_of_differences(draft, place));
  section(frame, column, "Shared with A");
  const std::vector<std::string> shared = shared_fields(draft.layer, variant(draft, place));
  hint(frame, column, shared.empty() ? "nothing" : list_of(shared));
}

// The controls of a layer are those of the Pipeline's: the other one stands there while they are drawn.
void controls_of_beside(Frame& frame, Column column) {
  const TypedLayer a = layer_a(frame.draft);
  const std::size_t place = shown_variant(frame.draft.compare);
  const TypedLayer before = layer_beside(frame.draft, place);
  put_a(frame.draft, before);
  draw_layer_controls(frame, column);
  const TypedLayer after = layer_a(frame.draft);
  put_a(frame.draft, a);
  if (!(after == before)) put_beside(frame.draft, place, after);
}

}  // namespace

void draw_compare_controls(Frame& frame, Column column) {
  layer_chips(frame, column);
  edit_chips(frame, column);
  difference_words(frame, column);
  show_chips(frame, column);
  ready_chips(frame, column);
  if (frame.view.compare.controls_a)
    draw_layer_controls(frame, column);
  else
    controls_of_beside(frame, column);
}

}  // namespace attn
