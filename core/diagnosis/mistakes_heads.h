// Known mistakes of projections and heads, in words and in code. Part of the list in mistakes.cpp.
#pragma once

#include <array>

#include "core/diagnosis/mistake_forms.h"

namespace attn {

inline constexpr std::array kHeadMistakes{
    Mistake{.word = "w-not-transposed",
            .title = "W not transposed",
            .sentence = "A square weight is multiplied as it is stored, out × in, without the transpose that "
                        "nn.Linear makes: every feature comes out wrong, and no shape complains.",
            .wrong = "q = x @ q_proj.weight",
            .right = "q = x @ q_proj.weight.T",
            .forms = mistake_forms::w_not_transposed,
            .needs = "no square weight"},
    Mistake{.word = "packed-order",
            .title = "packed q, k, v in another order",
            .sentence = "The parts of a packed projection are taken in another order than they were written: "
                        "what should be queries are keys or values.",
            .wrong = "k, q, v = qkv.chunk(3, dim=-1)",
            .right = "q, k, v = qkv.chunk(3, dim=-1)",
            .forms = mistake_forms::packed_order,
            .needs = "q, k and v of different shapes"},
    Mistake{.word = "biases-forgotten",
            .title = "biases forgotten",
            .sentence = "The projections’ biases are not added.",
            .wrong = "q = F.linear(x, w_q)",
            .right = "q = F.linear(x, w_q, b_q)",
            .forms = mistake_forms::biases_forgotten,
            .needs = "no biases"},
    Mistake{.word = "heads-split-by-reshape",
            .title = "heads split by reshape alone",
            .sentence = "Heads are cut in the order of memory, without a transpose: a head holds all columns "
                        "of a few tokens in place of a few columns of all tokens.",
            .wrong = "q = q.view(b, h, n, d_k)",
            .right = "q = q.view(b, n, h, d_k).transpose(1, 2)",
            .picture = MistakePicture::heads,
            .forms = mistake_forms::heads_split_by_reshape,
            .needs = "one head, or no projections"},
    Mistake{.word = "heads-merged-by-reshape",
            .title = "heads merged by reshape alone",
            .sentence = "Heads are joined in the order of memory, without a transpose: a row of the result "
                        "holds several tokens of one head in place of one token of all heads.",
            .wrong = "out = out.reshape(b, n, h * d_v)",
            .right = "out = out.transpose(1, 2).reshape(b, n, h * d_v)",
            .picture = MistakePicture::heads,
            .forms = mistake_forms::heads_merged_by_reshape,
            .needs = "one head"},
    Mistake{.word = "groups-tiled",
            .title = "grouped heads tiled, not repeated",
            .sentence = "Key/value heads are repeated as a whole: query head r reads head r modulo g, where "
                        "consecutive query heads should share one.",
            .wrong = "k = k.repeat(1, h // g, 1, 1)",
            .right = "k = k.repeat_interleave(h // g, dim=1)",
            .picture = MistakePicture::heads,
            .forms = mistake_forms::groups_tiled,
            .needs = "no groups of heads"},
    Mistake{.word = "k-reshaped",
            .title = "K reshaped, not transposed",
            .sentence = "K is viewed as d_k × m in place of being transposed: shapes fit, but a query meets "
                        "pieces of several keys.",
            .wrong = "scores = q @ k.view(b, h, d_k, m)",
            .right = "scores = q @ k.transpose(-2, -1)",
            .forms = mistake_forms::k_reshaped,
            .needs = "scores that are no product with K"},
};

// Of what is done behind the heads.
inline constexpr std::array kOutputMistakes{
    Mistake{.word = "w_o-forgotten",
            .title = "W_O forgotten",
            .sentence = "The heads’ outputs are returned side by side, without the last projection.",
            .wrong = "return heads.transpose(1, 2).reshape(b, n, d)",
            .right = "return out_proj(heads.transpose(1, 2).reshape(b, n, d))",
            .forms = mistake_forms::w_o_forgotten,
            .needs = "no W_O"},
};

}  // namespace attn
