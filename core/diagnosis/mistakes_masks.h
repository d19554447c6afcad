// Known mistakes of masks, in words and in code. Part of the list in mistakes.cpp.
#pragma once

#include <array>

#include "core/diagnosis/mistake_forms.h"

namespace attn {

inline constexpr std::array kMaskMistakes{
    Mistake{.word = "causal-sees-ahead",
            .title = "causal, sees one ahead",
            .sentence = "The causal mask begins one key too late: every query sees the key after its own, "
                        "which is the token that it is to predict.",
            .wrong = "mask = torch.ones(n, n, dtype=torch.bool).triu(diagonal=2)",
            .right = "mask = torch.ones(n, n, dtype=torch.bool).triu(diagonal=1)",
            .picture = MistakePicture::mask,
            .forms = mistake_forms::causal_sees_ahead,
            .needs = "no causal mask"},
    Mistake{.word = "causal-hides-itself",
            .title = "causal, hides itself",
            .sentence = "The causal mask begins one key too early: no query sees its own key, and the first "
                        "one sees none.",
            .wrong = "mask = torch.ones(n, n, dtype=torch.bool).triu(diagonal=0)",
            .right = "mask = torch.ones(n, n, dtype=torch.bool).triu(diagonal=1)",
            .picture = MistakePicture::mask,
            .forms = mistake_forms::causal_hides_itself,
            .needs = "no causal mask"},
    Mistake{.word = "causal-alignment",
            .title = "causal, aligned at the other corner",
            .sentence = "There are not as many queries as keys, and the causal diagonal starts at the other "
                        "corner: behind a cache, top left hides most of what came before, lower right shows "
                        "it. (is_causal=True is top left.)",
            .wrong = "out = F.scaled_dot_product_attention(q, k, v, is_causal=True)",
            .right = "mask = torch.ones(n, m, dtype=torch.bool).tril(diagonal=m - n)  # True: is seen\n"
                     "out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)",
            .picture = MistakePicture::mask,
            .forms = mistake_forms::causal_alignment,
            .needs = "no causal mask, or n = m"},
    Mistake{.word = "padding-forgotten",
            .title = "padding forgotten",
            .sentence = "Keys of padding are not masked: every query spends weight on tokens that are not "
                        "there.",
            .wrong = "out, w = mha(x, x, x)",
            .right = "out, w = mha(x, x, x, key_padding_mask=torch.arange(n) >= lengths[:, None])",
            .picture = MistakePicture::mask,
            .forms = mistake_forms::padding_forgotten,
            .needs = "no padding"},
    Mistake{.word = "padding-of-queries",
            .title = "padding masks rows, not columns",
            .sentence = "The padding mask is laid along the queries: rows of padding see nothing, and the "
                        "others still see its keys.",
            .wrong = "scores = scores.masked_fill(pad[:, None, :, None], -math.inf)",
            .right = "scores = scores.masked_fill(pad[:, None, None, :], -math.inf)",
            .picture = MistakePicture::mask,
            .forms = mistake_forms::padding_of_queries,
            .needs = "no padding of one length, or keys that are not the queries’ tokens"},
    Mistake{.word = "window-off-by-one",
            .title = "window off by one",
            .sentence = "The sliding window is one key wider, or narrower, on each side than it should be: < "
                        "for ≤, or the other way round.",
            .wrong = "mask = (i - j).abs() >= window",
            .right = "mask = (i - j).abs() > window",
            .picture = MistakePicture::mask,
            .forms = mistake_forms::window_off_by_one,
            .needs = "no window"},
    Mistake{.word = "mask-inverted",
            .title = "mask inverted",
            .sentence =
                "True is taken for “is seen” where it means “is hidden”, or the other way round: just "
                "the keys that should be hidden are seen.",
            .wrong = "scores = scores.masked_fill(~mask, -math.inf)",
            .right = "scores = scores.masked_fill(mask, -math.inf)  # mask: True = hidden",
            .picture = MistakePicture::mask,
            .forms = mistake_forms::mask_inverted,
            .needs = "no mask"},
    Mistake{.word = "mask-after-softmax",
            .title = "mask after the softmax",
            .sentence =
                "Masked weights are set to 0 after the softmax, not their scores to −∞ before it: the "
                "rows no longer add up to 1.",
            .wrong = "weights = scores.softmax(-1).masked_fill(mask, 0)",
            .right = "weights = scores.masked_fill(mask, -math.inf).softmax(-1)",
            .picture = MistakePicture::mask,
            .forms = mistake_forms::mask_after_softmax,
            .needs = "no mask before the softmax"},
    Mistake{.word = "mask-adds-1",
            .title = "mask added as 0 and 1",
            .sentence = "A mask of 0 and 1 is added to the scores as it is: hidden keys get a score that is "
                        "larger by 1, so they are seen more, not less.",
            .wrong = "scores = scores + mask",
            .right = "scores = scores.masked_fill(mask.bool(), -math.inf)",
            .picture = MistakePicture::mask,
            .forms = mistake_forms::mask_adds_1,
            .needs = "no mask before the softmax"},
};

}  // namespace attn
