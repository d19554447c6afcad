#include "core/attention/edit.h"

#include <algorithm>
#include <array>

namespace attn {
namespace {

struct NamedInput {
  std::string_view stage;
  Tensor LayerSpec::*tensor;
};

constexpr std::array kAlways{NamedInput{"bias", &LayerSpec::bias}, NamedInput{"user_mask", &LayerSpec::mask}};
constexpr std::array kDirect{NamedInput{"q", &LayerSpec::q}, NamedInput{"k", &LayerSpec::k},
                             NamedInput{"v", &LayerSpec::v}};
constexpr std::array kProjected{NamedInput{"x", &LayerSpec::x},     NamedInput{"memory", &LayerSpec::memory},
                                NamedInput{"w_q", &LayerSpec::w_q}, NamedInput{"w_k", &LayerSpec::w_k},
                                NamedInput{"w_v", &LayerSpec::w_v}, NamedInput{"w_o", &LayerSpec::w_o},
                                NamedInput{"b_q", &LayerSpec::b_q}, NamedInput{"b_k", &LayerSpec::b_k},
                                NamedInput{"b_v", &LayerSpec::b_v}, NamedInput{"b_o", &LayerSpec::b_o}};

std::span<const NamedInput> inputs_of(const LayerSpec& layer) {
  if (layer.direct) return kDirect;
  return kProjected;
}

StageOverride* find_override(LayerSpec& layer, std::string_view stage, Cell cell) {
  for (StageOverride& o : layer.overrides)
    if (o.stage == stage && o.value.cell == cell) return &o;
  return nullptr;
}

}  // namespace

const Tensor* input_tensor(const Document& document, std::string_view stage) {
  const LayerSpec& layer = document.layer;
  for (const auto inputs : {std::span<const NamedInput>(kAlways), inputs_of(layer)})
    for (const NamedInput& input : inputs)
      if (input.stage == stage && !(layer.*input.tensor).empty()) return &(layer.*input.tensor);
  return nullptr;
}

Tensor* input_tensor(Document& document, std::string_view stage) {
  return const_cast<Tensor*>(input_tensor(std::as_const(document), stage));
}

void set_number(Document& document, const std::string& stage, Cell cell, float value) {
  const CellValue one{cell, value};
  set_numbers(document, stage, {&one, 1});
}

void set_numbers(Document& document, const std::string& stage, std::span<const CellValue> cells) {
  if (Tensor* tensor = input_tensor(document, stage)) {
    std::vector<float> values(tensor->values().begin(), tensor->values().end());
    for (const CellValue& c : cells) values[tensor->index(c.cell)] = c.value;
    const Tensor changed(tensor->shape(), std::move(values));
    if (!(changed == *tensor)) *tensor = changed;  // the same bits keep their identity
    return;
  }
  for (const CellValue& c : cells) {
    if (StageOverride* o = find_override(document.layer, stage, c.cell))
      o->value = c;
    else
      document.layer.overrides.push_back({stage, c});
  }
}

bool is_overridden(const Document& document, std::string_view stage, Cell cell) {
  return std::any_of(document.layer.overrides.begin(), document.layer.overrides.end(),
                     [&](const StageOverride& o) { return o.stage == stage && o.value.cell == cell; });
}

void remove_override(Document& document, std::string_view stage, Cell cell) {
  std::erase_if(document.layer.overrides,
                [&](const StageOverride& o) { return o.stage == stage && o.value.cell == cell; });
}

}  // namespace attn
