// Options laid over a document: those of a layer, which of a workspace of stacks mean the whole stack, and
// those of a stack.
#pragma once

#include <functional>
#include <string>

#include "app/cli/options.h"
#include "app/program/input.h"
#include "core/document/document.h"

namespace attn {

class Options;
struct Workspace;

// Words as given; absent ones are empty.
struct StackOptionWords {
  std::string norm, norm_kind, activation, target_mask, memory_mask;
  bool no_residual = false;
  bool any() const {
    return no_residual || !norm.empty() || !norm_kind.empty() || !activation.empty() ||
           !target_mask.empty() || !memory_mask.empty();
  }
};
void add_stack_options(Options& options, StackOptionWords& words);

// Throws Error(Fault::option): at once for words that mean nothing, or nothing in this workspace, and when it
// is laid over a document for what that document cannot have.
using DocumentChange = std::function<void(Document&)>;
DocumentChange read_options(const Workspace& workspace, const LayerWords& layer,
                            const StackOptionWords& stack);

// Options of a layer at the window's start: of what is opened in the workspace of stacks they are the
// stack's, and A's where A is its first layer. Throws as read_layer_options.
StartChange read_start_options(const LayerWords& layer);

// "stack: encoder of 4 layers, 4 heads, d 32, feed-forward 64 ReLU, LayerNorm after, residual": how its
// arrays are understood.
std::string stack_words(const StackSpec& stack);

}  // namespace attn
