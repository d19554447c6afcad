// Known mistakes of scores and weights, in words and in code. Part of the list in mistakes.cpp.
#pragma once

#include <array>

#include "core/diagnosis/mistake_forms.h"

namespace attn {

inline constexpr std::array kScoreMistakes{
    Mistake{.word = "no-scale",
            .title = "no scale",
            .sentence = "The scores are not divided by √d_k: they are larger than they should be, so each "
                        "query looks at a few keys almost alone.",
            .wrong = "scores = q @ k.mT",
            .right = "scores = q @ k.mT / math.sqrt(q.size(-1))",
            .forms = mistake_forms::no_scale,
            .needs = "no scale to leave out"},
    Mistake{.word = "scale-by-d_k",
            .title = "scale 1/d_k, not 1/√d_k",
            .sentence = "The scores are divided by d_k, not by its square root: they are too small, so the "
                        "weights are flatter than they should be.",
            .wrong = "scores = q @ k.mT / d_k",
            .right = "scores = q @ k.mT / math.sqrt(d_k)",
            .forms = mistake_forms::scale_by_d_k,
            .needs = "not scaled by 1/√d_k"},
    Mistake{.word = "scale-twice",
            .title = "scale applied twice",
            .sentence =
                "The queries are scaled before the product and the scores are scaled once more, as "
                "when scaled queries go into a function that scales by itself: the weights are too flat.",
            .wrong = "q = q / math.sqrt(d_k)\n"
                     "out = F.scaled_dot_product_attention(q, k, v)",
            .right = "out = F.scaled_dot_product_attention(q, k, v)",
            .forms = mistake_forms::scale_twice,
            .needs = "no scale to apply twice"},
    Mistake{.word = "scale-by-model-width",
            .title = "scale 1/√d, not 1/√d_k",
            .sentence = "The scores are divided by the root of the whole model's width, not of one head's: "
                        "the weights are flatter than they should be.",
            .wrong = "scores = q @ k.mT / math.sqrt(d_model)",
            .right = "scores = q @ k.mT / math.sqrt(d_model // n_heads)",
            .forms = mistake_forms::scale_by_model_width,
            .needs = "not scaled by 1/√d_k, or one head as wide as the model"},
    Mistake{.word = "soft-cap-forgotten",
            .title = "soft cap forgotten",
            .sentence =
                "The scaled scores are not bent by c·tanh(score ÷ c): large ones stay larger than the "
                "cap allows.",
            .wrong = "scores = q @ k.mT * scale",
            .right = "scores = q @ k.mT * scale\n"
                     "scores = soft_cap * torch.tanh(scores / soft_cap)",
            .forms = mistake_forms::soft_cap_forgotten,
            .needs = "no soft cap"},
    Mistake{.word = "softmax-over-queries",
            .title = "softmax over the queries",
            .sentence = "The softmax runs down the columns: the weights of each key add up to 1 over the "
                        "queries, those of a query to anything.",
            .wrong = "weights = scores.softmax(dim=-2)",
            .right = "weights = scores.softmax(dim=-1)",
            .picture = MistakePicture::axis,
            .forms = mistake_forms::softmax_over_queries,
            .needs = "no softmax over the keys"},
    Mistake{.word = "softmax-over-heads",
            .title = "softmax over the heads",
            .sentence = "The softmax runs across the heads: the weights of a pair of query and key add up to "
                        "1 over the heads, those of a query to anything.",
            .wrong = "weights = scores.softmax(dim=1)  # of (batch, heads, queries, keys)",
            .right = "weights = scores.softmax(dim=-1)",
            .picture = MistakePicture::axis,
            .forms = mistake_forms::softmax_over_heads,
            .needs = "one head, or no softmax over the keys"},
};

// These come last: they are told from the numbers, beside whatever else is wrong.
inline constexpr std::array kToldMistakes{
    Mistake{.word = "float16",
            .title = "half precision",
            .sentence = "Every number was rounded to float16, which keeps 11 bits: stages are off by about "
                        "5e−4 of themselves. If your code computes in float32, the file alone was saved so: "
                        "save float() of it.",
            .wrong = "attn = attn.half()",
            .right = "attn = attn.float()",
            .forms = mistake_forms::float16,
            .needs = "it is rounded already"},
    Mistake{.word = "bfloat16",
            .title = "bfloat16 precision",
            .sentence = "Every number was rounded to bfloat16, which keeps 8 bits: stages are off by about "
                        "4e−3 of themselves. If your code computes in float32, the file alone was saved so: "
                        "save float() of it.",
            .wrong = "attn = attn.to(torch.bfloat16)",
            .right = "attn = attn.float()",
            .forms = mistake_forms::bfloat16,
            .needs = "it is rounded already"},
    Mistake{.word = "temperature",
            .title = "another temperature",
            .sentence = "The scaled scores are all divided by one more number, which was found by fitting: "
                        "below 1 it makes the weights sharper, above 1 flatter.",
            .wrong = "scores = q @ k.mT / math.sqrt(d_k) / temperature",
            .right = "scores = q @ k.mT / math.sqrt(d_k)",
            .forms = mistake_forms::temperature,
            .needs = "scores that are not ours times a number",
            .told = true},
    Mistake{.word = "dropout-on",
            .title = "dropout left on",
            .sentence = "Some weights are 0 by chance and the others are divided by 1 − p, as in training: "
                        "the module was not switched to evaluation.",
            .wrong = "out = attn(x)",
            .right = "attn.eval()\n"
                     "out = attn(x)",
            .picture = MistakePicture::mask,
            .forms = mistake_forms::dropout_on,
            .needs = "no zeros in yours but those of the mask, or no weights in the file",
            .told = true},
};

}  // namespace attn
