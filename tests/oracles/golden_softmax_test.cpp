// The workspace of the softmax against numbers that numpy computed from the definitions: its graph in double,
// on the reference, and on every OpenCL device that passes its self-test.
#include "core/reference/backend.h"
#include "core/softmax/graph.h"
#include "core/softmax/numbers.h"
#include "tests/layers.h"
#include "tests/oracles/golden_arrays.h"

namespace attn::golden {
namespace {

std::vector<ArraysCase> load_softmax_cases() {
  return load_arrays("golden_softmax", [](const nlohmann::json& entry, ArraysCase& c) {
    SoftmaxSpec& spec = c.document.softmax;
    std::vector<float> scores;
    for (const double z : c.expected.at("scores").values) scores.push_back(static_cast<float>(z));
    own_row(spec, scores, {});
    spec.masked = entry.at("masked").get<std::vector<std::size_t>>();
    spec.temperature = entry.at("temperature").get<double>();
    spec.weightings = {Weighting::softmax_1, Weighting::sparsemax, Weighting::sigmoid, Weighting::relu,
                       Weighting::hard};
    spec.pairs = 16;
  });
}

// Calls check(name of the array, stage) for what a case has numbers of.
template <class Check>
void for_each_softmax_array(const ArraysCase& c, Check check) {
  const SoftmaxPlaces places = tests::places_in<SoftmaxPlaces>(build_softmax(c.document));
  check("weights", places.softmax.weights);
  check("jacobian", *places.jacobian);
  check("entropy", places.entropy);
  check("curves", places.curves.weights);
  check("curve_entropy", places.curves.entropy);
  for (const WeightingStages& stages : places.others)
    check(std::string(weighting_text(stages.weighting).word), stages.weights);
}

// numpy takes the exponential in double and rounds it once, which a device's float exponential may miss by a
// number of the format: half of the distance of its numbers goes into each share, and so into the weights.
void compare_formats(Backend& backend, const ArraysCase& c) {
  struct Kind {
    const char* name;
    NumberFormat format;
    bool subtract;
    SumOrder order;
  };
  for (const Kind& kind : {Kind{"float16", NumberFormat::float16, true, SumOrder::in_order},
                           Kind{"float16 pairs", NumberFormat::float16, true, SumOrder::pairs},
                           Kind{"float16 raw", NumberFormat::float16, false, SumOrder::in_order},
                           Kind{"float32 raw", NumberFormat::float32, false, SumOrder::in_order}}) {
    Document document = c.document;
    document.softmax.format = kind.format, document.softmax.subtract_maximum = kind.subtract;
    document.softmax.summation = kind.order;
    const StageIndex weights = tests::places_in<SoftmaxPlaces>(build_softmax(document)).format.weights;
    const double unit = kind.format == NumberFormat::float16 ? 0x1p-10 : 0x1p-22;
    const bool exact = backend.name() == kReference;
    compare(c, kind.name, computed(backend, build_softmax(document).graph)[weights],
            [&](double b) { return exact ? 0 : unit * std::abs(b) + 0x1p-24; });
  }
}

void compare_softmax_floats(Backend& backend) {
  INFO(backend.name());
  for (const ArraysCase& c : load_softmax_cases()) {
    const std::vector<Tensor> outputs = computed(backend, build_softmax(c.document).graph);
    for_each_softmax_array(c, [&](const std::string& name, StageIndex stage) {
      compare(c, name, outputs[stage], allowed_of_floats);
    });
    compare_formats(backend, c);
  }
}

}  // namespace

TEST_CASE("the softmax and what stands instead of it in double are what numpy computes") {
  const std::vector<ArraysCase> cases = load_softmax_cases();
  CHECK(cases.size() > 40);
  for (const ArraysCase& c : cases) {
    const std::vector<Tensor64> outputs = evaluate_in_double(build_softmax(c.document).graph);
    for_each_softmax_array(c, [&](const std::string& name, StageIndex stage) {
      // Temperatures of the curves are floats.
      const double digits = name.starts_with("curve") ? 2e-5 : 1e-12;
      compare(c, name, outputs[stage], [&](double b) { return digits * (1 + std::abs(b)); });
    });
  }
}

TEST_CASE("what is said of a row is what numpy computes") {
  for (const ArraysCase& c : load_softmax_cases()) {
    const auto outputs = evaluate_in_double(build_softmax(c.document).graph);
    const Saturation s =
        saturation_of(outputs[tests::places_in<SoftmaxPlaces>(build_softmax(c.document)).tempered].values());
    const auto expected = [&](const char* name) { return c.expected.at(name).values[0]; };
    INFO(c.name);
    CHECK(s.norm == doctest::Approx(expected("norm")).epsilon(1e-12));
    CHECK(std::abs(s.entropy - expected("entropy")) <= 1e-12);
    CHECK(std::abs(s.gradient - expected("gradient")) <= 1e-12);
    const auto tempered =
        outputs[tests::places_in<SoftmaxPlaces>(build_softmax(c.document)).tempered].values();
    CHECK(log_sum_exp(tempered) == doctest::Approx(expected("lse")).epsilon(1e-12));
  }
}

TEST_CASE("the softmax and what stands instead of it on the reference is what numpy computes") {
  compare_softmax_floats(*make_reference_backend());
}

TEST_CASE("the softmax and what stands instead of it on every OpenCL device is what numpy computes") {
  on_every_device(compare_softmax_floats);
}

}  // namespace attn::golden
