// Tables of translations as gettext writes them.
#include "core/language/po_file.h"

#include <doctest/doctest.h>

#include "core/system/error.h"

using namespace attn;

TEST_CASE("a table's header and entries are read, over several lines and with what is escaped") {
  const PoFile file = parse_po(R"(# Translators
msgid ""
msgstr ""
"Language: de\n"
"X-Language-Name: Deutsch\n"

#: app/panels/a.cpp
msgid "row \"the\"\n"
"and \\ more"
msgstr "Zeile „the“\n"
"und \\ mehr"

#, fuzzy
msgid "old"
msgstr "alt, vielleicht"

#~ msgid "gone"
#~ msgstr "weg"
msgid "open"
msgstr ""
)");
  CHECK(file.header.at("Language") == "de");
  CHECK(file.header.at("X-Language-Name") == "Deutsch");
  REQUIRE(file.entries.size() == 3);
  CHECK(file.entries[0].english == "row \"the\"\nand \\ more");
  CHECK(file.entries[0].translation == "Zeile „the“\nund \\ mehr");
  CHECK(file.entries[0].line == 8);
  CHECK(file.entries[1].english == "old");
  CHECK(file.entries[1].translation == "");
  CHECK(file.entries[2].translation == "");
  CHECK(parse_po("").entries.empty());
}

TEST_CASE("what cannot be read of a table is refused with its line") {
  const auto said = [](const char* text) {
    try {
      parse_po(text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  CHECK(said("msgid \"a\"\n") == "line 1: msgid without msgstr below it");
  CHECK(said("msgid \"a\"\nmsgid \"b\"\nmsgstr \"\"\n") == "line 1: msgid without msgstr below it");
  CHECK(said("\nmsgid a\n") == "line 2: the text stands in no quotes");
  CHECK(said("msgid \"a\"b\"\n") == "line 1: a quote inside the text takes a \\ before it");
  CHECK(said("msgid \"a\\x\"\n") == "line 1: \\ stands before n, t, \" or \\");
  CHECK(said("msgid \"a\\\"\n") == "line 1: \\ stands before n, t, \" or \\");
  CHECK(said("\"a\"\n") ==
        "line 1: takes msgid \"…\" and below it msgstr \"…\"; contexts and plural forms are not read");
  CHECK(said("msgctxt \"a\"\n").starts_with("line 1: takes msgid"));
  CHECK(said("msgid \"a\"\nmsgstr \"b\"\nmsgstr \"c\"\n").starts_with("line 3: takes msgid"));
}
