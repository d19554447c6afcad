// What the name of an array says, as tools give names: "attn.q_proj.weight" is W_Q, out×in. For dump*.cpp
// only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::dump {

struct NameSays {
  std::string meaning = {};  // of ArrayMeaning; empty: not known
  std::string word = {};     // the last part, in small letters: "q_proj", of a parameter without its "weight"
  std::string group =
      {};  // the attention that it belongs to, where names are paths: "model.layers.0.self_attn"
  std::string near = {};    // of an unknown one: the known word that it may be
  bool transposed = false;  // a weight that is out×in by its name
  bool own = false;         // a name of ours as it stands
  bool parameter = false;   // told by its ending: ".weight", ".bias"
};

NameSays what_name_says(const std::string& name);

// The words of ArrayMeaning::meaning. "keep" is a mask whose nonzero numbers are seen, "mask" one whose are
// not.
std::vector<std::string> meanings();
// Of these the stages that a file may give (core/compare/check.h), in their order.
std::vector<std::string> stage_meanings();
bool is_weight(std::string_view meaning);  // w_q, w_k, w_v, w_o
bool is_column_bias(std::string_view meaning);
// Of two attentions in a file the one whose layer has the smaller number: "layers.2" before "layers.10".
bool comes_before(std::string_view group, std::string_view other);

}  // namespace attn::dump
