// The text of a JSON file told value by value: the same whatever pieces it comes in, and every complaint with
// its line and column.
#include "core/io/json.h"

#include <doctest/doctest.h>

#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

// Writes down what it is told.
struct Record : JsonListener {
  void scalar(nlohmann::json&& value) override { told += value.dump() + " "; }
  void begin(bool array) override { told += array ? "[ " : "{ "; }
  void end() override { told += "end "; }
  void key(std::string key) override { told += key + ": "; }
  std::string told;
};

// The text in pieces of so many bytes.
TextSource in_pieces(std::string_view text, std::size_t size) {
  return [text, size]() mutable {
    const std::string_view piece = text.substr(0, size);
    text.remove_prefix(piece.size());
    return piece;
  };
}

std::string told(const TextSource& source) {
  Record record;
  const std::string error = reason([&] { read_json(source, record); });
  return error == "no error" ? record.told : error;
}

TEST_CASE("a text says the same in pieces of any size") {
  const std::string text =
      "{\"größe\": [1, -2.5e3, \"\\u00e4\\\"\", [], {}], \"b\": {\"c\": null, \"d\": true}, \"e\": "
      "18446744073709551615}";
  const std::string whole = told(source_of(text));
  CHECK(
      whole ==
      "{ größe: [ 1 -2500.0 \"ä\\\"\" [ end { end end b: { c: null d: true end e: 18446744073709551615 end ");
  for (std::size_t size = 1; size < text.size(); ++size) CHECK(told(in_pieces(text, size)) == whole);
}

TEST_CASE("a complaint has its line and column in characters in pieces of any size") {
  for (const std::size_t size : {1, 2, 3, 7, 100}) {
    CHECK(mentions(told(in_pieces("{\"größe\": ]", size)), {"line 1, column 11"}));
    CHECK(mentions(told(in_pieces("{\n  \"format\": nul\n}", size)), {"line 2, column 16"}));
    CHECK(mentions(told(in_pieces("[\n\n  ä]", size)), {"line 3, column 3"}));
    CHECK(mentions(told(in_pieces("{\"a\": 1} x", size)), {"line 1, column 10"}));
    CHECK(mentions(told(in_pieces("[1e999]", size)), {"line 1, column", "number overflow"}));
  }
}

TEST_CASE("a zero byte is no end of the text") {
  CHECK(mentions(told(source_of(std::string_view("[1]\n\0[2]", 8))), {"line 2, column 1", "a zero byte"}));
}

TEST_CASE("an empty text is refused, however it comes") {
  CHECK(told(source_of("")) == "line 1, column 1: the text is empty");
  CHECK(told(in_pieces("", 1)) == "line 1, column 1: the text is empty");
}

TEST_CASE("a text of brackets or spaces alone or a single word is not read for long") {
  for (const char* part : {"[],", "{},", " ", "\n"}) {
    std::string text = "[";
    while (text.size() < 8 * kMaximumJsonGap) text += part;
    std::size_t given = 0;
    const TextSource pieces = in_pieces(text, 1000);
    const std::string why = told([&] {
      const std::string_view piece = pieces();
      given += piece.size();
      return piece;
    });
    CHECK(mentions(why, {"without a single value"}));
    CHECK(given < 2 * kMaximumJsonGap);
  }
  CHECK(mentions(told(source_of("[\"" + std::string(2 * kMaximumJsonGap, 'x') + "\"]")),
                 {"without a single value"}));
}

}  // namespace
}  // namespace attn::tests
