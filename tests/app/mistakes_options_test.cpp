// Mistakes of the mask and of the softmax's axis as options, refused where there is nothing to mistake.
#include <doctest/doctest.h>

#include "app/cli/options.h"
#include "tests/app/words.h"
#include "tests/contains.h"

using namespace attn;
using namespace attn::tests;

namespace {

LayerSpec read(const std::string& option, const std::string& word) {
  LayerWords words;
  words["--mask"] = {"causal"}, words[option] = {word};
  LayerSpec layer;
  read_layer_options(words)(layer);
  return layer;
}

void check_refused(std::vector<std::string> words, const char* reason) {
  words.insert(words.begin(), {"trace", "three-tokens"});
  const Outcome outcome = run_words(words);
  CHECK(outcome.status == kBadWords);
  CHECK_MESSAGE(contains(outcome.err, reason), outcome.err);
}

}  // namespace

TEST_CASE("each mistake is an option") {
  CHECK(read("--mask-at", "after").mask_at == MaskAt::after);
  CHECK(read("--softmax-over", "queries").softmax_over == SoftmaxOver::queries);
  CHECK(read("--softmax-over", "heads").softmax_over == SoftmaxOver::heads);
  CHECK(read("--head-split", "memory").head_split == HeadCut::memory);
  CHECK(read("--head-merge", "memory").head_merge == HeadCut::memory);
  CHECK(read("--head-groups", "tiled").head_groups == HeadGroups::tiled);
  CHECK(read("--key-turn", "reshaped").key_turn == KeyTurn::reshaped);
  CHECK(read("--fill", "add-1").fill == Fill::add_one);
  CHECK(read("--qk-norm-last", "on").qk_norm_last);
  CHECK(read("--position-twice", "on").position_twice);
  CHECK(read("--rope-on-values", "on").rope_on_values);
  CHECK(read("--causal-ahead", "1").masks == std::vector<MaskTerm>{{CausalRule{.ahead = 1}}});
  CHECK(read("--causal-offset", "1").masks == std::vector<MaskTerm>{{CausalRule{.offset = 1}}});
}

TEST_CASE("a mistake that cannot be made is refused with the reason") {
  check_refused({"--mask-at", "after"}, "there is no mask to move");
  check_refused({"--causal-ahead", "1"}, "there is no causal mask to change");
  check_refused({"--softmax-over", "queries", "--weighting", "relu"}, "relu computes each weight by itself");
  check_refused({"--softmax-over", "heads", "--weighting", "relu"}, "relu computes each weight by itself");
  check_refused({"--softmax-over", "rows"}, "heads");
}
