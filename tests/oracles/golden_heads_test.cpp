// The workspace of heads against numbers that numpy computed from the definitions: its graph in double, on
// the reference, and on every OpenCL device that passes its self-test.
#include "core/checks/array_difference.h"
#include "core/heads/groups.h"
#include "core/heads/plan.h"
#include "core/heads/rules.h"
#include "core/io/session.h"
#include "core/reference/backend.h"
#include "tests/oracles/golden_arrays.h"

namespace attn::golden {
namespace {

std::vector<ArraysCase> load_heads_cases() {
  return load_arrays("golden_heads", [](const nlohmann::json& entry, ArraysCase& c) {
    c.document = parse_session(entry.at("session").dump());
  });
}

Document shown(const ArraysCase& c, HeadMap map, HeadLikeness::Measure measure = HeadLikeness::cosine) {
  Document document = c.document;
  document.heads.map = map, document.heads.against = 1, document.heads.measure = measure;
  return document;
}

// Calls check(name of the array, tensor) for what a case has numbers of; run(graph) gives all stages'
// outputs.
template <class Run, class Check>
void for_each_array(const ArraysCase& c, Run run, Check check) {
  const Built built = build_heads(shown(c, HeadMap::difference));
  const HeadsPlaces& places = *built.places.as<HeadsPlaces>();
  const auto outputs = run(built.graph);
  check("weights", outputs[places.weights]);
  check("entropy", outputs[places.entropy]);
  check("cosine", outputs[places.likeness]);
  check("difference", outputs[*places.map]);
  check("shares", outputs[*places.shares]);
  check("parts", outputs[places.parts]);
  check("length", outputs[places.length]);
  for (const auto& [name, map] : {std::pair{"mean", HeadMap::mean}, std::pair{"maximum", HeadMap::maximum},
                                  std::pair{"spread", HeadMap::spread}}) {
    const Built one = build_heads(shown(c, map));
    check(name, run(one.graph)[*one.places.as<HeadsPlaces>()->map]);
  }
  const Built overlap = build_heads(shown(c, HeadMap::each, HeadLikeness::overlap));
  check("overlap", run(overlap.graph)[overlap.places.as<HeadsPlaces>()->likeness]);
}

void compare_heads_floats(Backend& backend) {
  INFO(backend.name());
  for (const ArraysCase& c : load_heads_cases())
    for_each_array(
        c, [&](const Graph& graph) { return computed(backend, graph); },
        [&](const std::string& name, const Tensor& actual) { compare(c, name, actual, allowed_of_floats); });
}

}  // namespace

TEST_CASE("what is said of heads in double is what numpy computes") {
  const std::vector<ArraysCase> cases = load_heads_cases();
  CHECK(cases.size() == 7);
  for (const ArraysCase& c : cases)
    for_each_array(
        c, [](const Graph& graph) { return evaluate_in_double(graph); },
        [&](const std::string& name, const Tensor64& actual) {
          compare(c, name, actual, [](double b) { return 1e-11 * (1 + std::abs(b)); });
        });
}

TEST_CASE("what is said of heads on the reference is what numpy computes") {
  compare_heads_floats(*make_reference_backend());
}

TEST_CASE("what is said of heads on every OpenCL device is what numpy computes") {
  on_every_device(compare_heads_floats);
}

TEST_CASE("sharing keys and values moves the output as far as numpy says") {
  for (const ArraysCase& c : load_heads_cases()) {
    INFO(c.name);
    const std::vector<DeferredGraph> pieces = deferred_heads(c.document, {});
    const auto& expected = c.expected.at("groups").values;
    if (kv_head_count(c.document.layer()) == 1) {
      CHECK(pieces.empty());
      continue;
    }
    REQUIRE(pieces.size() == expected.size() + 1);
    std::vector<Tensor> outputs;
    for (const DeferredGraph& piece : pieces)
      outputs.push_back(to_float(evaluate_in_double(piece.graph()).back()));
    // Averaged numbers and the outputs are rounded to floats.
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(relative_distance(outputs[i + 1].values(), outputs[0].values()) ==
            doctest::Approx(expected[i]).epsilon(1e-6));
  }
}

TEST_CASE("every head of the example has the name that was planted") {
  for (const ArraysCase& c : load_heads_cases()) {
    if (c.name != "eight-heads") continue;
    const Built built = build_heads(c.document);
    const HeadsPlaces l = *built.places.as<HeadsPlaces>();
    const auto outputs = computed(*make_reference_backend(), built.graph);
    std::vector<std::string> names;
    for (std::size_t r = 0; r < l.heads; ++r)
      names.emplace_back(title_of(name_of(head_figures(outputs[*l.shares], outputs[*l.chance],
                                                       outputs[l.entropy], outputs[*l.most_entropy], r))));
    CHECK(names == std::vector<std::string>{"previous token", "first token", "itself", "broad",
                                            "no rule fits", "nearby", "induction", "no rule fits"});
  }
}

}  // namespace attn::golden
