// Setting numbers: in the document's tensors, or over computed ones.
#include "core/document/edit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/document/document_fields.h"
#include "core/document/layer_plan.h"
#include "core/document/limits.h"
#include "core/document/stack_edit.h"
#include "core/document/stack_plan.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr double kSofter = 3;  // a temperature

StageIndex place_of(const Graph& graph, const Plan& plan, std::string_view id) {
  const auto found = graph.find(id);
  if (!found)
    throw Error("there is no stage \"" + std::string(id) + "\" in " + std::string(plan.name) +
                    ": nothing was changed",
                Fault::option);
  return *found;
}

void check_cells(const Stage& stage, const Shape& shape, std::span<const CellValue> cells) {
  for (const CellValue& c : cells)
    if (!holds(shape, c.cell))
      throw Error("cell [" + std::to_string(c.cell.head) + ", " + std::to_string(c.cell.row) + ", " +
                      std::to_string(c.cell.column) + "] lies outside " + stage.title + ", which is " +
                      to_string(shape) + ": nothing was changed",
                  Fault::option);
}

// With one new tensor; the same bits keep their identity.
void set_cells(Tensor& tensor, std::span<const CellValue> cells) {
  std::vector<float> values(tensor.values().begin(), tensor.values().end());
  for (const CellValue& c : cells) values[tensor.index(c.cell)] = kept(c.value);
  const Tensor changed(tensor.shape(), std::move(values));
  if (!(changed == tensor)) tensor = changed;
}

auto is_at(const Plan& plan, std::string_view stage, Cell cell) {
  return [&plan, stage, cell](const StageOverride& o) {
    return belongs_to(o, plan) && is_over(o, stage) && o.value.cell == cell;
  };
}

// A stage as an override names it: whose it is, and what it is called there.
StageOverride named(const Plan& plan, const Graph& graph, StageIndex index) {
  const Stage& stage = graph.stages[index];
  const Address layer = graph.layer_of(stage);
  const bool of_base =
      plan.base && graph.parts[stage.part].layer && index < graph.parts[stage.part].layer_end;
  const std::string_view prefix = text_of(layer).prefix;  // a graph of that layer alone has none
  return {.workspace = std::string((of_base ? *plan.base : plan).name),
          .stage = stage.id.substr(stage.id.starts_with(prefix) ? prefix.size() : 0),
          .value = {},
          .layer = layer};
}

// Of a layer that begins with the edit, and was shown as A, its own.
std::string own_field(const std::string& field, std::optional<Address> layer) {
  const std::string of_a = field_of(kLayerA, "");
  return layer && field.starts_with(of_a) ? field_of(*layer, field.substr(of_a.size())) : field;
}

// What was shown in the place of what is not there yet begins with the edit.
void begin(Document& document, const Plan& plan, Address layer) {
  if (plan.build == kStackPlan.build || layer.home != LayerHome::layers)
    own_stack(document);
  else
    begin_layer(document, layer);
}

}  // namespace

float kept(float value) {
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value;
}

Tensor kept(const Tensor& tensor) {
  const auto is_nan = [](float v) { return std::isnan(v); };
  if (std::ranges::none_of(tensor.values(), is_nan)) return tensor;
  std::vector<float> values(tensor.values().begin(), tensor.values().end());
  for (float& value : values) value = kept(value);
  return {tensor.shape(), std::move(values)};
}

const Tensor* tensor_of(const Document& document, std::string_view name) {
  const Tensor* found = nullptr;
  const auto look = [&]<class Part>(std::string_view key, const Part& part) {
    // "part.key", compared without putting it together: this is asked for every matrix of every frame.
    if (found || !name.starts_with(key) || name.size() <= key.size() || name[key.size()] != '.') return;
    visit_fields(of<Part>, [&]<class Field>(const Field& field, auto member) {
      if constexpr (std::is_same_v<Field, TensorField>)
        if (name.substr(key.size() + 1) == field.text.key && !(part.*member).empty()) found = &(part.*member);
    });
  };
  // Of hundreds of parts, for whose names alone the others need not wait.
  if (name.starts_with("stack.")) {
    visit_stacks(look, document.transformer);
    return found;
  }
  for (Address at; document.has(at); ++at.layer) look(text_of(at).key, document.layer(at));
  visit_parts([&](std::string_view key, auto part) { look(key, document.*part); });
  return found;
}

Tensor* tensor_of(Document& document, std::string_view name) {
  return const_cast<Tensor*>(tensor_of(std::as_const(document), name));
}

