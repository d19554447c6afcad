// Document: everything the user edits. One part per workspace that has one.
#pragma once

#include <algorithm>
#include <vector>

#include "core/address.h"
#include "core/attention/layer.h"
#include "core/compare/compare.h"
#include "core/cost/study.h"
#include "core/heads/heads.h"
#include "core/kernels/kernels.h"
#include "core/positions/positions.h"
#include "core/softmax/softmax.h"

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
  std::vector<StageOverride> overrides = {};  // of any workspace's stages

  LayerSpec& layer(Address address = kLayerA) { return layers[address.layer]; }
  const LayerSpec& layer(Address address = kLayerA) const { return layers[address.layer]; }
  bool has(Address address) const { return address.layer < layers.size(); }

  bool operator==(const Document& other) const;
};

// One layer of a document, as an edit means it: A where nothing else is said. It is no Document again: the
// layer that was meant would be forgotten on the way.
struct LayerAt {
  LayerAt(Document& of, Address at = kLayerA) : document(of), address(at) {}
  LayerSpec& layer() const { return document.layer(address); }

  Document& document;
  Address address;
};

}  // namespace attn
