// Named arrays as a layer that is compared with another.
#include "core/io/foreign_layer.h"

#include <algorithm>
#include <array>

#include "core/attention/layer_fields.h"
#include "core/checks/comparison.h"
#include "core/document/layer_plan.h"
#include "core/document/limits.h"
#include "core/edits/compared_layers.h"
#include "core/io/stages_npz.h"
#include "core/operations/matmul.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

template <class Field>
constexpr bool kIsTensor = std::is_same_v<Field, TensorField>;

// The matrices of `own` with the choices of `a`, and what is not in a file of `own` as `a` has it; `own` as
// it is where these do not fit it.
LayerSpec with_choices(const LayerSpec& own, const LayerSpec& a) {
  LayerSpec layer = own;
  visit_fields(of<LayerSpec>, [&](const auto& field, auto member) {
    if constexpr (!kIsTensor<std::remove_cvref_t<decltype(field)>>) layer.*member = a.*member;
  });
  layer.direct = own.direct;
  if (layer.direct && is_added(layer.position)) layer.position = NoPosition();
  if (layer.tokens.size() != query_count(layer)) layer.tokens.clear();
  if (layer.memory_tokens.size() != key_count(layer)) layer.memory_tokens.clear();
  LayerSpec completed = layer;
  for (Tensor LayerSpec::*member :
       {&LayerSpec::mask, &LayerSpec::bias, &LayerSpec::score_w, &LayerSpec::score_w_q, &LayerSpec::score_w_k,
        &LayerSpec::score_v, &LayerSpec::local_w, &LayerSpec::local_v})
    if ((completed.*member).empty()) completed.*member = a.*member;
  return is_whole(completed) ? completed : is_whole(layer) ? layer : own;
}

// As the stage says its shape, or as it lies in a file, but for axes of one.
bool has_shape(const Graph& graph, StageIndex i, const Array& array) {
  const Shape& own = graph.stages[i].shape;
  const auto theirs = essential_shape(array.shape);
  return theirs == essential_shape(stage_array_shape(graph, i)) ||
         theirs == essential_shape({own.stack, own.rows, own.columns});
}

// Whether the arrays' q, k and v may be what `a` projects.
bool are_projected_by(const LayerSpec& a, const NamedArrays& arrays) {
  if (a.direct) return false;
  const Graph graph = build_layer({.layers = {a}}).graph;
  return std::ranges::all_of(std::array{"q", "k", "v"}, [&](const char* id) {
    const auto stage = graph.find(id);
    return stage && has_shape(graph, *stage, arrays.at(id));
  });
}

// The layer that the arrays hold, taken out of them. Results of a projected layer have its q, k and v, and no
// projections: where they fit, these are numbers of `a`.
LayerSpec take_layer(const LayerSpec& a, NamedArrays& arrays) {
  const bool projected = arrays.contains("w_q");
  if (!hold_layer(arrays) || (hold_results(arrays) && !projected && are_projected_by(a, arrays))) return a;
  NamedArrays results;
  const LayerSpec own = layer_from_arrays(std::move(arrays), &results);
  arrays = std::move(results);
  if (!projected) arrays.erase("x"), arrays.erase("memory");  // that its q, k and v were made from
  return with_choices(own, a);
}

std::string shapes(const std::vector<std::size_t>& theirs, const std::vector<std::size_t>& ours) {
  return "is " + shape_text(theirs) + ", but the layer has " + shape_text(ours);
}

class Typing {
 public:
  explicit Typing(Document& document) : document_(document), graph_(build_layer(document).graph) {}

  void take(const std::string& name, const Array& array) {
    if (name == "loss" || name.starts_with("d_")) return;  // of a loss that a layer does not know
    const auto found = graph_.find(name);
    if (!found) refuse_name(name);
    const Stage& stage = graph_.stages[*found];
    if (!has_shape(graph_, *found, array))
      throw Error("the array " + name + " " + shapes(array.shape, stage_array_shape(graph_, *found)));
    if (!stage.field.empty()) return give(stage, numbers_of(stage, name, array));
    if (!stage.read_only.empty()) throw Error("the array " + name + ": " + stage.read_only);
    check_override_count(document_.overrides.size() + stage.shape.size());
    const std::vector<float> numbers = numbers_of(stage, name, array);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      document_.overrides.push_back(
          {std::string(kLayerPlan.name), name, {cell_at(stage.shape, i), numbers[i]}});
  }

 private:
  // Of heads that share a matrix, each of which the array may hold, the matrix once.
  static std::vector<float> numbers_of(const Stage& stage, const std::string& name, const Array& array) {
    const std::span<const float> given = array.numbers();
    const std::size_t matrix = stage.shape.rows * stage.shape.columns, heads = given.size() / matrix;
    if (heads <= stage.shape.stack) return {given.begin(), given.end()};
    std::vector<float> numbers;
    for (std::size_t head = 0; head < heads; ++head) {
      const auto at = [&](std::size_t s) { return given.begin() + static_cast<std::ptrdiff_t>(s * matrix); };
      const std::size_t shared = shared_matrix(head, stage.shape.stack, heads);
      if (shared * matrix == numbers.size())
        numbers.insert(numbers.end(), at(head), at(head + 1));
      else if (!std::equal(at(head), at(head + 1), numbers.end() - static_cast<std::ptrdiff_t>(matrix),
                           [](float a, float b) { return distance(a, b) == 0; }))
        throw Error("the array " + name + ": head " + std::to_string(head) +
                    " differs from a head that shares its matrix in the layer");
    }
    return numbers;
  }
  // A matrix of the layer that the results came from, once more.
  void give(const Stage& stage, std::vector<float> numbers) {
    visit_fields(of<LayerSpec>, [&](const auto& field, auto member) {
      if constexpr (kIsTensor<std::remove_cvref_t<decltype(field)>>)
        if (stage.field == field_of(kLayerA, field.text.key))
          document_.layer().*member = Tensor(stage.shape, std::move(numbers));
    });
  }
  [[noreturn]] void refuse_name(const std::string& name) const {
    std::vector<std::string> names;
    for (const Stage& stage : graph_.stages) names.push_back(stage.id);
    const std::string near = nearest_word(name, names);
    throw Error("the array " + in_quotes(name) + " is no stage of the layer" +
                (near.empty() ? ": trace prints their names" : ": did you mean " + near + "?"));
  }

  Document& document_;
  Graph graph_;
};

}  // namespace

Document foreign_layer(const LayerSpec& a, NamedArrays arrays) {
  Document document;
  document.layer() = take_layer(a, arrays);
  Typing typing(document);
  for (const auto& [name, array] : arrays) typing.take(name, array);
  return document;
}

}  // namespace attn
