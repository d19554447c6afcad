// Pictures as SVG: words are text, cells are rectangles, the same frame gives the same bytes, and parts of
// the window are found by their names.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <regex>

#include "app/host/capture.h"
#include "app/host/svg_picture.h"
#include "app/host/svg_words.h"
#include "app/theme/toolkit.h"
#include "core/system/file.h"
#include "tests/app/picture_lab.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

struct RenderedPart {
  Outcome outcome;
  std::string file;  // what was written; empty: nothing
};

RenderedPart rendered_part(const std::vector<std::string>& more, const std::string& name = "out.svg") {
  const TemporaryFolder folder;
  std::vector<std::string> words{"render",     "the-cat-sat-on-mat-causal", "--device", "reference", "-o",
                                 folder / name};
  words.insert(words.end(), more.begin(), more.end());
  RenderedPart part{run_words(words), {}};
  if (part.outcome.status == kDone) part.file = as_text(read_file(folder / name));
  return part;
}

std::string svg_of(const std::vector<std::string>& more) {
  const RenderedPart part = rendered_part(more);
  CAPTURE(part.outcome.err);
  REQUIRE(part.outcome.status == kDone);
  return part.file;
}

// Tags that open and close in turn, attributes in quotes and each once, no character that XML cannot have.
bool well_formed(const std::string& text) {
  static const std::regex tag(R"(<(/?)([A-Za-z:]+)((?: [A-Za-z:-]+="[^"<]*")*)(/?)>)");
  std::vector<std::string> open;
  std::size_t at = 0;
  const auto plain = [](std::string_view words) {
    return words.find('<') == words.npos && words.find('>') == words.npos &&
           std::all_of(words.begin(), words.end(), [](char c) { return (c & 0xe0) != 0 || c == '\n'; });
  };
  for (std::sregex_iterator match(text.begin(), text.end(), tag), end; match != end; ++match) {
    if (!plain(std::string_view(text).substr(at, static_cast<std::size_t>(match->position()) - at)))
      return false;
    at = static_cast<std::size_t>(match->position() + match->length());
    if ((*match)[1].length() == 0 && (*match)[4].length() == 0) open.push_back((*match)[2]);
    if ((*match)[1].length() == 0) continue;
    if (open.empty() || open.back() != (*match)[2]) return false;
    open.pop_back();
  }
  return open.empty() && text.ends_with("</svg>\n") && at + 1 == text.size();
}

// Drawn over an empty window, by `draw`.
std::string svg_of_drawing(const std::function<void(ImDrawList&)>& draw) {
  bool on = false;
  Headless::Options options{.document = read_document("three-tokens"), .settings = Settings{}};
  options.on_top = [&] {
    if (on) draw(*ImGui::GetForegroundDrawList());
  };
  Headless lab(std::move(options));
  on = true;
  lab.frame();
  ImDrawData data = lab.draw_data();
  ImDrawList* list = data.CmdLists[data.CmdListsCount - 1];
  set_list(data, list);
  std::string note;
  const LetterWidths widths(find_font_files(note));
  const Theme theme = lab.theme();
  return svg_picture(
      data, {.area = {{0, 0}, {200, 100}}, .fonts = theme.fonts, .widths = widths, .picture_of = {}}, "");
}

}  // namespace

TEST_CASE("numbers of an SVG have fixed decimals and no minus zero") {
  CHECK(decimal(12.5f) == "12.5");
  CHECK(decimal(-0.001f) == "0");
  CHECK(decimal(-3.456f) == "-3.46");
  CHECK(decimal(1600) == "1600");
  CHECK(hundredths(-5) == "-0.05");
  CHECK(thousandths(0.1f) == "0.1");
  CHECK(millimetres(96) == "25.4mm");
  CHECK(paint(IM_COL32(0, 114, 178, 255)) == " fill=\"#0072b2\"");
  CHECK(paint(IM_COL32(255, 0, 16, 51)) == " fill=\"#ff0010\" fill-opacity=\"0.2\"");
}

