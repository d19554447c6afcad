// Known mistakes of positions and of norms before them, in words and in code. Part of the list in
// mistakes.cpp.
#pragma once

#include <array>

#include "core/diagnosis/mistake_forms.h"

namespace attn {

inline constexpr std::array kPositionMistakes{
    Mistake{.word = "qk-norm-forgotten",
            .title = "norm of Q and K forgotten",
            .sentence = "Queries and keys are not divided by their root mean square: scores grow with them.",
            .wrong = "scores = q @ k.mT * scale",
            .right = "scores = q_norm(q) @ k_norm(k).mT * scale",
            .forms = mistake_forms::qk_norm_forgotten,
            .needs = "no norm of Q and K"},
    Mistake{.word = "qk-norm-after-rope",
            .title = "norm after RoPE, not before",
            .sentence = "Queries and keys are rotated first and normed then: what RoPE multiplies by, as "
                        "YaRN does, is normed away, and gains meet other features.",
            .wrong = "q, k = q_norm(rope(q)), k_norm(rope(k))",
            .right = "q, k = rope(q_norm(q)), rope(k_norm(k))",
            .forms = mistake_forms::qk_norm_after_rope,
            .needs = "no norm of Q and K, or no RoPE"},
    Mistake{.word = "rope-forgotten",
            .title = "RoPE forgotten",
            .sentence = "Queries and keys are not rotated: the order of the tokens makes no difference.",
            .wrong = "scores = q @ k.mT * scale",
            .right = "q, k = apply_rotary_pos_emb(q, k, cos, sin)\n"
                     "scores = q @ k.mT * scale",
            .picture = MistakePicture::pairing,
            .forms = mistake_forms::rope_forgotten,
            .needs = "no RoPE"},
    Mistake{.word = "rope-pairing",
            .title = "RoPE pairs the other features",
            .sentence = "RoPE turns features 2i and 2i + 1 together (neighbours), or i and i + d/2 (halves): "
                        "yours turns the other pairs, but weights were trained for one of the two.",
            .wrong = "x1, x2 = x[..., 0::2], x[..., 1::2]  # neighbours",
            .right = "x1, x2 = x.chunk(2, dim=-1)  # halves",
            .picture = MistakePicture::pairing,
            .forms = mistake_forms::rope_pairing,
            .needs = "no RoPE"},
    Mistake{.word = "rope-base",
            .title = "RoPE base",
            .sentence = "RoPE turns by the frequencies of another base: near tokens look almost right, far "
                        "ones are off.",
            .wrong = "inv_freq = 10000.0 ** (-torch.arange(0, d_k, 2) / d_k)",
            .right = "inv_freq = config.rope_theta ** (-torch.arange(0, d_k, 2) / d_k)",
            .picture = MistakePicture::pairing,
            .forms = mistake_forms::rope_base,
            .needs = "no RoPE"},
    Mistake{.word = "rope-on-values",
            .title = "RoPE on the values too",
            .sentence = "The values are rotated as queries and keys are: what is mixed depends on where it "
                        "stood.",
            .wrong = "q, k, v = rope(q), rope(k), rope(v)",
            .right = "q, k = rope(q), rope(k)",
            .picture = MistakePicture::pairing,
            .forms = mistake_forms::rope_on_values,
            .needs = "no RoPE"},
    Mistake{.word = "alibi-sign",
            .title = "ALiBi’s sign",
            .sentence = "The slope times the distance is added, not subtracted: far keys are preferred to "
                        "near ones.",
            .wrong = "scores = scores + slopes * (i - j).abs()",
            .right = "scores = scores - slopes * (i - j).abs()",
            .forms = mistake_forms::alibi_sign,
            .needs = "no ALiBi"},
    Mistake{.word = "alibi-no-slope",
            .title = "ALiBi without slopes",
            .sentence = "The distance is subtracted with the slope 1 in every head: all of them look near.",
            .wrong = "scores = scores - (i - j).abs()",
            .right = "scores = scores - slopes[:, None, None] * (i - j).abs()",
            .forms = mistake_forms::alibi_no_slope,
            .needs = "no ALiBi"},
    Mistake{.word = "positions-from-1",
            .title = "positions count from 1",
            .sentence = "The first token has position 1, not 0: all positions are off by one.",
            .wrong = "pos = torch.arange(1, n + 1)",
            .right = "pos = torch.arange(n)",
            .forms = mistake_forms::positions_from_1,
            .needs = "no positions that count"},
    Mistake{.word = "positions-forgotten",
            .title = "positions forgotten",
            .sentence = "No position is added: the order of the tokens makes no difference.",
            .wrong = "h = embed(tokens)",
            .right = "h = embed(tokens) + pos_embed(torch.arange(n))",
            .forms = mistake_forms::positions_forgotten,
            .needs = "no positions, or RoPE"},
    Mistake{.word = "positions-twice",
            .title = "positions added twice",
            .sentence = "The position goes in a second time: before the layer and inside it.",
            .wrong = "x = x + pos\n"
                     "q = q_proj(x + pos)",
            .right = "x = x + pos\n"
                     "q = q_proj(x)",
            .forms = mistake_forms::positions_twice,
            .needs = "no positions"},
};

}  // namespace attn
