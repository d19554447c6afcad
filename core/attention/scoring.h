// Scoring functions: how a query and a key become one number, what each is called and what it costs.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

enum class Scoring { dot, general, concat, additive, gaussian, cosine };

struct ScoringText {
  std::string_view word;     // of sessions and the command line
  std::string_view title;    // of controls
  std::string_view formula;  // of one score
  std::string_view source;
  std::string_view scale;  // the scale that is usual with it
  bool free_widths;        // queries and keys may be of different widths
};

// In the order of the enumeration.
inline constexpr std::array<ScoringText, 6> kScorings{
    {{"dot", "dot", "qᵀk", "Luong et al. 2015; with 1/√d_k Vaswani et al. 2017", "1/√d_k", false},
     {"general", "general", "qᵀ W k", "Luong et al. 2015", "off", true},
     {"concat", "concat", "vᵀ tanh(W [q; k])", "Luong et al. 2015", "off", true},
     {"additive", "additive", "vᵀ tanh(W_q q + W_k k)", "Bahdanau et al. 2015", "off", true},
     {"gaussian", "Gaussian", "−|q − k|² ÷ 2σ²", "Nadaraya 1964, Watson 1964", "off", false},
     {"cosine", "cosine", "qᵀk ÷ (|q|·|k|), 0 of a zero vector", "Graves et al. 2014",
      "a number above 1, since no score is", false}}};
inline const ScoringText& scoring_text(Scoring scoring) {
  return kScorings[static_cast<std::size_t>(scoring)];
}
// "general, concat or additive".
std::string free_width_scorings();

// d_q, d_k, and d_a of those that have one.
struct ScoreWidths {
  std::size_t query = 0, key = 0, hidden = 0;
};

// Multiplications and divisions of one query's scores with m keys, by the definitions: what depends on the
// query alone is done once, what depends on a key alone for each of them.
struct ScoreCost {
  std::size_t count = 0;
  std::string words;  // "m·d_k"
};
ScoreCost score_cost(Scoring scoring, const ScoreWidths& widths, std::size_t keys);

}  // namespace attn