TEST_CASE("an SVG of the window is well-formed, the same every time, and opens as its session") {
  const std::vector<std::string> options{"--pin", "scores:0,3,0", "--size", "1200x800"};
  const std::string text = svg_of(options);
  CHECK(text == svg_of(options));
  CHECK(well_formed(text));
  CHECK(contains(text, "width=\"317.5mm\" height=\"211.67mm\" viewBox=\"0 0 1200 800\""));
  for (const char* words :
       {">scores</text>", ">/ √d_k</text>", ">0.54</text>", ">Kᵀ</text>", ">Pipeline</text>"})
    CHECK_MESSAGE(contains(text, words), words);
  CHECK_FALSE(contains(text, "=\"-0\""));
  CHECK_FALSE(contains(text, "nan"));
  const TemporaryFolder folder;
  write_file(folder / "picture.svg", text);
  CHECK(read_document(folder / "picture.svg") == read_document("the-cat-sat-on-mat-causal"));
  write_file(folder / "none.svg", std::string("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"));
  CHECK_THROWS_WITH(read_document(folder / "none.svg"), doctest::Contains("none.svg: "));
}

TEST_CASE("a matrix alone has a rectangle a cell, its numbers as text and the whole session") {
  const std::string text = svg_of({"--matrix", "weights", "--theme", "light"});
  CHECK(well_formed(text));
  CHECK(count_of(text, "rx=") == 25);
  for (const char* words : {">weights</text>", ">mat</text>", ">1.00</text>", ">0.54</text>"})
    CHECK_MESSAGE(contains(text, words), words);
  CHECK_FALSE(contains(text, ">scores</text>"));
  CHECK_FALSE(contains(text, "Pipeline"));
  const RenderedPart png = rendered_part({"--matrix", "weights", "--theme", "light"}, "out.png");
  REQUIRE(png.outcome.status == kDone);
  const auto side = [&](std::size_t at) {
    return std::to_string(load_big<std::uint32_t>(std::as_bytes(std::span(png.file)), at));
  };
  CHECK(contains(text, "viewBox=\"0 0 " + side(16) + " " + side(20) + "\""));
}

TEST_CASE("a large matrix is one picture in the SVG, of the colours that are on screen") {
  const std::string text = svg_of({"--workspace", "positions"});
  CHECK(well_formed(text));
  CHECK(count_of(text, "<image ") == 2);  // the encoding and its similarity
  CHECK(count_of(text, "href=\"data:image/png;base64,iVBORw0KGgo") == count_of(text, "<image "));
}

TEST_CASE("plots and panels are drawn alone, by their names") {
  const std::string plot = svg_of({"--workspace", "cost", "--plot", "memory"});
  CHECK(well_formed(plot));
  CHECK(count_of(plot, "<path ") > 5);
  CHECK(contains(plot, "memory"));
  CHECK_FALSE(contains(plot, "Pipeline"));
  const std::string panel = svg_of({"--panel", "inspector", "--pin", "scores:0,3,0"});
  CHECK(well_formed(panel));
  CHECK(contains(panel, ">Checks</text>"));
  CHECK_FALSE(contains(panel, ">masked</text>"));
}

TEST_CASE("parts that are not there are answered with those that are") {
  const auto refused = [&](const std::vector<std::string>& options, const char* says) {
    const RenderedPart part = rendered_part(options);
    CHECK(part.outcome.status == kBadWords);
    CHECK_MESSAGE(contains(part.outcome.err, says), part.outcome.err);
  };
  refused({"--matrix", "scoers"}, "did you mean \"scores\"?");
  refused({"--panel", "left"}, "bar, controls, canvas, inspector or steps");
  refused({"--plot", "scores"}, "this workspace shows no plot");
  refused({"--workspace", "cost", "--plot", "tme"}, "did you mean \"time\"?");
  refused({"--matrix", "scores", "--panel", "canvas"}, "a picture is of one of them");
  refused({"--format", "gif"}, "--format");
  refused({"--background", "blue"}, "theme, white or transparent");
}

