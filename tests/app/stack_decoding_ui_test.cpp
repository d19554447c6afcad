// Decoding as a person sees it: the step dragged and moved by arrows, a candidate taken, a character forced,
// written on by G, one step of the history each; what an encoder alone is offered.
#include <algorithm>
#include <cmath>

#include "app/workspaces/stack/view.h"
#include "core/document/stack_edit.h"
#include "core/document/stack_plan.h"
#include "core/io/stack_models.h"
#include "tests/app/workspace_lab.h"
#include "tests/dates_document.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct DecodingLab : WorkspaceLab {
  explicit DecodingLab(Document document = dates_document(), ImVec2 size = {1600, 1000}, float scale = 1)
      : WorkspaceLab(
            kStackPlan.name,
            {.document = std::move(document), .settings = Settings{}, .size = size, .scale = scale}) {
    settle();
    frames(2);
  }
  StackView& at() { return view().of<StackView>(); }
  std::string written() { return input_text(document().transformer.decoder); }
  Rect box(const std::string& id) {
    const auto found = item("decoding/" + id);
    INFO(id);
    REQUIRE(found);
    return *found;
  }
  void to(std::size_t step) {
    at().step = step;
    frames(2);
    settle();
    frames(2);
  }
  // The middle of a cell of what is written, of ten.
  ImVec2 cell(std::size_t i) {
    const Rect cells = box("written");
    return {cells.min.x + cells.width() * (static_cast<float>(i) + 0.5f) / 10, centre(cells).y};
  }
};

}  // namespace

TEST_CASE("the step is said, its likeliest symbol is the date's, and both ways agree") {
  DecodingLab lab;
  lab.to(6);
  CHECK(lab.shows("step 7 of 10"));
  CHECK(lab.find_text("embed 7 so far"));
  CHECK(lab.find_text("layer 0 · 7×32"));
  CHECK(lab.item("decoding/next 3"));
  CHECK(lab.shows("outputs agree"));
  CHECK(lab.shows("024 B a token"));
}

TEST_CASE("where what comes out is no number, decoding says so") {
  Document document = dates_document();
  Tensor& embedding = document.transformer.embedding;
  std::vector<float> numbers(embedding.values().begin(), embedding.values().end());
  numbers[0] = std::nanf("");  // tied: the logits of a symbol are none either
  embedding = Tensor(embedding.shape(), std::move(numbers));
  DecodingLab lab(document);
  CHECK(lab.shows("outputs: not"));
  CHECK_FALSE(lab.shows("outputs differ"));
  CHECK_FALSE(lab.shows("outputs agree"));
}

TEST_CASE("the step is dragged over what is written, and moved by arrows") {
  DecodingLab lab;
  lab.to(0);
  lab.move(lab.cell(2));
  lab.press();
  CHECK(lab.at().step == 2);
  lab.move(lab.cell(8));
  lab.frames(2);
  CHECK(lab.at().step == 8);
  lab.release();
  lab.key(GLFW_KEY_LEFT);
  lab.frames(2);
  CHECK(lab.at().step == 7);
  lab.key(GLFW_KEY_RIGHT);
  lab.key(GLFW_KEY_RIGHT);
  lab.key(GLFW_KEY_RIGHT);
  lab.frames(2);
  CHECK(lab.at().step == 9);
  CHECK(lab.steps() == 0);
}

TEST_CASE("another candidate is taken by a click, and G writes on behind it") {
  DecodingLab lab;
  const Document before = lab.document();
  lab.to(6);
  lab.click_item("decoding/next 3");
  lab.settle();
  lab.frames(2);
  CHECK(lab.written() == "1987-03");
  CHECK(lab.at().step == 7);
  CHECK(lab.steps() == 1);
  lab.key(GLFW_KEY_G);
  lab.settle();
  lab.frames(4);
  lab.settle();
  lab.frames(2);
  CHECK(lab.written() == "1987-03-1");
  CHECK(lab.at().step == 9);
  CHECK(lab.steps() == 2);
  lab.undo();
  CHECK(lab.written() == "1987-03");
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("a character is forced by typing it into what is written; one that is no symbol is refused") {
  DecodingLab lab;
  lab.to(6);
  lab.double_click(lab.cell(6));
  lab.frames(3);
  CHECK(lab.at().typing);
  lab.type("5");
  lab.settle();
  lab.frames(3);
  CHECK(lab.written() == "1987-05");
  CHECK_FALSE(lab.at().typing);
  CHECK(lab.steps() == 1);
  lab.double_click(lab.cell(7));
  lab.frames(3);
  lab.type("%");
  lab.frames(3);
  CHECK(lab.view().message.find("is no symbol of this stack") != std::string::npos);
  CHECK(lab.written() == "1987-05");
}

TEST_CASE("no words of decoding lie on others, in any size") {
  for (const auto& [size, scale] :
       {std::pair<ImVec2, float>{{1600, 1000}, 1}, std::pair<ImVec2, float>{{3200, 2000}, 2},
        std::pair<ImVec2, float>{{1024, 2400}, 1}}) {
    CAPTURE(size.x);
    DecodingLab lab(dates_document(), size, scale);
    lab.to(9);
    const Rect top = lab.box("written");
    check_words_apart(lab, {{top.min.x - 60 * scale, top.min.y - 40 * scale},
                            {top.min.x + 520 * scale, top.max.y + 260 * scale}});
  }
}

TEST_CASE("an encoder alone is told what decoding needs, and is made a decoder by a click") {
  DecodingLab lab(small_document());
  CHECK(lab.shows("it needs a decoder"));
  lab.click_item("decoding/decoding decoder");
  lab.settle();
  lab.frames(4);
  CHECK(lab.document().transformer.sides == StackSides::decoder);
  CHECK(lab.shows("no cross-attention"));
  CHECK(lab.shows("step 1 of 4"));
  lab.key(GLFW_KEY_G);
  lab.settle();
  lab.frames(2);
  CHECK(lab.view().message == "rows of features have no next symbol: they are replayed");
  CHECK(lab.steps() == 1);
}
