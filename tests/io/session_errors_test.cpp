// Sessions that are refused: every message has the place and what would do there, stays short whatever it
// read, and comes before anything large is built.
#include <doctest/doctest.h>

#include "core/document/limits.h"
#include "core/io/json.h"
#include "core/io/session.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

std::string refusal(const std::string& text) {
  return reason([&] { parse_session(text); });
}

// The complaint about a session with this inside the braces of its layer.
std::string layer_refusal(const std::string& fields) {
  return refusal(R"({"format": "attention-lab session", "version": 1, "layer": {)" + fields + "}}");
}

TEST_CASE("a syntax error is placed by line and column") {
  CHECK(mentions(refusal("{\n  \"format\": nul\n}"), {"line 2, column 16", "invalid literal"}));
  CHECK(mentions(refusal(""), {"line 1, column 1"}));
  CHECK(mentions(layer_refusal("\"tokens\": [\"\xff\"]"), {"line 1", "UTF-8"}));
  CHECK(mentions(layer_refusal("\"x\": [[NaN]]"), {"line 1", "invalid literal"}));
  CHECK(mentions(layer_refusal("\"x\": [[1e999]]"), {"number overflow", "1e999"}));
}

TEST_CASE("a message never repeats what it read at length") {
  CHECK(refusal("{\"" + std::string(100000, 'x')).size() < 300);
  CHECK(layer_refusal("\"" + std::string(100000, 'x') + "\": 1").size() < 300);
  CHECK(layer_refusal("\"fill\": \"" + std::string(100000, 'x') + "\"").size() < 300);
  CHECK(layer_refusal("\"x\": [[1" + std::string(100000, '0') + "]]").size() < 300);
}

TEST_CASE("what stands behind the last brace is refused") {
  const std::string session = write_session({});
  CHECK(mentions(refusal(session + "x"), {"line 5, column 1"}));
  CHECK(mentions(refusal(session + "{}"), {"line 5, column 1"}));
  CHECK(mentions(refusal(session + std::string(1, '\0')), {"line 5, column 1", "a zero byte"}));
  CHECK(mentions(refusal(session + '\0' + "behind"), {"a zero byte"}));
  CHECK(parse_session(session + " \n\t\r") == Document{});
}

TEST_CASE("a file that is no session of this program is refused") {
  CHECK(mentions(refusal("{}"), {"not a session"}));
  CHECK(mentions(refusal("[1]"), {"must be an object"}));
  CHECK(mentions(refusal(R"({"format": "attention-lab session"})"), {"lacks version"}));
  CHECK(mentions(refusal(R"({"format": "attention-lab session", "version": 1})"), {"lacks layer"}));
  CHECK(mentions(refusal(R"({"format": "attention-lab session", "version": 5, "layer": {}})"),
                 {"version 5", "use a newer program"}));
  CHECK(mentions(refusal(R"({"format": "attention-lab session", "version": 1, "layer": {}, "layr": {}})"),
                 {"unknown key \"layr\"", "did you mean layer?"}));
}

TEST_CASE("unknown keys are refused with the nearest known one") {
  CHECK(mentions(layer_refusal(R"("w_qq": [[1]])"),
                 {"layer has an unknown key \"w_qq\"", "did you mean w_q?"}));
  CHECK(mentions(layer_refusal(R"("temprature": 1)"), {"did you mean temperature?"}));
  CHECK(mentions(layer_refusal(R"("zzzzzzzzzzzzzzzzzzzzz": 1)"), {"unknown key"}));
}

TEST_CASE("keys that are given twice are refused with their path") {
  CHECK(mentions(layer_refusal(R"("x": [[1]], "x": [[2]])"), {"\"layer.x\" is there twice"}));
}

TEST_CASE("unknown words are refused with the nearest known one") {
  CHECK(mentions(layer_refusal(R"("fill": "-1e8")"),
                 {"layer.fill is \"-1e8\"", "did you mean -1e", "add-1e9"}));
  CHECK(mentions(layer_refusal(R"("empty_row": "zero")"), {"did you mean zeros?"}));
  CHECK(mentions(layer_refusal(R"("causal": true)"), {"layer.causal is \"true\"", "lower-right, top-left"}));
  CHECK(mentions(layer_refusal(R"("scale": "sqr")"), {"did you mean sqrt?"}));
  CHECK(mentions(layer_refusal(R"("precision": "float8")"),
                 {"layer.precision is \"float8\"", "did you mean float", "float32, float16, bfloat16"}));
  CHECK(mentions(layer_refusal(R"("scale": 2, "scale_number": 3)"), {"layer.scale_number", "leave one out"}));
}