LayerSpec default_compared_layer(const LayerSpec& a) {
  LayerSpec compared = a;
  if (query_count(a) == 1)
    compared.temperature = a.temperature == kSofter ? 1 : kSofter;
  else if (find_rule<CausalRule>(a))
    compared.masks.clear(), compared.mask = {};
  else
    set_rule(compared, std::optional(CausalRule{}));
  return compared;
}

void begin_layer(Document& document, Address address) {
  const std::vector<StageOverride> typed = overrides_of(document, kLayerPlan);
  while (!document.has(address)) {
    const Address next{document.layers.size()};
    document.layers.push_back(default_compared_layer(document.layer()));
    for (StageOverride o : typed) o.layer = next, document.overrides.push_back(std::move(o));
  }
}

void set_number(Document& document, const Plan& plan, std::string_view stage, Cell cell, float value) {
  const CellValue one{cell, value};
  set_numbers(document, plan, stage, {&one, 1});
}

void set_numbers(Document& document, const Plan& plan, std::string_view stage,
                 std::span<const CellValue> cells) {
  set_numbers(document, plan, graph_of(plan, document), stage, cells);
}

void set_numbers(Document& document, const Plan& plan, const Graph& graph, std::string_view id,
                 std::span<const CellValue> cells) {
  const StageIndex index = place_of(graph, plan, id);
  const Stage& stage = graph.stages[index];
  if (!stage.read_only.empty()) throw Error(stage.read_only, Fault::option);
  Document changed = document;
  const Address layer = graph.layer_of(stage);
  begin(changed, plan, layer);
  const bool given = !stage.field.empty();
  Tensor* tensor =
      given ? tensor_of(changed, own_field(stage.field, graph.parts[stage.part].layer)) : nullptr;
  check_cells(stage, tensor ? tensor->shape() : stage.shape, cells);
  if (tensor)
    set_cells(*tensor, cells);
  else
    set_overrides(changed, named(plan, graph, index), cells);
  document = std::move(changed);
}

// One pass over the overrides there are, whose numbers change in place; the others come behind.
void set_overrides(Document& document, const StageOverride& name, std::span<const CellValue> cells) {
  std::map<Cell, float> left;
  for (const CellValue& c : cells) left[c.cell] = kept(c.value);
  std::vector<StageOverride> overrides = document.overrides;
  for (StageOverride& o : overrides) {
    if (o.workspace != name.workspace || o.stage != name.stage || o.layer != name.layer) continue;
    const auto found = left.find(o.value.cell);
    if (found == left.end()) continue;
    o.value.value = found->second;
    left.erase(found);
  }
  check_override_count(overrides.size() + left.size());
  for (const auto& [cell, value] : left)
    overrides.push_back({name.workspace, name.stage, {cell, value}, name.layer});
  document.overrides = std::move(overrides);
}

bool same_structure(const Document& a, const Document& b) {
  bool same = a.layers.size() == b.layers.size();
  const auto compare = [&]<class Part>(const Part& left, const Part& right) {
    visit_fields(of<Part>, [&]<class Field>(const Field&, auto member) {
      if constexpr (std::is_same_v<Field, TensorField>)
        same = same && (left.*member).shape() == (right.*member).shape();
      else
        same = same && left.*member == right.*member;
    });
  };
  for (Address at; same && a.has(at); ++at.layer) compare(a.layer(at), b.layer(at));
  visit_parts([&](std::string_view, auto part) { compare(a.*part, b.*part); });
  if (!same || !same_blocks(a.transformer, b.transformer)) return false;
  visit_stacks([&](const std::string&, const auto& left, const auto& right) { compare(left, right); },
               a.transformer, b.transformer);
  return same;
}

bool is_overridden(const Document& document, const Plan& plan, std::string_view stage, Cell cell) {
  return std::ranges::any_of(document.overrides, is_at(plan, stage, cell));
}

void remove_override(Document& document, const Plan& plan, std::string_view stage, Cell cell) {
  std::erase_if(document.overrides, is_at(plan, stage, cell));
}

void settle_overrides(Document& document, const Plan& plan, Address address) {
  // Without them: one whose cell has gone would not let the graph be built that says so.
  Document plain = document;
  plain.overrides.clear();
  const Graph graph = plan.build(plain, address).graph;
  const bool of_stack = plan.build == kStackPlan.build;
  std::erase_if(document.overrides, [&](const StageOverride& o) {
    const bool own = o.workspace == plan.name && o.layer == address;
    if (!own && !(of_stack && o.layer.home != LayerHome::layers)) return false;
    const auto stage = graph.find(own ? o.stage : id_of(o));
    return !stage || !graph.stages[*stage].field.empty() || !holds(graph.stages[*stage].shape, o.value.cell);
  });
}

}  // namespace attn
