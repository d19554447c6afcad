// SVG pictures: sessions come back byte for byte, also from files that other programs have written anew.
#include "core/io/svg.h"

#include <doctest/doctest.h>

#include "core/document/document.h"
#include "core/io/file_kind.h"
#include "core/io/session.h"
#include "core/text/base64.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

std::string svg_with(const std::string& metadata) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\">\n" + metadata + "<rect/></svg>\n";
}

std::string session_of(const std::string& file) {
  return all_of(session_in_svg(std::as_bytes(std::span(file))));
}

}  // namespace

TEST_CASE("base64 is what RFC 4648 says and comes back") {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [text, letters] : examples) {
    CHECK(base64_of(bytes_of(text)) == letters);
    REQUIRE(bytes_in_base64(letters));
    CHECK(text_of(*bytes_in_base64(letters)) == text);
  }
  CHECK(text_of(*bytes_in_base64(" Zm9v\n\tYg= = ")) == "foob");
  for (const char* wrong : {"Z", "Zg", "Zg=", "Zg===", "Z===", "Zm9v=", "Zg==Zg==", "Zm-v", "Zm9v\x01"})
    CHECK_FALSE(bytes_in_base64(wrong));
}

TEST_CASE("an SVG carries its session") {
  const std::string text = write_session(Document{}), file = svg_with(session_metadata(text));
  CHECK(is_svg(std::as_bytes(std::span(file))));
  CHECK(kind_of(std::as_bytes(std::span(file)), "picture.svg") == FileKind::picture);
  CHECK(session_of(file) == text);
  CHECK(session_metadata("").empty());
}

TEST_CASE("a session is found where another program has written the picture anew") {
  const std::string text = write_session(Document{});
  std::string letters = session_metadata(text);
  letters = letters.substr(letters.find("session\">") + 9);
  letters = letters.substr(0, letters.find("</"));
  for (std::size_t at = 40; at < letters.size(); at += 45) letters.insert(at, "\n    ");
  CHECK(session_of("<?xml version=\"1.0\"?>\n<!-- made by < another > -->\n<svg:svg "
                   "xmlns:n0=\"urn:attention-lab:session\"><metadata id=\"m1\"><rdf:RDF><a>1</a></rdf:RDF>"
                   "<n0:session a=\"b\"> " +
                   letters + " </n0:session></metadata></svg:svg>") == text);
}

TEST_CASE("what is no SVG is not taken for one") {
  const auto svg = [](const std::string& text) { return is_svg(std::as_bytes(std::span(text))); };
  CHECK(svg("\xef\xbb\xbf  <?xml version=\"1.0\"?><!DOCTYPE svg><!-- a --> <svg>"));
  for (const char* other : {"", "svg", "<html><svg>", "{\"a\": \"<svg>\"}", "<!-- <svg>", "<?xml <svg"})
    CHECK_FALSE(svg(other));
}

TEST_CASE("XML holds no markup and no characters that it cannot have") {
  CHECK(xml_text("a<b & \"c\">") == "a&lt;b &amp; &quot;c&quot;&gt;");
  CHECK(xml_text("QKᵀ/√dₖ") == "QKᵀ/√dₖ");
  CHECK(xml_text(std::string("\0\x08\x0b\x1f\xff\t", 6)) ==
        "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\t");
  CHECK(xml_text("\xef\xbf\xbe\xef\xbf\xbf") == "\xef\xbf\xbd\xef\xbf\xbd");
}

}  // namespace attn::tests
