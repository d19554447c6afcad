// Which array of a file is what: by its name, by what else is there, and by what a person says.
#include <algorithm>
#include <set>

#include "core/io/dump_parts.h"
#include "core/system/error.h"
#include "core/text/bytes.h"
#include "core/text/text.h"

namespace attn::dump {
namespace {

// "NAME=MEANING.T:nhd" over the item of that name.
void override_name(Reading& reading, const std::string& words) {
  if (words.find('=') == words.npos)
    throw Error("names are given as NAME=MEANING, not " + in_quotes(words), Fault::option);
  const auto& [name, meaning, layout, transposed] = name_choice(words);
  const auto item =
      std::ranges::find(reading.items, name, [](const Item& each) { return each.meaning.name; });
  if (item == reading.items.end()) throw Error("the file has no array " + in_quotes(name), Fault::option);
  const std::vector<std::string> known = meanings();
  if (!meaning.empty() && std::ranges::find(known, meaning) == known.end()) {
    const std::string near = nearest_word(meaning, known);
    throw Error(in_quotes(meaning) + " is no meaning of an array" +
                    (near.empty() ? "" : ": did you mean " + near + "?"),
                Fault::option);
  }
  if (!layout.empty() && std::ranges::find(head_axes(), layout) == head_axes().end())
    throw Error(in_quotes(layout) + " is no layout: give nhd, hnd, bnhd, bhnd, nbd, bnd or nd",
                Fault::option);
  item->meaning.meaning = meaning, item->meaning.layout = layout, item->meaning.transposed = transposed;
  item->meaning.refused.clear(), item->forced = true;
}

bool is_within(std::string_view group, std::string_view other) {
  return other.starts_with(group) && (other.size() == group.size() || other[group.size()] == '.');
}

// Of several attentions in one file the first is read: that whose weights are there.
void choose_group(Reading& reading) {
  std::string chosen;
  std::set<std::string> groups;
  bool with_weights = false;
  for (const Item& item : reading.items) {
    if (item.says.group.empty() || item.meaning.meaning.empty()) continue;
    groups.insert(item.says.group);
    if (with_weights && !item.says.parameter) continue;
    if (chosen.empty() || (item.says.parameter && !with_weights) || comes_before(item.says.group, chosen))
      chosen = item.says.group;
    with_weights |= item.says.parameter;
  }
  std::size_t left = 0;
  for (Item& item : reading.items) {
    const std::string& group = item.says.group;
    if (item.forced || item.meaning.meaning.empty() || is_within(group, chosen) || group.empty()) continue;
    if (is_within(chosen, group) && !item.says.parameter) continue;
    item.meaning.meaning.clear(), ++left;
  }
  if (left > 0) reading.note("the attention that is read is " + printable(chosen) + ": others are left out");
}

// `query`, `key` and `value` of a module are what it is given, where it has projections; `q_proj` without an
// ending is a weight where nothing else is.
void settle_inputs(Reading& reading) {
  const bool packed = reading.has("qkv"), weights = packed || reading.has("w_q");
  for (Item& item : reading.items) {
    if (item.forced || item.says.parameter) continue;
    const std::string& word = item.says.word;
    if (word.ends_with("_proj") && !weights && item.array.shape.size() == 2 && reading.has("x"))
      item.meaning.meaning = "w_" + word.substr(0, 1), item.meaning.transposed = true;
  }
  Item* query = reading.find("q");
  if (!weights || reading.has("x") || !query || query->forced || query->says.word != "query") return;
  query->meaning.meaning = "x";
  const auto same = [](const Item& a, const Item& b) {
    return a.array.shape == b.array.shape && std::ranges::equal(a.array.numbers(), b.array.numbers());
  };
  Item *key = reading.find("k"), *value = reading.find("v");
  if (key && key->says.word == "key") {
    if (value && value->says.word == "value" && !same(*key, *value))
      value->refuse("is another input than the one of the keys, which a layer has not");
    key->meaning.meaning = same(*key, *query) ? "" : "memory";
  }
  if (value && value->says.word == "value") value->meaning.meaning.clear();
}

// Beside an output of another name that of the attention is what comes before W_O.
void settle_outputs(Reading& reading) {
  const auto is_output = [](const Item& item) { return item.is("output") && !item.forced; };
  if (std::ranges::count_if(reading.items, is_output) < 2 || reading.has("concat") || !reading.has("w_o"))
    return;
  for (Item& item : reading.items)
    if (is_output(item) &&
        (item.says.word.starts_with("attn_") || item.says.word.starts_with("attention_"))) {
      item.meaning.meaning = "concat";
      return;
    }
}

// The surest name of each meaning: one that was given, then our own, then the first.
void drop_doubles(Reading& reading) {
  for (Item& item : reading.items) {
    if (item.meaning.meaning.empty() || item.meaning.meaning == "mask" || item.meaning.meaning == "bias")
      continue;
    for (Item& other : reading.items) {
      if (&other == &item || !other.is(item.meaning.meaning)) continue;
      // A packed weight and its bias have one meaning.
      if (item.is("qkv") && item.array.shape.size() != other.array.shape.size()) continue;
      const std::pair mine(item.forced, item.says.own), theirs(other.forced, other.says.own);
      if (theirs < mine || (theirs == mine && &other > &item)) continue;
      item.refuse("is not used: " + printable(other.meaning.name) + " is " + item.meaning.meaning +
                  " already");
      break;
    }
  }
}

// In a file of our own stages `bias` has what a position adds in it: what was given is user_bias.
void settle_bias(Reading& reading) {
  if (!reading.has("biased")) return;
  for (Item& item : reading.items)
    if (item.says.word == "bias" && !item.forced) item.meaning.meaning.clear();
}

}  // namespace

void Item::refuse(std::string why) {
  meaning.refused = std::move(why);
  array = {};
}

Item* Reading::find(std::string_view meaning) {
  const auto found = std::ranges::find_if(items, [&](const Item& item) { return item.is(meaning); });
  return found == items.end() ? nullptr : &*found;
}

Reading name_arrays(NamedArrays arrays, const DumpRequest& request) {
  Reading reading{.batch = request.batch};
  for (auto& [name, array] : arrays) {
    Item item{.meaning = {.name = name, .shape = array.shape}, .says = what_name_says(name)};
    item.meaning.meaning = item.says.meaning, item.meaning.transposed = item.says.transposed;
    if (!item.says.near.empty()) item.meaning.refused = "is not known: did you mean " + item.says.near + "?";
    if (array.numbers().empty() && !item.meaning.meaning.empty()) item.meaning.refused = "is empty";
    item.array = std::move(array);
    reading.items.push_back(std::move(item));
  }
  for (const std::string& words : request.names) override_name(reading, words);
  choose_group(reading);
  settle_bias(reading);
  settle_inputs(reading);
  settle_outputs(reading);
  drop_doubles(reading);
  return reading;
}

}  // namespace attn::dump
