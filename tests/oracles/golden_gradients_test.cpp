// Gradients of layers of every option against those that PyTorch's autograd made in double: in double, on the
// reference, and on every OpenCL device that passes its self-test.
#include <set>

#include "core/gradient/gradients.h"
#include "core/gradient/loss.h"
#include "core/reference/backend.h"
#include "core/text/text.h"
#include "tests/oracles/golden_arrays.h"
#include "tests/oracles/golden_cases.h"

namespace attn::golden {
namespace {

struct GradientCase {
  ArraysCase arrays;
  std::vector<std::string> ids = {};  // of the gradients, and of the loss
  Graph graph;                        // the layer, its loss, and the way back
  StageIndex output = 0;              // the last of the layer
  std::set<std::string> has;          // options, inputs and the loss, in words
};

// Arrays that lie one after another in one, by the names and shapes of the index.
std::map<std::string, Array64> cut_apart(const nlohmann::json& index, const Array64& all) {
  std::map<std::string, Array64> arrays;
  auto from = all.values.begin();
  for (const auto& entry : index) {
    Array64 array;
    array.shape = entry.at(1).get<std::vector<std::size_t>>();
    std::ptrdiff_t size = 1;
    for (const std::size_t extent : array.shape) size *= static_cast<std::ptrdiff_t>(extent);
    REQUIRE(all.values.end() - from >= size);
    array.values.assign(from, from + size), from += size;
    arrays[entry.at(0).get<std::string>()] = std::move(array);
  }
  REQUIRE(from == all.values.end());
  return arrays;
}

Loss loss_of(const nlohmann::json& entry, const std::map<std::string, Array64>& inputs) {
  static const std::map<std::string, LossKind> kKinds{{"ones", LossKind::ones},
                                                      {"one_hot", LossKind::one_hot},
                                                      {"typed", LossKind::typed},
                                                      {"mean_square", LossKind::mean_square},
                                                      {"cross_entropy", LossKind::cross_entropy}};
  Loss loss{.kind = kKinds.at(entry.at("kind"))};
  if (entry.contains("row")) loss.row = entry.at("row"), loss.column = entry.at("column");
  if (entry.contains("labels")) loss.labels = entry.at("labels").get<std::vector<long>>();
  if (const auto given = inputs.find("loss_given"); given != inputs.end()) {
    const Array64& array = given->second;
    loss.given = {{1, array.shape.at(0), array.shape.at(1)},
                  std::vector<float>(array.values.begin(), array.values.end())};
  }
  return loss;
}

// "--position relative", "--position values": what is before each colon that is a word.
void note_options(const std::vector<std::string>& options, std::set<std::string>& has) {
  std::string option;
  for (const std::string& word : options) {
    if (word.starts_with("--")) option = word, has.insert(word);
    for (std::size_t from = 0; !word.starts_with("--") && from < word.size();) {
      const std::size_t end = std::min(word.find(':', from), word.size());
      has.insert(option + " " + word.substr(from, end - from));
      from = end + 1;
    }
  }
}

GradientCase gradient_case(const nlohmann::json& entry, ArraysCase arrays) {
  GradientCase c;
  const auto inputs = cut_apart(entry.at("inputs"), arrays.expected.at("inputs"));
  arrays.expected = cut_apart(entry.at("gradients"), arrays.expected.at("expected"));
  const auto options = entry.at("options").get<std::vector<std::string>>();
  auto own = inputs;
  own.erase("loss_given");
  LayerSpec layer = layer_of(own, options);
  layer.muted_heads = entry.at("muted").get<std::vector<std::size_t>>();
  c.output = append_layer(c.graph, layer).output;
  append_gradients(c.graph, append_loss(c.graph, c.output, loss_of(entry.at("loss"), inputs)));
  note_options(options, c.has);
  for (const auto& [name, array] : inputs) c.has.insert(name);
  c.has.insert("loss " + entry.at("loss").at("kind").get<std::string>());
  if (!layer.muted_heads.empty()) c.has.insert("muted heads");
  if (kv_head_count(layer) < head_count(layer)) c.has.insert("shared keys");
  for (const auto& [id, array] : arrays.expected) c.ids.push_back(id);
  c.arrays = std::move(arrays);
  return c;
}

std::vector<GradientCase> load_gradient_cases() {
  std::vector<GradientCase> cases;
  load_arrays("golden_gradients", [&](const nlohmann::json& entry, ArraysCase& c) {
    INFO(c.name);
    cases.push_back(gradient_case(entry, c));
  });
  return cases;
}

// Each occurs in a case at least.
constexpr const char* kEveryOption =
    "q,x,memory,w_o,b_q,b_k,b_v,b_o,shared keys,muted heads,score_w,score_w_q,score_w_k,score_v,"
    "local_w,local_v,bias,mask,--score general,--score concat,--score additive,--score gaussian,"
    "--score cosine,--sigma,--scale none,--scale 0.8,--temperature,--temperature 0.0,--soft-cap,"
    "--qk-norm,--qk-gain,--position sinusoidal,--position learned,--position rope,--position half,"
    "--position part=2,--position stretch=yarn,--position alibi,--position relative,"
    "--position values,--position t5,--position causal,--shift,--mask causal,--mask padding,"
    "--mask window,--mask strided,--mask random,--mask prefix,--mask blocks,--mask global,"
    "--mask and,--mask not,--causal-align,--fill -1e9,--fill -1e6,--fill -65504,--fill add-inf,"
    "--fill add-1e9,--fill add-1e6,--fill add-65504,--empty-row uniform,--mask-at after,"
    "--weighting softmax-1,--weighting sparsemax,--weighting sigmoid,--weighting relu,"
    "--softmax-over queries,--local monotonic,--local predictive,--local-reach,--dropout,loss ones,"
    "loss one_hot,loss typed,loss mean_square,loss cross_entropy";

// What nothing flows to is 0 to the last bit: what a mask hides, keys that a query has alone.
template <class T>
void check_zeros(const GradientCase& c, const std::string& id, const BasicTensor<T>& actual) {
  static const std::set<std::string> kOfScores{"d_scores", "d_scaled", "d_capped", "d_biased", "d_masked"};
  if (!kOfScores.contains(id)) return;
  INFO(c.arrays.name, ", ", id);
  const std::vector<double>& expected = c.arrays.expected.at(id).values;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (expected[i] == 0) CHECK(actual.values()[i] == 0);
}

void compare_gradients_floats(Backend& backend) {
  INFO(backend.name());
  for (const GradientCase& c : load_gradient_cases()) {
    const std::vector<Tensor> outputs = computed(backend, c.graph);
    for (const std::string& id : c.ids) {
      double largest = 1;
      for (const double b : c.arrays.expected.at(id).values) largest = std::max(largest, std::abs(b));
      const Tensor& actual = outputs[c.graph.find(id).value()];
      compare(c.arrays, id, actual, [&](double b) { return 2e-6 * largest + 2e-5 * std::abs(b); });
      check_zeros(c, id, actual);
    }
  }
}

}  // namespace

TEST_CASE("golden gradients are of layers of every option") {
  std::map<std::string, std::size_t> counts;
  const std::vector<GradientCase> cases = load_gradient_cases();
  for (const GradientCase& c : cases)
    for (const std::string& what : c.has) ++counts[what];
  CHECK(cases.size() > 150);
  for (const std::string& what : split(kEveryOption, ',')) {
    INFO(what);
    CHECK(counts[what] > 0);
  }
}

// Steps of a softmax have several gradients, by what is held still.
TEST_CASE("every gradient of a layer that is shown is compared but those of the softmax's steps") {
  std::set<std::string> left;
  for (const GradientCase& c : load_gradient_cases())
    for (const Stage& stage : c.graph.stages)
      if (stage.traced && stage.gradient_of && *stage.gradient_of <= c.output &&
          !c.arrays.expected.contains(stage.id))
        left.insert(stage.id);
  std::string names;
  for (const std::string& id : left) names += id + " ";
  CHECK(names == "d_exp d_row_max d_row_sum d_shifted d_threshold ");
}

TEST_CASE("gradients in double are what autograd makes") {
  std::size_t arrays = 0;
  const std::vector<GradientCase> cases = load_gradient_cases();
  for (const GradientCase& c : cases) {
    const std::vector<Tensor64> outputs = evaluate_in_double(c.graph);
    for (const std::string& id : c.ids) {
      INFO(c.arrays.name, ", ", id);
      REQUIRE(c.graph.find(id));
      const Tensor64& actual = outputs[*c.graph.find(id)];
      compare(c.arrays, id, actual, [](double b) { return 1e-9 * (1 + std::abs(b)); });
      check_zeros(c, id, actual);
      ++arrays;
    }
  }
  MESSAGE(arrays, " gradients of ", cases.size(), " layers");
  CHECK(arrays > 4000);
}

TEST_CASE("gradients on the reference are what autograd makes") {
  compare_gradients_floats(*make_reference_backend());
}

TEST_CASE("gradients on every OpenCL device are what autograd makes") {
  on_every_device(compare_gradients_floats);
}

}  // namespace attn::golden
