// Plan: what is computed of a document, the half of a workspace that core knows. Requests to the engine name
// one, results carry it.
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/document/document.h"

namespace attn {

// A part of what takes longer than a frame may: it is computed behind the results, in its turn, and shown
// when it is there. Short enough to wait for: nothing interrupts it.
struct DeferredGraph {
  std::string doing;             // "error of σ 0.1", for who watches
  std::function<Graph()> graph;  // made in its turn; its last stage is what is wanted
};

// Where the stages of a graph are, as its builder knew: a plain struct of the builder's own.
class Places {
 public:
  Places() = default;
  template <class Own>
  explicit Places(Own own) : held_(std::make_shared<const std::any>(std::move(own))) {}

  // Null where another builder's, or none, is held.
  template <class Own>
  const Own* as() const {
    return held_ ? std::any_cast<Own>(held_.get()) : nullptr;
  }

 private:
  std::shared_ptr<const std::any> held_;
};

struct Built {
  Built(Graph g, Places p = {}) : graph(std::move(g)), places(std::move(p)) {}
  Graph graph;
  Places places;
  // Whoever shows it can do without all numbers of a large stage (core/evaluate/bands.h).
  bool by_bands = false;
  // For bands: weights and what comes of them, by the same ids, without the other large stages. Of the
  // first layer's graph by stages alone, else null; gives none where the layer cannot be made so.
  std::optional<Graph> (*fused)(const Document&) = nullptr;
};

struct Plan {
  std::string_view name;  // of the command line, sessions and overrides: "pipeline"
  // What there is of one layer of the document, or of all of it; pure. Throws Error where it makes no graph.
  Built (*build)(const Document&, Address);
  Graph (*given)(
      const Document&);  // its inputs alone, of a document that makes no graph: what there is to repair
  // Of a document that makes a graph, with the places in it; may be null.
  std::vector<DeferredGraph> (*deferred)(const Document&, const Places&) = nullptr;
  bool deferred_waits = false;  // they are computed when the hand that edits has rested, not between edits
  // Whose stages, by the same ids, this graph has besides its own: what is typed over them is that plan's.
  const Plan* base = nullptr;
};

// The plan's graph of A; of what is given alone where the document makes none.
Graph graph_of(const Plan& plan, const Document& document);

// Whether it is one of the plan's graph: the plan's own, or its base's.
bool belongs_to(const StageOverride& typed, const Plan& plan);
// Those of the plan's graph of that layer: for Graph::overrides.
std::vector<StageOverride> overrides_of(const Document& document, const Plan& plan,
                                        Address address = kLayerA);

}  // namespace attn
