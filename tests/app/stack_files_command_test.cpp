// Files with a stack at the command line and at the window's start: what is refused, what is ignored, what is
// laid over them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/cli/stack_options.h"
#include "app/program/input.h"
#include "core/io/session.h"
#include "core/system/error.h"
#include "tests/app/stack_words.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("what a file of a stack lacks or has wrong is named") {
  Arrays arrays = small_encoder();
  const auto without = [&](const std::string& name) {
    Arrays fewer = arrays;
    fewer.erase(name);
    return refused(fewer);
  };
  const auto with = [&](const std::string& name, std::vector<std::size_t> shape) {
    Arrays other = arrays;
    std::size_t size = 1;
    for (const std::size_t side : shape) size *= side;
    other[name] = {.shape = std::move(shape), .values = std::vector<float>(size, 0.5f)};
    return refused(other);
  };
  CHECK(contains(without("x"), "model.npz: x is missing"));
  CHECK(contains(without("encoder.layers.1.self_attn.in_proj_weight"),
                 "encoder.layers.1.self_attn.in_proj_weight is missing"));
  CHECK(contains(without("encoder.layers.0.self_attn.out_proj.weight"), "out_proj.weight is missing"));
  CHECK(contains(without("encoder.layers.1.norm2.weight"), "encoder.layers.1.norm2.weight is missing"));
  CHECK(contains(without("encoder.layers.1.linear2.weight"), "linear"));
  CHECK(contains(with("encoder.layers.1.linear1.weight", {12, 6}),
                 "encoder.layers.1.linear1.weight is 12×6: d is 8"));
  CHECK(contains(with("encoder.layers.1.linear1.bias", {11}), "encoder.layers.1.linear1.bias has 11"));
  CHECK(contains(with("encoder.layers.0.norm1.weight", {9}), "encoder.layers.0.norm1.weight has 9"));
  CHECK(contains(with("encoder.layers.0.self_attn.in_proj_weight", {23, 8}), "in_proj_weight is 23×8"));
  CHECK(contains(with("x", {5, 7}), "in_proj_weight is 24×8: d is 7"));
  CHECK(contains(with("encoder.layers.3.norm1.weight", {8}), "encoder.layers.2 is missing"));
  CHECK(contains(with("decoder.layers.0.self_attn.in_proj_weight", {24, 8}), "source is missing"));
}

TEST_CASE("numbers of a file that nothing could go on with are refused") {
  Arrays arrays = small_encoder();
  const auto of_symbols = [&](std::vector<float> symbols) {
    Arrays other = arrays;
    other["x"] = {.shape = {3}, .values = {0, 2, 3}};
    other["embedding.weight"] = {.shape = {4, 8}, .values = std::vector<float>(32, 0.25f)};
    const std::size_t count = symbols.size();
    other["symbols"] = {.shape = {count}, .values = std::move(symbols)};
    return refused(other);
  };
  CHECK(contains(of_symbols({65, 66}), "symbols has 2 code points, and embedding.weight 4 rows"));
  CHECK(contains(of_symbols({65, 66, 67, std::nanf("")}), "symbols has nan"));
  CHECK(contains(of_symbols({65, 66, -5, 67}), "symbols has -5"));
  CHECK(contains(of_symbols({65, 1e9f, 66, 67}), "symbols has 1e+09"));
  CHECK(contains(of_symbols({65, 0xD800, 66, 67}), "symbols has 55296"));
  arrays["x"] = {.shape = {0, 8}, .values = {}};
  CHECK(contains(refused(arrays), "x has no rows"));
  // A decoder reads what it writes: a head of 9 symbols, an embedding of 3.
  Arrays writes;
  for (const auto& [name, array] : small_encoder())
    writes[name.starts_with("encoder.") ? "decoder." + name.substr(8) : name] = array;
  writes["x"] = {.shape = {2}, .values = {0, 2}};
  writes["embedding.weight"] = {.shape = {3, 8}, .values = std::vector<float>(24, 0.25f)};
  writes["head.weight"] = {.shape = {9, 8}, .values = std::vector<float>(72, 0.5f)};
  CHECK(contains(refused(writes), "head.weight is 9×8: the embedding has 3 symbols"));
}

namespace {

// Each layer of an encoder also one of a decoder, with cross-attention.
Arrays small_both() {
  Arrays arrays = small_encoder();
  arrays["source"] = arrays["target"] = arrays["x"];
  arrays.erase("x");
  for (const auto& [name, array] : small_encoder()) {
    if (!name.starts_with("encoder.")) continue;
    const std::string same = "decoder." + name.substr(8);
    arrays[same] = array;
    if (const auto at = same.find("self_attn"); at != std::string::npos)
      arrays[same.substr(0, at) + "multihead_attn" + same.substr(at + 9)] = array;
    if (const auto at = same.find("norm2"); at != std::string::npos)
      arrays[same.substr(0, at) + "norm3" + same.substr(at + 5)] = array;
  }
  return arrays;
}

std::string without_words(Arrays arrays, const std::vector<std::string>& parts) {
  std::erase_if(arrays, [&](const auto& array) {
    return std::ranges::any_of(parts, [&](const std::string& part) { return contains(array.first, part); });
  });
  return refused(arrays);
}

std::string with_numbers(Arrays arrays, const std::string& name, std::vector<std::size_t> shape) {
  std::size_t size = 1;
  for (const std::size_t side : shape) size *= side;
  arrays[name] = {.shape = std::move(shape), .values = std::vector<float>(size, 0.5f)};
  return refused(arrays);
}

}  // namespace

