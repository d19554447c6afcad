// Sessions: text that is no JSON, JSON that is no session, and sessions that say what none may.
#include "core/document/document.h"
#include "core/document/limits.h"
#include "core/io/session.h"
#include "core/text/bytes.h"
#include "tests/io/bad_files.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

const std::string kGoodSession =
    R"({"format": "attention-lab session", "version": 2, "layer": {"x": [[1, 2], [3, 4]]}})";

BadFile text_file(const std::string& name, const std::string& text, std::vector<const char*> said) {
  return {name, [text] { return bytes_of(text); }, std::move(said)};
}

// The valid session with one part of it replaced.
BadFile changed(const std::string& name, const std::string& part, const std::string& by,
                std::vector<const char*> said) {
  std::string text = kGoodSession;
  return text_file(name, text.replace(text.find(part), part.size(), by), std::move(said));
}

// A session of this inside the braces of its layer.
BadFile layer(const std::string& name, const std::string& fields, std::vector<const char*> said) {
  return text_file(name, R"({"format": "attention-lab session", "version": 2, "layer": {)" + fields + "}}",
                   std::move(said));
}

// `begin`, then `part` so often.
BadFile long_one(const std::string& name, const std::string& begin, const std::string& part,
                 std::size_t count, std::vector<const char*> said) {
  const auto make = [=] {
    std::string text = R"({"format": "attention-lab session", "version": 2, "layer": {)" + begin;
    for (std::size_t i = 0; i < count; ++i) text += part;
    return bytes_of(text);
  };
  return {name, make, std::move(said)};
}

void read_bad_session(std::span<const std::byte> bytes) {
  // Text is taken in once: who reads a byte twice takes longer than it is long.
  const TextSource whole = source_of(as_text(bytes));
  std::size_t taken = 0;
  const TextSource counted = [&] {
    const std::string_view piece = whole();
    taken += piece.size();
    if (taken > bytes.size()) throw std::logic_error("more was taken in than there is");
    return piece;
  };
  read_session(counted);
}

}  // namespace

BadFiles bad_sessions() {
  const std::string deep(100000, '[');
  return {
      "session",
      read_bad_session,
      {text_file("nothing but spaces", "  \n ", {"line 2, column 2", "end of input"}),
       text_file("cut in a key", R"({"for)", {"line 1, column 6", "quote"}),
       text_file("cut behind a comma", R"({"format": "attention-lab session",)",
                 {"line 1", "expected string"}),
       changed("the last brace is missing", "}}", "}", {"line 1", "expected"}),
       changed("a bracket closes a brace", "}}", "]}", {"line 1, column 82", "expected"}),
       changed("a comma too many", "[1, 2]", "[1, 2,]", {"line 1", "literal"}),
       changed("a comma too few", "[1, 2]", "[1 2]", {"line 1, column 70", "expected"}),
       changed("apostrophes for quotes", "\"x\"", "'x'", {"line 1, column 61", "literal"}),
       changed("a comment", "[[1, 2]", "// numbers\n[[1, 2]", {"line 1, column 66", "literal"}),
       changed("NaN without quotes", "1, 2", "1, NaN", {"line 1, column 71", "literal"}),
       changed("a number with a leading zero", "1, 2", "01, 2", {"line 1", "expected"}),
       changed("a number with a leading plus", "1, 2", "+1, 2", {"line 1, column 68", "literal"}),
       changed("a hexadecimal number", "1, 2", "0x1, 2", {"line 1, column 69", "literal"}),
       changed("a number beyond a double", "1, 2", "1, 1e999", {"line 1", "1e999"}),
       changed("a zero byte", "1, 2", std::string("1,\0 2", 5), {"line 1, column 70", "zero byte"}),
       changed("bytes that are no UTF-8", "session\"", "session\xff\"", {"line 1", "UTF-8"}),
       changed("half a surrogate", "session\"", "session\\ud800\"", {"line 1", "surrogate"}),
       changed("an unknown escape", "session\"", "session\\q\"", {"line 1, column 35", "backslash"}),
       changed("a line break in a text", "session\"", "session\n\"", {"line 1", "control character"}),
       text_file("text in UTF-16", std::string("\xff\xfe{\0\"\0", 6), {"line 1, column 1", "literal"}),
       text_file("something behind the last brace", kGoodSession + "{}", {"line 1, column 84", "expected"}),
       text_file("nested a hundred thousand deep", deep, {"the session must be an object"}),
       changed("nested a hundred thousand deep in a key", "[[1, 2]", deep, {"layer.x"}),
       changed("an unknown part nested deep", "2, \"layer\"", "2, \"look\": " + deep,
               {"nests deeper than 64 levels", "line 1, column"}),
       text_file("a list", "[1, 2]", {"the session must be an object"}),
       text_file("a number", "12", {"the session must be an object"}),
       text_file("another program's JSON", R"({"model": {"layers": 12}})", {"not a session", "format"}),
       text_file("JSON of tensors", R"({"weights": [[0.5, 0.5]]})", {"not a session", "format"}),
       changed("another program's format", "attention-lab session", "attention-lab sesion", {"format"}),
       changed("a version from the future", "2, \"layer\"", "99, \"layer\"", {"version 99", "newer program"}),
       changed("a version below the first", "2, \"layer\"", "0, \"layer\"", {"version 0"}),
       changed("a version that is a text", "2, \"layer\"", "\"2\", \"layer\"", {"version must be"}),
       changed("a version that overflows", "2, \"layer\"", "18446744073709551618, \"layer\"",
               {"version must be"}),
       long_one("a name of eight million letters", "\"", "x", 8 * kMega,
                {"more than 1 MiB without a single value"}),
       long_one("eight million spaces", "", " ", 8 * kMega,
                {"line 1", "more than 1 MiB without a single value"}),
       long_one("a million opened braces", "\"masks\": ", "[{\"a\":", kMega, {"nests deeper"}),
       long_one("two million small objects", "\"masks\": [", "{},", 2 * kMega,
                {"holds more than a session says"}),
       long_one("a number of a million digits", "\"x\": [[1", "0", 1000000, {"line 1", "number overflow"})}};
}

