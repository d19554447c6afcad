// Document: everything the user edits. A workspace with a part of its own has three lines here: its fields,
// its member and its key.
#pragma once

#include <algorithm>
#include <vector>

#include "core/attention/layer_fields.h"
#include "core/compare/check_fields.h"
#include "core/compare/fields.h"
#include "core/cost/fields.h"
#include "core/efficient/fields.h"
#include "core/gradients/fields.h"
#include "core/graph/address.h"
#include "core/heads/fields.h"
#include "core/kernels/fields.h"
#include "core/positions/fields.h"
#include "core/softmax/fields.h"
#include "core/training/fields.h"
#include "core/transformer/fields.h"

namespace attn {

// Of a document. Assigned in place: whoever has one of them at hand while the document is edited has it
// still, as long as no layer comes.
struct Layers : std::vector<LayerSpec> {
  using std::vector<LayerSpec>::vector;
  Layers(const Layers&) = default;
  Layers(Layers&&) = default;
  Layers& operator=(Layers other) {
    resize(other.size());
    std::ranges::move(other, begin());
    return *this;
  }
};

struct Document {
  Layers layers = Layers(1);  // A first, at most one for each of kAddresses
  PositionsSpec positions = {};
  KernelsSpec kernels = {};
  SoftmaxSpec softmax = {};
  CostStudy cost = {};
  HeadsSpec heads = {};
  CompareSpec compare = {};
  CheckSpec check = {};
  GradientsSpec gradients = {};
  EfficientSpec efficient = {};
  TrainingSettings training = {};
  StackSpec transformer = {};  // empty: an encoder over A stands for it (core/document/stack_plan.h)
  std::vector<StageOverride> overrides = {};  // of any workspace's stages

  LayerSpec& layer(Address address = kLayerA) {
    return address.home == LayerHome::layers ? layers[address.layer] : *layer_at(transformer, address);
  }
  const LayerSpec& layer(Address address = kLayerA) const {
    return const_cast<Document*>(this)->layer(address);
  }
  bool has(Address address) const {
    return address.home == LayerHome::layers ? address.layer < layers.size()
                                             : layer_at(transformer, address) != nullptr;
  }

  bool operator==(const Document& other) const;
};

// Calls visit(key, member) for each part that is neither a layer nor the stack: its key in session files and
// before the names of its fields.
template <class Visit>
void visit_parts(Visit&& visit) {
  visit("positions", &Document::positions);
  visit("kernels", &Document::kernels);
  visit("softmax", &Document::softmax);
  visit("cost", &Document::cost);
  visit("heads", &Document::heads);
  visit("compare", &Document::compare);
  visit("check", &Document::check);
  visit("gradients", &Document::gradients);
  visit("efficient", &Document::efficient);
  visit("training", &Document::training);
}

// One layer of a document, as an edit means it: A where nothing else is said. It is no Document again: the
// layer that was meant would be forgotten on the way.
struct LayerAt {
  LayerAt(Document& of, Address at = kLayerA) : document(of), address(at) {}
  LayerSpec& layer() const { return document.layer(address); }

  Document& document;
  Address address;
};

}  // namespace attn