TEST_CASE("a parameter of a file is used, or refused by its name; none is invented") {
  const Arrays one = small_encoder(), both = small_both();
  CHECK(trace_stack("dates", {}).status == kDone);
  {
    const TemporaryFolder folder;
    write_stack(folder / "model.npz", both);
    CHECK(trace_stack(folder / "model.npz", {}).status == kDone);
  }
  CHECK(contains(without_words(both, {"decoder.layers.0.norm", "decoder.layers.1.norm"}),
                 "decoder.layers.0.norm1.weight is missing, and encoder.layers.0.norm1.weight is there"));
  CHECK(contains(without_words(both, {"encoder.layers.0.norm", "encoder.layers.1.norm"}),
                 "encoder.layers.0.norm1.weight is missing, and decoder.layers.0.norm1.weight is there"));
  CHECK(contains(without_words(both, {"norm3"}), "decoder.layers.0.norm3.weight is missing"));
  CHECK(contains(without_words(one, {"norm2"}), "encoder.layers.0.norm2.weight is missing"));
  CHECK(contains(without_words(one, {"norm1"}), "encoder.layers.0.norm1.weight is missing"));
  CHECK(contains(without_words(one, {"norm1.weight", "norm2.weight"}),
                 "encoder.layers.0.norm1.weight is missing, and encoder.layers.0.norm1.bias is there"));
  CHECK(contains(with_numbers(one, "encoder.norm.bias", {8}), "encoder.norm.weight is missing"));
  CHECK(contains(with_numbers(one, "encoder.layers.0.norm3.weight", {8}), "encoder.layers.0.norm3.weight"));
  CHECK(contains(with_numbers(both, "decoder.layers.0.gate.weight", {12, 8}),
                 "encoder.layers.0.gate.weight is missing, and decoder.layers.0.gate.weight is there"));
  CHECK(contains(with_numbers(both, "encoder.layers.0.gate.weight", {12, 8}),
                 "encoder.layers.1.gate.weight is missing, and encoder.layers.0.gate.weight is there"));
  CHECK(contains(with_numbers(one, "encoder.layers.0.gate.bias", {12}),
                 "encoder.layers.0.gate.weight is missing, and encoder.layers.0.gate.bias is there"));
}

TEST_CASE("words that make no sense of a stack are refused") {
  const Arrays arrays = small_encoder();
  CHECK(contains(refused(arrays, {"--activation", "swiglu"}), "encoder.layers.0.gate.weight is missing"));
  CHECK(contains(refused(arrays, {"--norm", "before"}), "pre, post"));
  CHECK(contains(refused(arrays, {"--norm-kind", "batch"}), "layer"));
  CHECK(contains(refused(arrays, {"--heads", "3"}), "3 heads"));
  CHECK(contains(refused(arrays, {"--rows", "0:1"}), "--rows"));
  CHECK(contains(refused(arrays, {"--mechanism", "flash"}), "--mechanism flash"));
  const Outcome other = run_words({"trace", "three-tokens", "--norm", "pre"});
  CHECK(other.status == kBadWords);
  CHECK(contains(other.err, "--workspace stack"));
}

TEST_CASE("a stack of safetensors in bfloat16 is the same stack") {
  Arrays arrays = small_encoder();
  arrays["unknown"] = {.shape = {1}, .values = {1}};
  const TemporaryFolder folder;
  write_bfloats(folder / "model.safetensors", arrays);
  write_stack(folder / "model.npz", arrays);
  const Arrays one = traced_stack(folder / "model.safetensors", {"--heads", "2"});
  const Arrays other = traced_stack(folder / "model.npz", {"--heads", "2"});
  CHECK(one.at("encoder.output").values == other.at("encoder.output").values);
  CHECK(contains(trace_stack(folder / "model.npz", {}).err, "ignored unknown"));
}

