// What an array is to be taken for, in words: "attn.q_proj.weight=w_q.T", "k=k:nhd", "step=".
#pragma once

#include <string>

namespace attn {

struct NameChoice {
  std::string name;
  std::string meaning = {};  // of ArrayMeaning (core/io/dump.h); empty: not needed
  std::string layout = {};   // of its axes: "nhd"; empty: as it is told
  bool transposed = false;
  bool operator==(const NameChoice&) const = default;
};

// Of words without "=" all is the name. Whether there is such a meaning, and such a layout, is read_dump's
// business.
NameChoice name_choice(const std::string& words);
std::string name_words(const NameChoice& choice);

}  // namespace attn