BadFiles bad_layers() {
  const std::string long_label(limits::kMostLabelBytes + 1, 'x');
  return {
      "session of a layer",
      read_bad_session,
      {layer("a matrix twice", R"("x": [[1]], "x": [[2]])", {"\"layer.x\" is there twice"}),
       layer("an unknown key", R"("w_qq": [[1]])",
             {"layer has an unknown key \"w_qq\"", "did you mean w_q?"}),
       layer("a key with a zero byte", R"("w_q\u0000": [[1]])", {"layer has an unknown key \"w_q\\x00\""}),
       layer("ragged rows", R"("x": [[1, 2], [3]])", {"layer.x row 1 has 1 numbers, expected 2"}),
       layer("matrices of unequal heights", R"("q": [[[1], [2]], [[1]]])", {"layer.q matrix 1 has 1 rows"}),
       layer("a matrix without numbers", R"("x": [[], []])", {"layer.x has no numbers"}),
       layer("a matrix that is a row", R"("x": [1, 2])", {"layer.x must be rows of numbers"}),
       layer("a matrix of four levels", R"("x": [[[[1]]]])", {"layer.x", "must be a number"}),
       layer("a matrix with a text in it", R"("x": [[1, "one"]])",
             {"layer.x row 0 number 1 must be a number"}),
       layer("a matrix with null in it", R"("x": [[1, null]])", {"layer.x row 0 number 1 must be a number"}),
       layer("a number beyond a float", R"("x": [[1e39]])", {"layer.x row 0 number 0", "3.4e38"}),
       layer("a matrix of a file outside", R"("x": {"file": "../../../etc/passwd", "array": "x"})",
             {"layer.x"}),
       layer("a matrix of an absolute path", R"("x": {"file": "/etc/passwd", "array": "x"})", {"layer.x"}),
       layer("a matrix of a file with a zero byte", R"("x": {"file": "a\u0000.npz", "array": "x"})",
             {"layer.x"}),
       layer("a matrix of a file by no name", R"("x": {"array": "x"})", {"layer.x"}),
       layer("heads that are no number", R"("heads": "two")", {"layer.heads must be a whole number"}),
       layer("heads below zero", R"("heads": -1)", {"layer.heads must be a whole number"}),
       layer("heads of 2^64", R"("heads": 18446744073709551616)", {"layer.heads must be a whole number"}),
       layer("no heads", R"("heads": 0)", {"layer.heads is 0", "from 1 to"}),
       layer("a temperature that is no number", R"("temperature": "nan")", {"layer.temperature", "finite"}),
       layer("an unknown word", R"("empty_row": "zero")", {"layer.empty_row", "did you mean zeros?"}),
       layer("an unknown mask", R"("masks": [{"rule": "casual"}])",
             {"layer.masks entry 0", "did you mean causal?"}),
       layer("a mask that is no object", R"("masks": [3])", {"layer.masks entry 0"}),
       layer("padding below zero", R"("masks": [{"rule": "padding", "lengths": [2, -1]}])",
             {"layer.masks entry 0.lengths entry 1 must be a whole number"}),
       layer("a label that is too long", "\"tokens\": [\"" + long_label + "\"]",
             {"layer.tokens entry 0 is longer than 4096 bytes"}),
       layer("a label that is a number", R"("tokens": ["a", 1])", {"layer.tokens entry 1 must be a text"}),
       changed("overrides that are no list", "2, \"layer\"", "2, \"overrides\": {}, \"layer\"",
               {"overrides must be a list"}),
       changed("an override without a head", "2, \"layer\"",
               R"(2, "overrides": [{"workspace": "pipeline", "stage": "scores"}], "layer")",
               {"overrides entry 0 lacks head"}),
       changed("a stack of 49 layers", "\"layer\"", R"("stack": {"encoder_layers": 49}, "layer")",
               {"stack.encoder_layers is 49", "from 0 to 48"}),
       changed("a stack of numbers that no document holds", "\"layer\"",
               R"("stack": {"weights": "drawn", "heads": 1, "inner": 99999999},
                  "stack.encoder": {"x": [[1, 2]]}, "layer")",
               {"134217728 numbers"}),
       changed("a part of a layer behind the last", "\"layer\"",
               R"("stack": {"weights": "drawn", "heads": 1, "inner": 9999999},
                  "stack.encoder": {"x": [[1, 2]]}, "stack.encoder.4.boxes": {"off": [0]}, "layer")",
               {"stack.encoder.4.boxes is of a layer that the stack does not have"})}};
}

}  // namespace attn::tests
