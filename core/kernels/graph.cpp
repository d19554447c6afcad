// The graph of the workspace of kernels: points, an estimate a part, and the layer that does the same.
#include "core/kernels/builder.h"

#include "core/document/document_fields.h"
#include "core/document/limits.h"
#include "core/kernels/layer.h"

namespace attn {
namespace {

void append_steps(Graph& graph) {
  graph.add_step({.title = "distance", .says = "how far each point is from the query, in widths"});
  graph.add_step({.title = "κ", .says = "how much a point at that distance counts"});
  graph.add_step({.title = "÷ sum", .says = "what all points together count"});
  graph.add_step({.title = "weights", .says = "each point's share: a row adds up to 1"});
  graph.add_step({.title = "Σ weights · y", .says = "the values, mixed by the weights"});
}

void append_points(KernelsBuilder& b) {
  b.graph.begin_part({.title = "points"});
  const Tensor all = points_of(b.spec);
  const bool own = b.spec.set == PointSet::own;
  const TensorField& field = kernels_field::points;
  b.places.points = b.graph.add({.id = std::string(field.stage),
                                 .title = std::string(field.symbol),
                                 .formula = own ? "given" : "drawn",
                                 .operation = Source{all},
                                 .rows = {"point"},
                                 .columns = {"number"},
                                 .role = field.role,
                                 .drawn = Drawn::parameters,
                                 .sentence = std::string(field.number),
                                 .field = own ? "kernels.points" : "",
                                 .step = kDistance});
  b.places.queries =
      b.given("queries", "q", "where the estimate is read", every_query(queries_of(b.spec), b.wanted.every),
              b.queries, Role::query, "the place of query %i");
  b.places.keys = b.given("keys", "x", "points in order of x", b.places.sorted.keys, b.keys, Role::key,
                          "the place of point %i in order of x");
  b.places.values = b.given("values", "y", "their values", b.places.sorted.values, b.keys, Role::value,
                            "value %j of point %i in order of x");
}

// The first Gaussian with one width, and the layer that it is.
void append_same_layer(KernelsBuilder& b) {
  const std::size_t curve = layer_curve(b.spec);
  if (curve >= b.places.curves.size()) return;
  const KernelStages& stages = b.places.curves[curve];
  KernelsLayer layer{.curve = curve, .part = b.graph.parts.size()};
  const LayerStages made = append_layer(b.graph, same_layer(b.spec, b.places.sorted),
                                        {.prefix = "attention.", .title = "attention", .step = kWeights});
  layer.weights = made.weights, layer.output = made.output;
  const auto less = [&](const char* id, StageIndex a, StageIndex minus_b, const char* sentence) {
    Stage minus{.id = std::string("minus_") + id,
                .title = "−",
                .formula = {},
                .operation = Scale{.factor = -1, .text = "−1"},
                .inputs = {minus_b},
                .traced = false,
                .drawn = Drawn::never};
    const StageIndex negative = b.graph.add(std::move(minus));
    return b.graph.add({.id = id,
                        .title = "difference",
                        .formula = "kernel − attention",
                        .operation = Add{},
                        .inputs = {a, negative},
                        .rows = b.queries,
                        .columns = b.graph.stages[a].columns,
                        .sentence = sentence});
  };
  layer.difference = less("difference", *stages.weights, layer.weights,
                          "how far the weight of point %j for query %i is from the layer's");
  layer.apart = less("apart", stages.estimate, layer.output,
                     "how far the estimate at query %i is from the layer's output");
  b.places.layer = layer;
}

// Nothing is estimated; the queries wait.
KernelsPlaces append_no_points(Graph& graph, const Document& document) {
  check_limits(document);
  KernelsBuilder b{.graph = graph, .spec = document.kernels, .wanted = {}};
  append_steps(graph);
  graph.begin_part({.title = "points"});
  b.places.queries = b.given("queries", "q", "where the estimate is read", queries_of(document.kernels),
                             b.queries, Role::query, "the place of query %i");
  return std::move(b.places);
}

KernelsPlaces build(Graph& graph, const Document& document) {
  graph.overrides = overrides_of(document, kKernelsPlan);
  const KernelsSpec& spec = document.kernels;
  const std::size_t m = spec.set == PointSet::own ? spec.points.rows() : spec.count;
  if (m == 0) return append_no_points(graph, document);
  const bool pairs = spec.queries * m <= kMostPairs;
  return append_kernels(
      graph, spec,
      {.pairs = pairs, .errors = m <= kMostLeftOut, .layer = pairs, .every = queries_apart(spec, m)});
}

}  // namespace

KernelsPlaces append_kernels(Graph& graph, const KernelsSpec& spec, KernelsWanted wanted) {
  Document alone;
  alone.kernels = spec;
  check_limits(alone);
  KernelsBuilder b{.graph = graph, .spec = spec, .wanted = wanted};
  b.places.sorted = sorted_points(spec);
  append_steps(graph);
  append_points(b);
  const std::vector<KernelCurve> curves = curves_of(spec);
  for (std::size_t i = 0; i < curves.size(); ++i) append_curve(b, curves[i], i);
  if (wanted.pairs && wanted.layer) append_same_layer(b);
  return std::move(b.places);
}

Built build_kernels(const Document& document, Address) {
  Graph graph;
  KernelsPlaces places = build(graph, document);
  return {std::move(graph), Places(std::move(places))};
}

Graph given_kernels(const Document& document) {
  const TensorField& field = kernels_field::points;
  const Tensor& points = document.kernels.points;
  Graph graph;
  graph.add_step({.title = "given", .says = "the points of the document"});
  if (document.kernels.set == PointSet::own && !points.empty())
    graph.add({.id = std::string(field.stage),
               .title = std::string(field.symbol),
               .formula = "given",
               .operation = Source{points},
               .role = field.role,
               .sentence = std::string(field.number),
               .field = "kernels.points",
               .step = 0});
  return graph;
}

}  // namespace attn
