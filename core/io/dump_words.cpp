// The names that tools give to arrays of attention, and what each means.
#include "core/io/dump_words.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/text/find_words.h"
#include "core/text/text.h"

namespace attn::dump {
namespace {

struct Names {
  std::string_view meaning;
  std::string_view words;  // apart by spaces
};

// Activations and settings have no ending that says what they are.

// Stages, in the order of a layer.
constexpr std::array kStages{
    Names{"position", "position x_pos embedded"},
    Names{"q", "q query queries q_proj query_layer query_states q_states q_heads xq"},
    Names{"k", "k key keys k_proj key_layer key_states k_states k_heads xk"},
    Names{"v", "v value values v_proj value_layer value_states v_states v_heads xv"},
    Names{"q_normed", "q_normed q_norm"},
    Names{"k_normed", "k_normed k_norm"},
    Names{"q_rotated", "q_rotated q_rot q_rope q_embed query_rot q_roped"},
    Names{"k_rotated", "k_rotated k_rot k_rope k_embed key_rot k_roped"},
    Names{"scores",
          "scores attn_scores attention_scores attention_logits attn_logits logits qk energy sim raw_scores"},
    Names{"scaled", "scaled scaled_scores scores_scaled"},
    Names{"capped", "capped"},
    Names{"biased", "biased"},
    Names{"masked", "masked masked_scores scores_masked"},
    Names{"weights",
          "weights attn_probs attention_probs attn_weights attn_weight attention_weights attn attention "
          "attentions attn_output_weights a p probs prob alpha attention_map attn_map"},
    Names{"masked_weights", "masked_weights"},
    Names{"dropped", "dropped attn_dropped"},
    Names{"head_output", "head_output heads_output head_out"},
    Names{"concat", "concat context ctx context_layer z"},
    Names{"output", "output out attn_output attention_output attn_out encoded y o"}};

// What goes in, and settings.
constexpr std::array kGiven{
    Names{"x", "x hidden_states hidden_state hidden input inputs embeddings x_in"},
    Names{"memory", "memory mem encoder_hidden_states key_value_states encoder_output kv_input"},
    Names{"w_q", "w_q wq w_query wquery q_w weight_q"},
    Names{"w_k", "w_k wk w_key wkey k_w weight_k"},
    Names{"w_v", "w_v wv w_value wvalue v_w weight_v"},
    Names{"w_o", "w_o wo w_out wout o_w weight_o"},
    Names{"b_q", "b_q bq"},
    Names{"b_k", "b_k bk"},
    Names{"b_v", "b_v bv"},
    Names{"b_o", "b_o bo"},
    Names{"qkv", "w_qkv wqkv"},
    Names{"mask",
          "mask attn_mask causal_mask src_mask tgt_mask key_padding_mask src_key_padding_mask "
          "padding_mask pad_mask attention_mask key_mask"},
    Names{"bias", "bias user_bias position_bias alibi attn_bias attention_bias rel_pos_bias"},
    Names{"lengths",
          "lengths seq_lens seq_len valid_len valid_lens valid_length valid_lengths key_lengths kv_lens"},
    Names{"heads", "heads num_heads n_heads n_head nhead num_attention_heads"},
    Names{"kv_heads", "kv_heads num_kv_heads n_kv_heads num_key_value_heads"},
    Names{"scale", "scale softmax_scale scaling"},
    Names{"causal", "causal is_causal"},
    Names{"rope_base", "rope_base rope_theta"},
    Names{"score_w", "score_w"},
    Names{"score_w_q", "score_w_q"},
    Names{"score_w_k", "score_w_k"},
    Names{"score_v", "score_v"},
    Names{"local_w", "local_w"},
    Names{"local_v", "local_v"}};

// Of projections, before ".weight", ".kernel" or ".bias".
constexpr std::array kStems{
    Names{"q", "q query wq w_q q_proj query_proj to_q q_lin q_linear linear_q"},
    Names{"k", "k key wk w_k k_proj key_proj to_k k_lin k_linear linear_k"},
    Names{"v", "v value wv w_v v_proj value_proj to_v v_lin v_linear linear_v"},
    Names{"o", "o wo w_o o_proj out_proj output_proj to_out out_lin out_linear linear_out"},
    Names{"qkv", "qkv wqkv in_proj qkv_proj c_attn to_qkv w_pack query_key_value"}};
// The same of the output, but used for other layers too: only within an attention, or without a path.
constexpr std::string_view kWeakOutput = "dense proj c_proj out output";

bool is_among(std::string_view words, std::string_view word) {
  for (const std::string& each : split(words, ' '))
    if (each == word) return true;
  return false;
}

template <std::size_t N>
std::string_view meaning_of(const std::array<Names, N>& table, std::string_view word) {
  for (const Names& names : table)
    if (is_among(names.words, word)) return names.meaning;
  return {};
}

bool is_attention(std::string_view part) {
  return part.find("attn") != part.npos || part.find("attention") != part.npos;
}

bool is_other_layer(std::string_view part) {
  return is_among("mlp ffn ff feed_forward feedforward intermediate experts lm_head", part);
}

std::vector<std::string> parts_of(std::string name) {
  std::ranges::replace(name, '/', '.');
  std::ranges::replace(name, ':', '.');
  std::vector<std::string> parts = split(small_letters(name), '.');
  std::erase(parts, std::string());
  return parts;
}

bool ends_with_digit(std::string_view part) {
  return !part.empty() && std::isdigit(static_cast<unsigned char>(part.back())) != 0;
}

// What comes before the name itself, up to the attention, or the layer that is counted.
std::string group_of(const std::vector<std::string>& path) {
  const auto last = std::find_if(path.rbegin(), path.rend(), [](const std::string& part) {
    return is_attention(part) || ends_with_digit(part);
  });
  std::string group;
  for (auto it = path.begin(); it != last.base(); ++it) group += (group.empty() ? "" : ".") + *it;
  return group;
}

// Takes "weight", "kernel" or "bias" off the end, where it says that this is a parameter.
std::string take_ending(std::vector<std::string>& parts) {
  constexpr std::array kEndings{"weight", "kernel", "bias"};
  std::string& last = parts.back();
  for (const std::string ending : kEndings) {
    if (last == ending && parts.size() > 1) {
      parts.pop_back();
      return ending;
    }
    const std::string stem =
        last.ends_with("_" + ending) ? last.substr(0, last.size() - ending.size() - 1) : "";
    if (stem.empty() || meaning_of(kStems, stem).empty()) continue;
    last = stem;
    return ending;
  }
  return {};
}

// "q_proj" of "attn.q_proj.weight".
void say_parameter(NameSays& says, const std::string& ending, const std::vector<std::string>& path) {
  std::string_view stem = meaning_of(kStems, says.word);
  if (stem.empty() && is_among(kWeakOutput, says.word) &&
      (path.empty() || std::ranges::any_of(path, is_attention)))
    stem = "o";
  says.parameter = true;
  if (stem.empty() || std::ranges::any_of(path, is_other_layer)) return;
  if (stem == "qkv") {
    says.meaning = stem;
  } else {
    says.meaning = (ending == "bias" ? "b_" : "w_") + std::string(stem);
  }
  // Conv1D of GPT-2 is in×out, as kernels of Flax are.
  says.transposed = ending == "weight" && !says.word.starts_with("c_");
}

std::vector<Names> all_names() {
  std::vector<Names> all(kStages.begin(), kStages.end());
  all.insert(all.end(), kGiven.begin(), kGiven.end());
  return all;
}

// A word with the same beginning and about as long.
std::string near_word(const std::string& word) {
  std::vector<std::string> candidates;
  for (const Names& names : all_names())
    for (std::string& each : split(names.words, ' '))
      if (each.size() > 3 && each.front() == word.front() && each.size() + 2 >= word.size() &&
          each.size() <= word.size() + 2)
        candidates.push_back(std::move(each));
  return word.size() > 3 ? nearest_word(word, candidates) : "";
}

}  // namespace

NameSays what_name_says(const std::string& name) {
  NameSays says;
  std::vector<std::string> parts = parts_of(name);
  if (parts.empty()) return says;
  const std::string ending = take_ending(parts);
  // "to_out.0.weight": a projection within a sequence.
  if (!ending.empty() && parts.size() > 1 && parts.back() == "0") parts.pop_back();
  says.word = parts.back();
  parts.pop_back();
  says.group = group_of(parts);
  if (ending.empty()) {
    says.meaning = meaning_of(kStages, says.word);
    if (says.meaning.empty()) says.meaning = meaning_of(kGiven, says.word);
  } else {
    say_parameter(says, ending, parts);
  }
  says.own = says.meaning == name;
  if (says.meaning.empty() && ending.empty()) says.near = near_word(says.word);
  return says;
}

std::vector<std::string> meanings() {
  std::vector<std::string> words;
  for (const Names& names : all_names()) {
    words.emplace_back(names.meaning);
    if (names.meaning == "mask") words.emplace_back("keep");
  }
  return words;
}

std::vector<std::string> stage_meanings() {
  std::vector<std::string> ids;
  for (const Names& names : kStages) ids.emplace_back(names.meaning);
  return ids;
}

bool is_weight(std::string_view meaning) {
  return is_among("w_q w_k w_v w_o", meaning);
}

bool is_column_bias(std::string_view meaning) {
  return is_among("b_q b_k b_v b_o", meaning);
}

bool comes_before(std::string_view group, std::string_view other) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto number = [&](std::string_view text) {
    return std::string_view(text.begin(), std::ranges::find_if_not(text, digit));
  };
  while (!group.empty() && !other.empty()) {
    const std::string_view a = number(group), b = number(other);
    if (!a.empty() && !b.empty() && a != b) return a.size() != b.size() ? a.size() < b.size() : a < b;
    if (group.front() != other.front()) return group.front() < other.front();
    group.remove_prefix(1), other.remove_prefix(1);
  }
  return group.size() < other.size();
}

}  // namespace attn::dump
