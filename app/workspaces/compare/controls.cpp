// The controls of the workspace that compares: which layers, what they differ in, what is shown of them, and
// the layer's own.
#include <optional>

#include "app/layer/layer_controls.h"
#include "app/widgets/chips.h"
#include "app/workspaces/compare/check_scene.h"
#include "app/workspaces/compare/row.h"
#include "app/workspaces/compare/scene.h"
#include "app/workspaces/compare/view.h"
#include "core/compare/fields.h"
#include "core/document/edit.h"

namespace attn {
namespace {

std::string words_of_differences(const Document& document, Address address) {
  std::string text;
  for (const LayerDifference& one : differences_from_a(document, address))
    text += (text.empty() ? "" : ", ") + one.b;
  return text.empty() ? "as A" : text;
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
                 .on = !of_a && compared_address(frame.draft) == at}))
      of_a = false, show_compared(frame.draft, at);
  const auto run = [&](const char* command, const std::string& text, const std::string& tooltip) {
    if (row.add({.id = command, .text = text, .tooltip = tooltip})) frame.commands.emplace_back(command);
  };
  const std::string name = compared_name(frame.draft);
  run("compare.swap", "swap", "A becomes " + name + ", and " + name + " becomes A");
  const std::size_t next = std::max<std::size_t>(2, frame.draft.layers.size());
  if (next < kAddresses.size())
    run("compare.add", "+ " + std::string(text_of({next}).name), "add another layer to compare with A");
  if (frame.draft.has({2})) run("compare.remove", "remove " + name, name + " goes");
}

void show_chips(Frame& frame, Column column) {
  CompareSpec& spec = frame.draft.compare;
  section(frame, column, "Difference");
  ChipRow row(frame.theme, column.left, column.right);
  for (const auto& word : compare_field::figure.words)
    if (row.add({.id = "show " + std::string(word.word),
                 .text = std::string(word.title),
                 .tooltip = std::string(compare_field::figure.text.sentence),
                 .on = spec.figure == word.choice}))
      spec.figure = word.choice;
  const auto turn = [&](const char* id, const char* tooltip, bool& on) {
    if (row.add({.id = id, .text = id, .tooltip = tooltip, .on = on})) on = !on;
  };
  turn("same colours", "the numbers of A and B in one range of colours, so that they compare",
       spec.same_colours);
  turn("equal stages", "stages whose numbers are the same in both, open as well",
       frame.view.of<CompareView>().equal_stages);
}

void difference_controls(Frame& frame, Column column) {
  const std::string name = compared_name(frame.draft);
  section(frame, column, name + " differs in");
  if (differences_from_a(frame.draft, compared_address(frame.draft)).empty())
    hint(frame, column, "nothing: no difference left");
  made_chips(frame, column.left, column.right);
  section(frame, column, "Add a difference");
  difference_chips(frame, column.left, column.right);
  hint(frame, column, "Or edit any number in column " + name + ". What you don’t change follows A.");
}

// One that the document has not yet becomes its own with the first change.
void controls_of_compared(Frame& frame, Column column) {
  const Address compared = compared_address(frame.draft);
  std::optional<std::pair<Document, Document>> without_and_with;
  if (!frame.draft.has(compared)) {
    without_and_with.emplace(frame.draft, frame.draft);
    begin_layer(without_and_with->second, compared);
    frame.draft = without_and_with->second;
  }
  frame.address = compared;
  draw_layer_controls(frame, column);
  frame.address = kLayerA;
  if (without_and_with && frame.draft == without_and_with->second) frame.draft = without_and_with->first;
}

}  // namespace

void draw_compare_controls(Frame& frame, Column column) {
  check_chips(frame, column);
  if (frame.draft.check.on) return draw_check_controls(frame, column);
  layer_chips(frame, column);
  difference_controls(frame, column);
  show_chips(frame, column);
  const bool of_a = frame.view.of<CompareView>().controls_a;
  section(frame, column, "Layer " + (of_a ? std::string(text_of(kLayerA).name) : compared_name(frame.draft)));
  if (of_a)
    draw_layer_controls(frame, column);
  else
    controls_of_compared(frame, column);
}

}  // namespace attn