TEST_CASE("a matrix that is out of sight is brought into it") {
  const std::string text = svg_of({"--matrix", "head_output", "--size", "1024x640"});
  CHECK(contains(text, ">output</text>"));
  CHECK(count_of(text, "rx=") == 20);
}

TEST_CASE("pictures stand on white or on nothing where that is asked for") {
  CHECK(contains(svg_of({"--matrix", "scores", "--background", "white"}), "fill=\"#ffffff\"/>\n<"));
  const auto whole = [](const std::string& text) { return count_of(text, "<rect x=\"0\" y=\"0\""); };
  CHECK(whole(svg_of({"--matrix", "scores"})) == 1);
  CHECK(whole(svg_of({"--matrix", "scores", "--background", "transparent"})) == 0);
  constexpr std::size_t kColourType = 25;
  CHECK(rendered_part({"--matrix", "scores"}, "a.png").file.at(kColourType) == 2);
  CHECK(rendered_part({"--matrix", "scores", "--background", "white"}, "a.png").file.at(kColourType) == 2);
  CHECK(rendered_part({"--matrix", "scores", "--background", "transparent"}, "a.png").file.at(kColourType) ==
        6);
}

TEST_CASE("soft edges are left out: a shape is what is more than half opaque") {
  const std::string line = svg_of_drawing([](ImDrawList& list) {
    list.AddLine({10.5f, 20}, {10.5f, 60}, IM_COL32(255, 0, 0, 255), 2);
  });
  CHECK(well_formed(line));
  CHECK_MESSAGE(
      contains(line, "<path d=\"M10 20.5l2 0 0 40 -2 0z\" shape-rendering=\"auto\" fill=\"#ff0000\"/>"),
      line);
  const std::string triangle = svg_of_drawing([](ImDrawList& list) {
    list.AddTriangleFilled({20, 20}, {60, 20}, {20, 60}, IM_COL32(0, 255, 0, 255));
  });
  CHECK(count_of(triangle, "<path ") == 1);
  CHECK(count_of(triangle, "z\"") == 1);
  const std::string ring = svg_of_drawing([](ImDrawList& list) {
    list.AddCircle({50, 50}, 20, IM_COL32(0, 0, 255, 128), 24, 3.5f);
  });
  CHECK(count_of(ring, "<path ") == 1);  // its border and its hole
  CHECK(count_of(ring, "M") == 2);
  CHECK(contains(ring, "fill-opacity=\"0.502\""));
}

TEST_CASE("what a clip rectangle cuts is cut in the SVG, and names differ between pictures") {
  const auto clipped = [](ImU32 colour) {
    return svg_of_drawing([=](ImDrawList& list) {
      list.PushClipRect({10, 10}, {40, 40});
      list.AddRectFilled({0, 0}, {20, 20}, colour);
      list.AddCircleFilled({40, 30}, 8, colour, 24);
      list.AddCircleFilled({25, 25}, 4, colour, 24);
      list.AddRectFilled({50, 50}, {60, 60}, colour);
      list.PopClipRect();
    });
  };
  const std::string red = clipped(IM_COL32(255, 0, 0, 255)), blue = clipped(IM_COL32(0, 0, 255, 255));
  CHECK(contains(red, "<rect x=\"10\" y=\"10\" width=\"10\" height=\"10\" fill=\"#ff0000\"/>"));
  CHECK(count_of(red, "<clipPath ") == 1);
  CHECK(count_of(red, "clip-path=") == 1);
  CHECK(count_of(red, "#ff0000") == 3);
  const auto name = [](const std::string& text) { return text.substr(text.find("id=\"") + 4, 10); };
  CHECK(name(red) != name(blue));
}
