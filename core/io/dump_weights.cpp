// Weights and biases of other tools as ours: in×out, each by itself.
#include <algorithm>

#include "core/io/dump_parts.h"
#include "core/text/text.h"

namespace attn::dump {
namespace {

// Layers that are stacked: the first. Kernels of Flax have an axis for the heads, beside the features of a
// head: behind the inputs, or before the outputs.
void flatten_weight(Reading& reading, Item& item) {
  std::vector<std::size_t>& shape = item.array.shape;
  if (shape.size() == 3 && item.says.parameter && !item.meaning.transposed) {
    const bool output = item.is("w_o");
    if (reading.heads == 0) reading.heads = item.is("w_q") ? shape[1] : reading.heads;
    shape = output ? std::vector{shape[0] * shape[1], shape[2]} : std::vector{shape[0], shape[1] * shape[2]};
  } else if (shape.size() == 3) {
    item.array = in_our_order({.shape = {1, shape[0], shape[1], shape[2]},
                               .values = {item.array.numbers().begin(), item.array.numbers().end()}},
                              "blnd", 0);
    reading.note(printable(item.meaning.name) + ": of the layers the first is read");
  }
}

std::size_t last_of(const Item* item) {
  return item ? item->array.shape.back() : 0;
}

// How many rows it has when it is in×out; 0: any number.
std::size_t inputs_of(Reading& reading, const Item& item) {
  if (item.is("w_q") || item.is("qkv")) return last_of(reading.find("x"));
  if (item.is("w_o")) return 0;
  const Item* memory = reading.find("memory");
  return last_of(memory ? memory : reading.find("x"));
}

std::string inputs_text(const Item& item, std::size_t inputs) {
  return "is " + shape_text(item.meaning.shape) + ": neither axis has the " + std::to_string(inputs) +
         " features of its input";
}

// Names say whether it is out×in; the shape, where it can be only one of both.
void turn(Reading& reading, Item& item) {
  flatten_weight(reading, item);
  if (item.array.shape.size() != 2)
    return item.refuse("is " + shape_text(item.meaning.shape) + ": expected two axes");
  const std::size_t rows = item.array.shape[0], columns = item.array.shape[1],
                    inputs = inputs_of(reading, item);
  if (item.is("qkv") && rows != columns && !item.forced) item.meaning.transposed = rows > columns;
  if (inputs != 0) {
    if (rows != inputs && columns != inputs) return item.refuse(inputs_text(item, inputs));
    if (rows != columns) item.meaning.transposed = columns == inputs;
  }
  if (item.meaning.transposed) item.array = transposed(item.array);
}

// The output's projection: as many rows as the heads have columns together.
void turn_output(Reading& reading) {
  Item* item = reading.find("w_o");
  if (!item) return;
  const Item* packed = reading.find("qkv");
  // c_proj is as c_attn: Conv1D, or a Linear of the same name.
  if (packed && item->says.word.starts_with("c_") && !item->forced)
    item->meaning.transposed = packed->meaning.transposed;
  const std::size_t width = last_of(reading.find("w_q"));
  flatten_weight(reading, *item);
  const std::vector<std::size_t>& shape = item->array.shape;
  if (shape.size() != 2) return item->refuse("is " + shape_text(item->meaning.shape) + ": expected two axes");
  if (width != 0 && shape[0] != shape[1] && (shape[0] == width) != (shape[1] == width) && !item->forced)
    item->meaning.transposed = shape[1] == width;
  if (item->meaning.transposed) item->array = transposed(item->array);
}

// Queries first, then keys and values: all alike, or narrower, where queries are as wide as the input.
void unpack(Reading& reading) {
  std::vector<Item> parts;
  for (Item& item : reading.items) {
    if (!item.is("qkv")) continue;
    if (item.says.word == "query_key_value") {
      item.refuse("holds queries, keys and values head by head: give query_layer, key_layer and value_layer");
      continue;
    }
    const bool weight = item.array.shape.size() > 1;
    if (weight) turn(reading, item);
    if (!item.meaning.refused.empty()) continue;
    const std::size_t width = item.array.shape.back(), inputs = last_of(reading.find("x"));
    const bool grouped = inputs != 0 && width > inputs && width < 3 * inputs && (width - inputs) % 2 == 0;
    const std::size_t queries = grouped ? inputs : width / 3, others = (width - queries) / 2;
    if (others == 0 || queries + 2 * others != width) {
      item.refuse("is " + shape_text(item.meaning.shape) +
                  ": it cannot be cut into queries, keys and values");
      continue;
    }
    const std::string letter = weight ? "w_" : "b_";
    for (const auto& [name, first, count] :
         {std::tuple("q", std::size_t{0}, queries), {"k", queries, others}, {"v", queries + others, others}})
      parts.push_back({.meaning = {.name = item.meaning.name, .meaning = letter + name},
                       .array = columns_of(item.array, first, count),
                       .part = true});
    item.array = {};
  }
  std::ranges::move(parts, std::back_inserter(reading.items));
}

void settle_bias(Reading& reading, Item& item) {
  Array& array = item.array;
  const Item* weight = reading.find("w_" + item.meaning.meaning.substr(2));
  const std::size_t width = last_of(weight);
  if (!weight || array.numbers().size() % std::max<std::size_t>(width, 1) != 0 ||
      (array.numbers().size() != width && array.shape.size() == 1))
    return item.refuse("has " + std::to_string(array.numbers().size()) +
                       " numbers: expected one for each column of its weight");
  array = columns_of(
      {.shape = {array.numbers().size()}, .values = {array.numbers().begin(), array.numbers().end()}}, 0,
      width);
}

}  // namespace

void settle_weights(Reading& reading) {
  if (reading.has("w_q")) {
    for (Item& item : reading.items)
      if (item.is("qkv")) item.refuse("is not used: there are weights of their own");
  } else {
    unpack(reading);
  }
  for (Item& item : reading.items)
    if (is_weight(item.meaning.meaning) && item.meaning.refused.empty() && !item.is("w_o") && !item.part)
      turn(reading, item);
  turn_output(reading);
  for (Item& item : reading.items)
    if (is_column_bias(item.meaning.meaning) && item.meaning.refused.empty()) settle_bias(reading, item);
}

}  // namespace attn::dump
