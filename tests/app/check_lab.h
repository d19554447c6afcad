// A check without a screen, for its tests: a layer of several heads, and the numbers of one that a mistake
// was made in.
#pragma once

#include "app/workspaces/compare/check_file.h"
#include "app/workspaces/compare/view.h"
#include "core/compare/check_edit.h"
#include "core/io/layer_npz.h"
#include "core/io/stages_npz.h"
#include "core/system/file.h"
#include "tests/app/workspace_lab.h"
#include "tests/random_layer.h"

namespace attn::tests {

inline LayerSpec checked_layer() {
  Random random(3);
  LayerSpec layer;
  layer.x = normal(random, {1, 5, 16});
  for (Tensor* w : {&layer.w_q, &layer.w_o}) *w = normal(random, {1, 16, 16});
  for (Tensor* w : {&layer.w_k, &layer.w_v}) *w = normal(random, {1, 16, 8});
  layer.tokens = {"the", "cat", "sat", "on", "‹pad›"};
  layer.heads = 4, layer.kv_heads = 2;
  layer.masks = {{CausalRule()}, {PaddingRule{{4}}}};
  return layer;
}

// Without the scale: the first stage that differs is `scaled`.
inline LayerSpec unscaled(LayerSpec layer) {
  layer.scale = {ScaleMode::none, 1};
  return layer;
}

// Ours, and the stages that `theirs` computes as yours.
inline Document checked(const LayerSpec& ours, const LayerSpec& theirs,
                        const std::string& file = "dump.npz") {
  const Results results = evaluated({.layers = {theirs}});
  Dump dump{.layer = ours};
  for (const char* id : {"q", "k", "v", "scaled", "masked", "weights", "output"})
    dump.stages.push_back({id, results.output(id)});
  dump.names = {{.name = "x", .shape = {5, 16}, .meaning = "x"},
                {.name = "attn.q_proj.weight", .shape = {16, 16}, .meaning = "w_q", .transposed = true},
                {.name = "attn_probs", .shape = {4, 5, 5}, .meaning = "weights"},
                {.name = "rng_state", .shape = {8}}};
  Document document;
  take_check(document, dump, file);
  return document;
}

class CheckLab : public WorkspaceLab {
 public:
  explicit CheckLab(Document document = checked(checked_layer(), unscaled(checked_layer())),
                    ImVec2 size = {1600, 1000}, float scale = 1, Settings settings = {})
      : WorkspaceLab("compare", {.document = std::move(document),
                                 .settings = std::move(settings),
                                 .size = size,
                                 .scale = scale}) {}
  void press(const std::string& path) {
    click_item(path);
    settle();
    frames(2);
  }
  void press_key(int key, Modifiers modifiers = {}) {
    this->key(key, modifiers);
    settle();
    frames(2);
  }
};

}  // namespace attn::tests