TEST_CASE("ragged rows are refused with the row and both numbers") {
  CHECK(mentions(layer_refusal(R"("x": [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3]])"),
                 {"layer.x row 2 has 3 numbers, expected 4"}));
  CHECK(mentions(layer_refusal(R"("q": [[[1], [2]], [[1]]])"), {"layer.q matrix 1 has 1 rows, expected 2"}));
  CHECK(mentions(layer_refusal(R"("q": [[[1], [2]], [[1], [2, 3]]])"),
                 {"layer.q matrix 1 row 1 has 2 numbers, expected 1"}));
}

TEST_CASE("tensors of anything but rows of numbers are refused") {
  for (const char* value : {"null", "3", "\"nan\"", "{}", "[]", "[1, 2]"})
    CHECK(mentions(layer_refusal("\"x\": " + std::string(value)), {"layer.x must be rows of numbers"}));
  CHECK(mentions(layer_refusal(R"("x": [[]])"), {"layer.x has no numbers"}));
  CHECK(mentions(layer_refusal(R"("x": [[1], 2])"), {"layer.x row 1 must be a list of numbers"}));
  CHECK(mentions(layer_refusal(R"("x": [[1, "one"]])"), {"layer.x row 0 number 1 must be a number"}));
  CHECK(mentions(layer_refusal(R"("x": [[1, null]])"), {"layer.x row 0 number 1 must be a number"}));
  CHECK(mentions(layer_refusal(R"("x": [[[[1]]]])"), {"must be a number"}));
  CHECK(mentions(layer_refusal(R"("x": [[1e39]])"), {"layer.x row 0 number 0 is larger than a float holds"}));
}

TEST_CASE("settings of a wrong type or out of range are refused") {
  CHECK(mentions(layer_refusal(R"("direct": 1)"), {"layer.direct must be true or false"}));
  CHECK(mentions(layer_refusal(R"("heads": 1.5)"), {"layer.heads must be a whole number"}));
  CHECK(mentions(layer_refusal(R"("heads": -1)"), {"layer.heads must be a whole number"}));
  CHECK(mentions(layer_refusal(R"("heads": 0)"), {"layer.heads is 0", "from 1 to"}));
  CHECK(mentions(layer_refusal(R"("kv_heads": 70000)"), {"layer.kv_heads is 70000"}));
  CHECK(mentions(layer_refusal(R"("temperature": -0.5)"), {"layer.temperature must be 0 or more"}));
  CHECK(mentions(layer_refusal(R"("temperature": "nan")"), {"layer.temperature must be a finite number"}));
  CHECK(mentions(layer_refusal(R"("dropout": 1.5)"), {"layer.dropout must be from 0 to 1"}));
  CHECK(mentions(layer_refusal(R"("sinusoidal_base": 0)"), {"layer.sinusoidal_base must be more than 0"}));
  CHECK(mentions(layer_refusal(R"("position": {"kind": "rope", "factor": 0.5})"),
                 {"layer.position.factor must be 1 or more"}));
  CHECK(mentions(layer_refusal(R"("position": {"kind": "learned", "length": 0})"),
                 {"layer.position.length is 0"}));
  CHECK(mentions(layer_refusal(R"("muted_heads": [1], "heads": 1)"), {"layer.muted_heads names head 1"}));
  CHECK(mentions(layer_refusal(R"("muted_heads": [1, 1], "heads": 2)"), {"ascending"}));
  CHECK(mentions(layer_refusal(R"("padding": [2, -1])"), {"layer.padding entry 1 must be a whole number"}));
  CHECK(mentions(layer_refusal(R"("tokens": ["a", 1])"), {"layer.tokens entry 1 must be a text"}));
  CHECK(mentions(layer_refusal("\"tokens\": [\"" + std::string(limits::kMostLabelBytes + 1, 'x') + "\"]"),
                 {"layer.tokens entry 0 is longer than 4096 bytes"}));
}

