// A dump read: names, sizes, weights, the layer, its masks, and the stages that are given.
#include "core/io/dump.h"

#include <algorithm>
#include <cmath>

#include "core/io/dump_parts.h"
#include "core/system/error.h"

namespace attn {
namespace {

using dump::Item;
using dump::Reading;

// Numbers of the file that choose how the layer computes.
void give_numbers(Reading& reading, LayerSpec& layer) {
  for (Item& item : reading.items) {
    const std::string& meaning = item.meaning.meaning;
    if (meaning != "scale" && meaning != "rope_base" && meaning != "causal" && !meaning.ends_with("heads"))
      continue;
    if (!item.meaning.refused.empty()) continue;
    if (item.array.numbers().size() != 1) {
      item.refuse("is " + shape_text(item.meaning.shape) + ": expected one number");
      continue;
    }
    const double number = item.array.numbers()[0];
    const std::size_t width = layer.direct ? layer.q.columns() : layer.w_q.columns() / layer.heads;
    const double usual = 1 / std::sqrt(static_cast<double>(width));
    if (!std::isfinite(number) || (meaning == "rope_base" && number <= 0))
      item.refuse("is " + std::to_string(number));
    else if (meaning == "scale" && std::abs(number - usual) > 1e-6 * usual)
      layer.scale = {.mode = ScaleMode::number, .number = number};
    else if (meaning == "rope_base")
      layer.position = Rotary{.pairing = Pairing::half, .base = number};
  }
}

// What a position's option makes is not added a second time.
void drop_made_bias(Reading& reading, LayerSpec& layer) {
  if (!std::holds_alternative<Alibi>(layer.position) && !std::holds_alternative<T5Bias>(layer.position))
    return;
  Item* bias = reading.find("bias");
  if (!bias || bias->forced || bias->says.word == "bias" || bias->says.word == "user_bias") return;
  layer.bias = {};
  bias->refuse("is not used: the position that was chosen makes it");
}

// Rules that the numbers show, and the options. Options that say a mask say all of it: a mistake in the
// numbers is none of the layer.
void tell_and_change(Reading& reading, LayerSpec& layer, const std::function<void(LayerSpec&)>& change) {
  LayerSpec given = layer;
  dump::tell_rules(reading, layer);
  const std::vector<MaskTerm> told = layer.masks;
  if (change) change(layer);
  if (reading.guessed && layer.heads == given.heads && layer.kv_heads == given.kv_heads)
    reading.note(
        "one key/value head is guessed from the widths of W_Q and W_K: say how many heads there are");
  if (layer.masks == told) return;
  change(given);
  layer.masks = given.masks;
}

}  // namespace

Dump read_dump(NamedArrays arrays, const DumpRequest& request) {
  Reading reading = dump::name_arrays(std::move(arrays), request);
  dump::learn_sizes(reading);
  dump::settle_weights(reading);
  Dump& found = reading.dump;
  found.layer = dump::layer_of(reading, request.layer);
  give_numbers(reading, found.layer);
  dump::give_masks(reading, found.layer);
  tell_and_change(reading, found.layer, request.change);
  drop_made_bias(reading, found.layer);
  check_layer(found.layer);
  dump::give_stages(reading);
  found.batches = std::max<std::size_t>(reading.batches, 1);
  if (request.batch >= found.batches)
    throw Error("there is no number " + std::to_string(request.batch) + " in a batch of " +
                    std::to_string(found.batches),
                Fault::option);
  for (Item& item : reading.items)
    if (!item.part) found.names.push_back(std::move(item.meaning));
  return std::move(reading.dump);
}

std::vector<std::string> arrays_to_read(std::span<const std::string> names, const DumpRequest& request) {
  NamedArrays arrays;
  for (const std::string& name : names) arrays.emplace(name, Array());
  std::vector<std::string> wanted;
  for (const Item& item : dump::name_arrays(std::move(arrays), request).items)
    if (!item.meaning.meaning.empty()) wanted.push_back(item.meaning.name);
  return wanted;
}

std::vector<std::string> dump_meanings() {
  return dump::meanings();
}

bool is_stage_meaning(std::string_view meaning) {
  const std::vector<std::string> stages = dump::stage_meanings();
  return std::ranges::find(stages, meaning) != stages.end();
}

NameChoice choice_of(const ArrayMeaning& meaning) {
  return {meaning.name, meaning.meaning, meaning.layout, meaning.transposed};
}

}  // namespace attn
