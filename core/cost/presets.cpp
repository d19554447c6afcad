// The table of published shapes.
#include "core/cost/presets.h"

#include <array>
#include <cctype>

#include "core/cost/parameters.h"

namespace attn {
namespace {

constexpr std::string_view kVaswani = "Vaswani et al. 2017, Attention Is All You Need, table 3";

constexpr CostSpec shape(std::size_t n, std::size_t d, std::size_t heads, std::size_t layers, Biases biases,
                         bool causal) {
  CostSpec spec;
  spec.n = n, spec.d = d, spec.heads = spec.kv_heads = heads, spec.layers = layers, spec.feed_forward = 4 * d;
  spec.biases = biases, spec.causal = causal;
  return spec;
}

constexpr CostSpec gated(std::size_t n, std::size_t d, std::size_t heads, std::size_t kv_heads,
                         std::size_t layers, std::size_t feed_forward) {
  CostSpec spec = shape(n, d, heads, layers, Biases::none, true);
  spec.kv_heads = kv_heads, spec.feed_forward = feed_forward, spec.gated = true;
  return spec;
}

constexpr Preset gpt(std::string_view word, std::string_view title, std::string_view source, CostSpec shape,
                     std::string_view published) {
  return {word,     title, source, shape, {.vocabulary = 50257, .positions = shape.n, .other_norms = 1},
          published};
}

constexpr OtherParameters llama(std::size_t vocabulary) {
  return {.vocabulary = vocabulary, .own_unembedding = true, .norm = 1, .other_norms = 1};
}

// The paper gives the Transformers 65 and 213 million parameters. With the vocabulary of about 37,000 that it
// names they have 63 and 214: no one vocabulary makes both.
constexpr OtherParameters kTransformer{.vocabulary = 37000, .decoder_layers = 6};

constexpr std::array<Preset, 12> kPresets{{
    {"transformer-base", "Transformer base", kVaswani, shape(512, 512, 8, 6, Biases::feed_forward, false),
     kTransformer, "65M"},
    {"transformer-big", "Transformer big", kVaswani, shape(512, 1024, 16, 6, Biases::feed_forward, false),
     kTransformer, "213M"},
    {"bert-base",
     "BERT base",
     "Devlin et al. 2019, BERT; configuration of bert-base-uncased",
     shape(512, 768, 12, 12, Biases::all, false),
     {.vocabulary = 30522, .positions = 512, .segments = 2, .other_norms = 1, .pooler = true},
     "109,482,240"},
    gpt("gpt2", "GPT-2 small", "Radford et al. 2019, GPT-2; configuration of gpt2",
        shape(1024, 768, 12, 12, Biases::all, true), "124,439,808"),
    gpt("gpt2-medium", "GPT-2 medium", "Radford et al. 2019, GPT-2; configuration of gpt2-medium",
        shape(1024, 1024, 16, 24, Biases::all, true), "354,823,168"),
    gpt("gpt2-large", "GPT-2 large", "Radford et al. 2019, GPT-2; configuration of gpt2-large",
        shape(1024, 1280, 20, 36, Biases::all, true), "774,030,080"),
    gpt("gpt2-xl", "GPT-2 XL", "Radford et al. 2019, GPT-2; configuration of gpt2-xl",
        shape(1024, 1600, 25, 48, Biases::all, true), "1,557,611,200"),
    gpt("gpt3", "GPT-3", "Brown et al. 2020, Language Models are Few-Shot Learners, table 2.1",
        shape(2048, 12288, 96, 96, Biases::all, true), "175B"),
    {"llama2-7b", "Llama 2 7B", "Touvron et al. 2023, Llama 2; configuration of Llama-2-7b",
     gated(4096, 4096, 32, 32, 32, 11008), llama(32000), "6,738,415,616"},
    {"llama2-70b", "Llama 2 70B", "Touvron et al. 2023, Llama 2; configuration of Llama-2-70b",
     gated(4096, 8192, 64, 8, 80, 28672), llama(32000), "68,976,648,192"},
    {"llama3-8b", "Llama 3 8B",
     "Grattafiori et al. 2024, The Llama 3 Herd of Models, table 3; configuration of Meta-Llama-3-8B",
     gated(8192, 4096, 32, 8, 32, 14336), llama(128256), "8,030,261,248"},
    {"mistral-7b", "Mistral 7B", "Jiang et al. 2023, Mistral 7B, table 1; with a window of 4,096",
     gated(8192, 4096, 32, 8, 32, 14336), llama(32000), "7,241,732,096"},
}};

std::string plain(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

void append(Quantity& sum, std::string_view what, const Quantity& of_one, std::size_t layers) {
  for (CostTerm term : of_one.terms) {
    term.what = what;
    term.factors.push_back({"layers", layers});
    sum.terms.push_back(std::move(term));
  }
}

}  // namespace

std::span<const Preset> presets() {
  return kPresets;
}

const Preset* find_preset(std::string_view name) {
  const std::string wanted = plain(name);
  for (const Preset& preset : kPresets)
    if (!wanted.empty() && (plain(preset.word) == wanted || plain(preset.title) == wanted)) return &preset;
  return nullptr;
}

Quantity model_parameters(const Preset& preset) {
  const CostSpec& shape = preset.shape;
  const OtherParameters& rest = preset.others;
  const CostFactor d{"d", shape.d}, norm{rest.norm == 2 ? "2" : "1", rest.norm};
  const Parameters layer = parameters(shape);
  Quantity sum;
  append(sum, "attention", layer.attention, shape.layers + 2 * rest.decoder_layers);
  append(sum, "feed-forward", layer.feed_forward, shape.layers + rest.decoder_layers);
  const std::size_t norms = 2 * shape.layers + 3 * rest.decoder_layers + rest.other_norms;
  sum.terms.push_back({"norms", {{"norms", norms}, norm, d}});
  sum.terms.push_back({"embedding", {{"vocabulary", rest.vocabulary}, d}});
  if (rest.own_unembedding) sum.terms.push_back({"unembedding", {d, {"vocabulary", rest.vocabulary}}});
  if (rest.positions > 0) sum.terms.push_back({"positions", {{"positions", rest.positions}, d}});
  if (rest.segments > 0) sum.terms.push_back({"segments", {{"segments", rest.segments}, d}});
  if (rest.pooler) {
    sum.terms.push_back({"pooler", {d, d}});
    sum.terms.push_back({"pooler's bias", {d}});
  }
  return sum;
}

}  // namespace attn
