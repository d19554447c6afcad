// The rules of a mask as words of the command line and of the controls: "window:2", "and:not:padding:3".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/operations/mask_rules.h"

namespace attn {

// RULE, not:RULE, and:RULE or and:not:RULE, with RULE one of causal, padding:L or padding:L0,L1,…, window:W,
// strided:L, global:I,J,…, random:R or random:R:SEED, prefix:P, blocks:L0,L1,…. Nothing for any other word.
//
std::optional<MaskTerm> read_mask_term(std::string_view word);

// The word that reads back as the term, but for the alignment and the offset of a causal rule, which have
// options of their own.
std::string mask_word(const MaskTerm& term);

// What a word that is none should have been, for messages: of a known kind of rule its own form, else every
// form.
std::string mask_words_taken(std::string_view word);

// Mask words near which a wrong one may lie: every kind of rule with what stands behind the wrong one's
// colon.
std::vector<std::string> mask_word_candidates(std::string_view word);

// "3 4 4": numbers apart by spaces or commas; nothing unless there is one and all are whole numbers up to
// kMostMaskNumber.
std::optional<std::vector<std::size_t>> read_counts(std::string_view text);
std::string count_words(const std::vector<std::size_t>& counts, std::string_view between);

}  // namespace attn
