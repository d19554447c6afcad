// The stack's own edits by name: its wiring, norms, weights and boxes.
#include <GLFW/glfw3.h>

#include "app/frame/desk.h"
#include "app/workspaces/stack/commands.h"
#include "core/document/stack_edit.h"
#include "core/system/error.h"
#include "core/transformer/fields.h"
#include "core/transformer/made.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;

// The words of a field as commands of a menu; `set` edits the draft.
template <class Choice, std::size_t N>
void add_stack_choices(Commands& table, const ChoiceField<Choice, N>& about, Choice now,
                       void (*set)(Document&, Choice)) {
  const std::string menu = kStackEditMenu + std::string("/");
  for (const auto& word : about.words) {
    Command command =
        ticked("stack." + std::string(about.text.key) + "." + std::string(word.word), std::string(word.title),
               menu + std::string(about.text.key == "norm_at" ? "where norms stand" : about.text.title),
               now == word.choice, [set, choice = word.choice](Desk& desk) { set(desk.draft, choice); });
    command.says = std::string(about.text.sentence);
    table.push_back(std::move(command));
  }
}

void add_feed_forwards(Commands& table, const StackSpec& stack) {
  struct Kind {
    const char *word, *title;
    FeedForward kind;
  };
  static constexpr std::array<Kind, 6> kKinds{{{"relu", "ReLU", FeedForward::relu},
                                               {"gelu", "GELU", FeedForward::gelu},
                                               {"gelu-tanh", "GELU tanh", FeedForward::gelu_tanh},
                                               {"silu", "SiLU", FeedForward::silu},
                                               {"swiglu", "SwiGLU", FeedForward::swiglu},
                                               {"none", "none", FeedForward::none}}};
  const bool known = !stack.empty();
  for (const Kind& each : kKinds)
    table.push_back(ticked(std::string("stack.feed_forward.") + each.word, each.title,
                           kStackEditMenu + std::string("/feed-forward"),
                           known && feed_forward_of(stack) == each.kind,
                           [kind = each.kind](Desk& desk) { set_feed_forward(desk.draft, kind); }));
}

void change_layers(Desk& desk, bool more) {
  const std::size_t layers = sizes_of(shown_stack(desk.draft)).layers;
  if (!more && layers == 1) throw Error("a stack has one layer at least");
  if (more && layers == kMostBlocks)
    throw Error("a stack has " + std::to_string(kMostBlocks) + " layers at most");
  set_stack_layers(desk.draft, more ? layers + 1 : layers - 1);
}

void switch_lit_box(Desk& desk) {
  const auto at = stack_at(desk);
  if (!at) return;
  const BoxStages* box = at->block().find(at->view.box);
  if (!box) throw Error("layer " + std::to_string(at->layer) + " has no such box: light another with L");
  switch_stack_box(desk.draft, at->decoder(), at->layer, at->view.box);
}

}  // namespace

void stack_edit_commands(Commands& table, const Desk& now) {
  const StackSpec& stack = now.draft.transformer;  // an empty one has the choices of the one over A
  Command residual = ticked(
      "stack.residual", "Residual", kStackEditMenu, stack.residual,
      [](Desk& desk) {
        StackSpec& own = own_stack(desk.draft);
        own.residual = !own.residual;
      },
      plain(GLFW_KEY_N));
  residual.says = std::string(stack_field::residual.text.sentence);
  table.push_back(std::move(residual));
  table.push_back({.name = "stack.switch_box",
                   .title = "Switch the lit box off or on",
                   .menu = kStackEditMenu,
                   .shortcut = plain(GLFW_KEY_B),
                   .run = switch_lit_box,
                   .says = "a box that is off adds nothing to the stream of its layer"});
  add_stack_choices(table, stack_field::norm_at, stack.norm_at, set_norm_at);
  add_stack_choices(table, stack_field::norm_kind, stack.norm_kind, set_norm_kind);
  add_stack_choices(table, stack_field::sides, stack.sides, set_stack_sides);
  add_feed_forwards(table, stack);
  table.push_back({.name = "stack.more_layers",
                   .title = "One layer more",
                   .menu = kStackEditMenu,
                   .run = [](Desk& desk) { change_layers(desk, true); },
                   .says = "on each side; weights are drawn anew by the seed"});
  table.push_back({.name = "stack.fewer_layers",
                   .title = "One layer fewer",
                   .menu = kStackEditMenu,
                   .run = [](Desk& desk) { change_layers(desk, false); },
                   .says = "on each side; weights are drawn anew by the seed"});
  table.push_back({.name = "stack.next_seed",
                   .title = "Weights by the next seed",
                   .menu = kStackEditMenu,
                   .shortcut = plain(GLFW_KEY_W),
                   .run = [](Desk& desk) { set_stack_seed(desk.draft, shown_stack(desk.draft).seed + 1); },
                   .says = "all weights are drawn anew; Ctrl+Z brings those before back"});
}

}  // namespace attn
