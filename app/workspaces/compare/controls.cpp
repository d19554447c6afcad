// The controls of the workspace that compares: which layers, what is shown of them, and the layer's own.
#include <optional>

#include "app/layer/layer_controls.h"
#include "app/widgets/chips.h"
#include "app/workspaces/compare/row.h"
#include "app/workspaces/compare/scene.h"
#include "app/workspaces/compare/view.h"
#include "core/compare/fields.h"
#include "core/document/edit.h"

namespace attn {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string words_of_differences(const Document& document, Address address) {
  const std::vector<std::string> words = differences_from_a(document, address);
  return words.empty() ? "nothing: as A" : list_of(words);
}

void layer_chips(Frame& frame, Column column) {
  bool& of_a = frame.view.of<CompareView>().controls_a;
  section(frame, column, "Layers");
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "compare.a",
               .text = "A",
               .tooltip = "the layer of the Pipeline: the controls below are its",
               .on = of_a}))
    of_a = true;
  for (Address at = kLayerB; at == kLayerB || frame.draft.has(at); ++at.layer)
    if (row.add({.id = "compare." + std::string(text_of(at).key),
                 .text = std::string(text_of(at).name),
                 .tooltip = words_of_differences(frame.draft, at) + "; the controls below are its",
                 .on = !of_a && shown_beside(frame.draft) == at}))
      of_a = false, show_beside(frame.draft, at);
}

void edit_chips(Frame& frame, Column column) {
  ChipRow row(frame.theme, column.left, column.right);
  const auto add = [&](const char* command, const char* text, const std::string& tooltip) {
    if (row.add({.id = command, .text = text, .tooltip = tooltip})) frame.commands.emplace_back(command);
  };
  const std::string name = beside_name(frame.draft);
  add("compare.copy", "copy A", name + " becomes a copy of A");
  add("compare.swap", "swap", "A becomes " + name + ", and " + name + " becomes A");
  add("compare.open", "open…", name + " becomes the layer of a session or another file");
  if (frame.draft.layers.size() < kAddresses.size())
    add("compare.add", "+ another", "one more copy of A, to be changed");
  if (frame.draft.has(kLayerB)) add("compare.remove", "remove", name + " goes");
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
  const Address beside = shown_beside(draft);
  section(frame, column, beside_name(draft) + " differs in");
  hint(frame, column, words_of_differences(draft, beside));
  section(frame, column, "Shared with A");
  const std::vector<std::string> shared = shared_fields(draft.layer(), layer_or_a(draft, beside));
  hint(frame, column, shared.empty() ? "nothing" : list_of(shared));
}

// One that is A as it is becomes a layer of its own with the first change.
void controls_of_beside(Frame& frame, Column column) {
  const Address beside = shown_beside(frame.draft);
  std::optional<std::pair<Document, Document>> without_and_with;
  if (!frame.draft.has(beside)) {
    without_and_with.emplace(frame.draft, frame.draft);
    begin_layer(without_and_with->second, beside);
    frame.draft = without_and_with->second;
  }
  frame.address = beside;
  draw_layer_controls(frame, column);
  frame.address = kLayerA;
  if (without_and_with && frame.draft == without_and_with->second) frame.draft = without_and_with->first;
}

}  // namespace

void draw_compare_controls(Frame& frame, Column column) {
  layer_chips(frame, column);
  edit_chips(frame, column);
  difference_words(frame, column);
  show_chips(frame, column);
  ready_chips(frame, column);
  if (frame.view.of<CompareView>().controls_a)
    draw_layer_controls(frame, column);
  else
    controls_of_beside(frame, column);
}

}  // namespace attn