TEST_CASE("kernels are refused with their place") {
  const auto said = [](const std::string& fields) {
    return refusal(R"({"format": "attention-lab session", "version": 2, "kernels": {)" + fields + "}}");
  };
  CHECK(mentions(said(R"("kernels": [])"), {"kernels.kernels has 0 entries", "from 1 to 4"}));
  CHECK(mentions(said(R"("kernels": ["boxcar", "epanechnikow"])"),
                 {"kernels.kernels entry 1", "did you mean epanechnikov?"}));
  CHECK(mentions(said(R"("kernels": ["boxcar", "boxcar"])"), {"names boxcar twice"}));
  CHECK(mentions(said(R"("widths": [0.5, 0])"), {"kernels.widths entry 1 must be from 1e-6 to 1e6"}));
  CHECK(mentions(said(R"("widths": [1, 2, 3, 4, 5])"), {"kernels.widths has 5 entries"}));
  CHECK(mentions(said(R"("set": "sinus")"), {"kernels.set", "sine"}));
  CHECK(mentions(said(R"("count": 100001)"), {"kernels.count is 100001", "100000"}));
  CHECK(mentions(said(R"("points": [[1, 2], [3]])"), {"kernels.points row 1"}));
}

TEST_CASE("a row of the softmax is refused with its place") {
  const auto said = [](const std::string& fields) {
    return refusal(R"({"format": "attention-lab session", "version": 2, "softmax": {)" + fields + "}}");
  };
  CHECK(mentions(said(R"("weightings": ["softmax-2"])"), {"softmax.weightings entry 0", "softmax-1"}));
  CHECK(mentions(said(R"("temperature": -1)"), {"softmax.temperature must be from 0 to 1000"}));
  CHECK(mentions(said(R"("masked": [3, 1])"), {"softmax.masked must be in ascending order"}));
  CHECK(mentions(said(R"("width": 0)"), {"softmax.width is 0", "1024"}));
  CHECK(mentions(said(R"("format": "float8")"), {"softmax.format", "bfloat16"}));
  CHECK(mentions(said(R"("scores": [[1, 2], [3]])"), {"softmax.scores row 1"}));
}

TEST_CASE("overrides are refused with their place") {
  CHECK(mentions(layer_refusal(R"("overrides": [{"stage": "scores"}])"),
                 {"layer.overrides entry 0 lacks head"}));
  CHECK(mentions(
      layer_refusal(
          R"("overrides": [{"stage": "scores", "head": 0, "row": 0, "column": 0, "value": 1, "z": 1}])"),
      {"layer.overrides entry 0 has an unknown key \"z\""}));
  CHECK(mentions(layer_refusal(R"("overrides": [3])"), {"layer.overrides entry 0 must be an object"}));
}

TEST_CASE("depth and size are capped before anything is built") {
  const std::string deep(1000000, '[');
  CHECK(mentions(refusal(deep), {"must be an object"}));
  CHECK(mentions(layer_refusal("\"fill\": " + deep), {"nests deeper than 64 levels"}));
  CHECK(mentions(layer_refusal("\"x\": " + deep), {"layer.x matrix 0 row 0 number 0 must be a number"}));
  CHECK(mentions(refusal(std::string(2 * kMaximumJsonGap, ' ')), {"without a single value"}));
}

TEST_CASE("matrices that do not fit each other are left for the graph to report") {
  const std::string text =
      R"({"format": "attention-lab session", "version": 1, "layer": {"x": [[1, 2]], "w_q": [[1]]}})";
  CHECK(parse_session(text).layer().w_q.shape() == Shape{1, 1, 1});
}

TEST_CASE("a rule of a mask that is none is refused with its place") {
  const auto said = [](const std::string& rule) { return layer_refusal("\"masks\": [" + rule + "]"); };
  CHECK(mentions(said(R"({"rule": "windw"})"), {"layer.masks entry 0.rule", "did you mean window"}));
  CHECK(mentions(said(R"({"rule": "blocks"})"), {"layer.masks entry 0", "lengths"}));
  CHECK(mentions(said(R"({"rule": "global", "tokens": []})"), {"layer.masks entry 0 has no token"}));
  CHECK(mentions(said(R"({"rule": "strided", "stride": 0})"),
                 {"entry 0 has a stride of 0: use a whole number from 1 to 1073741824"}));
  CHECK(mentions(said(R"({"rule": "causal", "join": "xor"})"), {"entry 0.join", "or, and"}));
  CHECK(mentions(said(R"({"rule": "global", "tokens": [1], "not": true})"), {"masks nothing"}));
  CHECK(mentions(said(R"({"rule": "window", "width": 2, "size": 3})"), {"size"}));
}

}  // namespace
}  // namespace attn::tests
