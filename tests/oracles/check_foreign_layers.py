#!/usr/bin/env python3
"""Holds dumps/ against the libraries themselves, where they are importable: foreign_layers.py was written after them.

    python3 tests/oracles/check_foreign_layers.py

Each module of transformers gets the dump's parameters and input, and has to give its weights and output. Run with
transformers 5.24.0 on PyTorch 2.15.0, and JAX 0.10.2: none is off by more than 2e-6. nn.MultiheadAttention and
TransformerEncoderLayer need no check, PyTorch's own made those dumps; timm's Attention was not run.
"""
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

FOLDER = Path(__file__).parent / 'dumps'
MOST = 2e-6


def loaded(name):
    return {key: torch.tensor(a) for key, a in np.load(FOLDER / f'{name}.npz').items()}


def parameters_of(dump, prefix):
    return {key.split(prefix)[1]: a for key, a in dump.items() if prefix in key}


def causal(n):
    return torch.full((1, 1, n, n), torch.finfo(torch.float32).min).triu(1)


def llama():
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaAttention, LlamaRotaryEmbedding
    dump = loaded('llama')
    config = LlamaConfig(hidden_size=16, num_attention_heads=4, num_key_value_heads=2, rope_theta=500000.0,
                         attn_implementation='eager')
    module, x = LlamaAttention(config, 0).eval(), dump['hidden_states']
    module.load_state_dict(parameters_of(dump, 'self_attn.'))
    n = x.shape[1]
    turns = LlamaRotaryEmbedding(config)(x, torch.arange(n)[None])
    output, weights = module(x, position_embeddings=turns, attention_mask=causal(n))[:2]
    return (output, dump['attn_output']), (weights, dump['attn_weights'])


def gpt2():
    from transformers import GPT2Config
    from transformers.models.gpt2.modeling_gpt2 import GPT2Attention
    dump = loaded('gpt2')
    module = GPT2Attention(GPT2Config(n_embd=12, n_head=3, attn_implementation='eager'), layer_idx=0).eval()
    module.load_state_dict(parameters_of(dump, '.attn.'), strict=False)
    output, weights = module(dump['hidden_states'], attention_mask=causal(dump['hidden_states'].shape[1]))[:2]
    return (output, dump['attn_output']), (weights, dump['attentions'])


def bert():
    from transformers import BertConfig
    from transformers.models.bert.modeling_bert import BertSelfAttention
    dump = loaded('bert')
    module = BertSelfAttention(BertConfig(hidden_size=16, num_attention_heads=4, attn_implementation='eager')).eval()
    module.load_state_dict(parameters_of(dump, '.self.'))
    context, probs = module(dump['hidden_states'], attention_mask=dump['attention_mask'])[:2]
    return (context.reshape(dump['context_layer'].shape), dump['context_layer']), (probs, dump['attention_probs'])


def t5():
    """The bias of each pair is put back into the table that it came from: the module looks it up itself."""
    from transformers import T5Config
    from transformers.models.t5.modeling_t5 import T5Attention
    dump = loaded('t5')
    config = T5Config(d_model=12, d_kv=4, num_heads=4, attn_implementation='eager')
    module, bias = T5Attention(config, has_relative_attention_bias=True).eval(), dump['position_bias'][0]
    module.load_state_dict(parameters_of(dump, 'SelfAttention.'), strict=False)
    for i in range(bias.shape[1]):
        for j in range(bias.shape[2]):
            module.relative_attention_bias.weight[abs(j - i) + (16 if j > i else 0)] = bias[:, i, j]
    found = module(dump['hidden_states'], output_attentions=True)
    return (found[0], dump['attn_output']), (found[-1], dump['attn_weights'])


def whisper():
    from transformers import WhisperConfig
    from transformers.models.whisper.modeling_whisper import WhisperAttention
    dump = loaded('whisper')
    module = WhisperAttention(16, 4, is_decoder=True, layer_idx=0, config=WhisperConfig(attn_implementation='eager'))
    module.eval().load_state_dict(parameters_of(dump, 'encoder_attn.'))
    output, weights = module(dump['hidden_states'], key_value_states=dump['key_value_states'])[:2]
    return (output, dump['attn_output']), (weights, dump['attn_weights'])


def bloom():
    """Its packed projection gives what the dump has: q, k and v of a head side by side."""
    from transformers import BloomConfig
    from transformers.models.bloom.modeling_bloom import BloomAttention, build_alibi_tensor
    dump = loaded('bloom')
    n, module = dump['query_layer'].shape[1], BloomAttention(BloomConfig(hidden_size=16, n_head=4), layer_idx=0).eval()
    packed = torch.stack([dump[f'{name}_layer'] for name in ('query', 'key', 'value')], 3).reshape(1, n, -1)
    module.query_key_value.register_forward_hook(lambda *_: packed)
    module.dense.register_forward_hook(lambda part, given, out: given[0])
    alibi, zeros = build_alibi_tensor(torch.ones(1, n), 4, torch.float32), torch.zeros(1, n, 16)
    output, *_, probs = module(zeros, zeros, alibi, causal(n), output_attentions=True)
    return ((output, dump['context_layer']), (probs.reshape(dump['attention_probs'].shape), dump['attention_probs']),
            (alibi, dump['alibi']))


def jax():
    from jax.nn import dot_product_attention
    dump = np.load(FOLDER / 'jax.npz')
    found = dot_product_attention(dump['query'], dump['key'], dump['value'], is_causal=True)
    return (torch.tensor(np.asarray(found)), torch.tensor(dump['encoded'])),


def sdpa():
    dump = loaded('sdpa')
    if not hasattr(F, 'scaled_dot_product_attention'):
        raise ImportError('this PyTorch has none')
    return (F.scaled_dot_product_attention(*(dump[c] for c in 'qkv'), attn_mask=dump['attn_mask']), dump['output']),


def main():
    torch.set_grad_enabled(False)
    failed = 0
    for check in (llama, gpt2, bert, t5, whisper, bloom, jax, sdpa):
        try:
            pairs = check()
        except ImportError as missing:
            print(f'{check.__name__}: not run, {missing}')
            continue
        worst = max(float((a - b).abs().max()) for a, b in pairs)
        failed += worst > MOST
        print(f'{check.__name__}: off by {worst:.1e} at most')
    sys.exit(failed > 0)


main()