TEST_CASE("a type that is not read refuses a stack's own parameter alone") {
  Arrays arrays = small_encoder();
  arrays["position_ids"] = {.shape = {4}, .values = {0, 1, 2, 3}};
  const TemporaryFolder folder;
  write_bfloats(folder / "model.safetensors", arrays, {{"position_ids", "X16"}});
  const Outcome outcome = trace_stack(folder / "model.safetensors", {});
  CAPTURE(outcome.err);
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.err, "ignored position_ids"));
  const std::string needed = "encoder.layers.1.norm2.bias";
  write_bfloats(folder / "model.safetensors", arrays, {{needed, "X16"}});
  const Outcome refusal = trace_stack(folder / "model.safetensors", {});
  CHECK(refusal.status != kDone);
  CHECK(contains(refusal.err, needed));
  const std::string path = folder / "model.safetensors";
  CHECK(refusal.err.find(path) == refusal.err.rfind(path));  // said once
}

TEST_CASE("names as torch.nn.TransformerEncoder itself has them are taken, without their side") {
  const Arrays arrays = small_encoder();
  Arrays bare;
  for (const auto& [name, array] : arrays) bare[name.starts_with("encoder.") ? name.substr(8) : name] = array;
  const TemporaryFolder folder;
  write_stack(folder / "model.npz", arrays), write_stack(folder / "bare.npz", bare);
  CHECK(traced_stack(folder / "bare.npz", {"--heads", "2"}).at("encoder.output").values ==
        traced_stack(folder / "model.npz", {"--heads", "2"}).at("encoder.output").values);
  write_bfloats(folder / "bare.safetensors", bare);
  CHECK(traced_stack(folder / "bare.safetensors", {}).contains("encoder.output"));
}

TEST_CASE("both sides are padded, each by its own words") {
  const Words words{"--mask", "padding:9", "--target-mask", "padding:4"};
  const Arrays both = traced_stack("dates", words);
  const auto sees = [&](const std::string& stage, std::size_t rows, std::size_t keys, std::size_t first) {
    const Array& weights = both.at(stage);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t key = first; key < keys; ++key) CHECK(weights.values[row * keys + key] == 0);
    CHECK(weights.values[(rows - 1) * keys + first - 1] > 0);
  };
  sees("encoder.0.weights", 11, 11, 9);
  sees("decoder.0.weights", 10, 10, 4);
  sees("decoder.0.cross_weights", 10, 11, 9);
  Words source = words;
  source.insert(source.end(), {"--memory-mask", "none"});
  CHECK(traced_stack("dates", source).at("decoder.0.cross_weights").values[10] > 0);
  CHECK(contains(refused(small_encoder(), {"--target-mask", "padding:3"}), "use --mask"));
  CHECK(contains(refused(small_encoder(), {"--memory-mask", "padding:3"}), "cross-attention"));
}

TEST_CASE("options at the window's start are of the stack that is opened") {
  const auto change = [](const Words& words) {
    LayerWords layer;
    for (std::size_t i = 0; i < words.size(); i += 2) layer[words[i]] = {words[i + 1]};
    return read_start_options(layer);
  };
  const TemporaryFolder folder;
  write_stack(folder / "model.npz", small_encoder());
  const Document file = open_document(folder / "model.npz", {}, change({"--heads", "4"}));
  CHECK(file.transformer.encoder.blocks[1].attention.heads == 4);
  CHECK(file.layer().heads == 4);  // which is the first of them
  const Document dates = open_document("dates", {}, change({"--heads", "8"}));
  CHECK(dates.transformer.decoder.blocks[3].cross->heads == 8);
  CHECK(dates.layer() == read_document("dates").layer());
  const Document layer = open_document("three-tokens", {}, change({"--temperature", "2"}));
  CHECK(layer.layer().temperature == 2);
  CHECK(layer.transformer.empty());
}

TEST_CASE("a session keeps its stack, and options are laid over it") {
  const TemporaryFolder folder;
  write_stack(folder / "model.npz", small_encoder());
  write_file(folder / "session.json", write_session(read_document(folder / "model.npz")));
  for (const Words& words :
       {Words{}, {"--heads", "4", "--norm", "pre", "--no-residual", "--mask", "padding:3"}})
    CHECK(traced_stack(folder / "session.json", words).at("encoder.output").values ==
          traced_stack(folder / "model.npz", words).at("encoder.output").values);
}

TEST_CASE("a file of a stack opens as a document that has it, and shows it") {
  const TemporaryFolder folder;
  write_stack(folder / "model.npz", small_encoder());
  FileNotes notes;
  const Document document = open_document(folder / "model.npz", {}, {}, &notes);
  CHECK(document.transformer.encoder.blocks.size() == 2);
  CHECK(document.transformer.norm_at == NormAt::after);
  CHECK(document.layer().w_q == document.transformer.encoder.blocks.front().attention.w_q);
  CHECK(notes.look == "stack");
  for (const Words& words : {Words{},
                             {"--norm", "pre", "--heads", "2"},
                             {"--workspace", "stack", "--heads", "2", "--norm", "pre", "--at", "1,1,2"}}) {
    Words all{"render", folder / "model.npz", "-o", folder / "out.png", "--device", "reference"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome drawn = run_words(all);
    CAPTURE(drawn.err);
    CHECK(drawn.status == kDone);
  }
}
