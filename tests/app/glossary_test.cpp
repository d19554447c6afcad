// Words that explain themselves: their cards under the pointer and under the focus, where those stand, and
// the way from them into the manual.
#include "app/widgets/glossary.h"

#include <doctest/doctest.h>
#include <imgui_internal.h>

#include "app/manual/pages.h"
#include "app/widgets/tooltip.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr int kRestFrames = 20;  // frames: a third of a second

struct GlossaryLab : WorkspaceLab {
  explicit GlossaryLab(ImVec2 size = {1600, 1000})
      : WorkspaceLab("pipeline", {.document = with_collapsed_rows(), .settings = Settings{}, .size = size}) {}

  static Document with_collapsed_rows() {
    Document document = read_document("the-cat-sat-on-mat");
    document.layer().scale = {ScaleMode::number, 50};
    return document;
  }
  Rect word(const char* id) {
    const auto box = item(id);
    INFO(id);
    REQUIRE(box);
    return *box;
  }
  // The box of the card's words; none: there is no card.
  std::optional<Rect> card() {
    std::optional<Rect> box;
    for (const DrawnText& text : texts())
      if (text.text == "F1 more") box = text.box;
    return box;
  }
  // It is drawn last.
  float card_end() { return texts().back().box.max.y; }
  void focus(const char* id) {
    const Rect panel = *item("##right");
    click({panel.max.x + 20, 60});
    for (int i = 0; i < 400; ++i) {
      key(GLFW_KEY_TAB);
      frames(2);
      if (focused(id)) return;
    }
    FAIL("Tab does not come to " << id);
  }
  bool focused(const char* id) {
    const ImGuiID now = ImGui::GetCurrentContext()->NavId;
    return std::ranges::any_of(items(), [&](const Item& i) { return i.id == now && i.path.ends_with(id); });
  }
};

}  // namespace

TEST_CASE("a card comes when the pointer has rested on its word, and goes with it") {
  GlossaryLab lab;
  lab.move(centre(lab.word("word collapsed rows 0")));
  lab.frames(2);
  CHECK_FALSE(lab.card());
  CHECK(lab.app().animating());  // no event is needed for it
  lab.frames(kRestFrames);
  CHECK(lab.card());
  CHECK(lab.shows("collapsed row"));
  lab.move({700, 400});
  lab.frames(2);
  CHECK_FALSE(lab.card());
}

TEST_CASE("a card comes when the focus has rested on its word") {
  GlossaryLab lab;
  lab.focus("word entropy 0");
  CHECK_FALSE(lab.card());
  lab.frames(kRestFrames);
  CHECK(lab.card());
  CHECK(lab.shows("how spread the weights of a row are"));
  lab.key(GLFW_KEY_TAB);
  lab.frames(2);
  CHECK_FALSE(lab.card());
}

TEST_CASE("of pointer and focus the one that moved last shows its words") {
  GlossaryLab lab;
  lab.focus("word entropy 0");
  lab.frames(kRestFrames);
  CHECK(lab.shows("how spread the weights of a row are"));
  const Rect sum = *lab.find_text("NaN, ∞");
  lab.move(centre(sum));
  lab.frames(kRestFrames);
  CHECK_FALSE(lab.card());
  CHECK(lab.shows("Numbers that are not finite"));
  lab.move(centre(lab.word("word collapsed rows 0")));
  lab.frames(kRestFrames);
  CHECK(lab.view().word.shown == "collapsed row, collapsed rows");
  lab.key(GLFW_KEY_TAB);
  lab.frames(kRestFrames);
  CHECK(lab.view().word.shown != "collapsed row, collapsed rows");
  CHECK_FALSE(lab.shows("Numbers that are not finite"));
}

TEST_CASE("a card stands below its word, whole in the window, and never over it") {
  GlossaryLab lab;
  std::size_t below = 0;
  for (float height = 1000; height > 400; height -= 15) {
    CAPTURE(height);
    lab.resize({1600, height});
    const auto word = lab.item("word collapsed rows 0");
    if (!word) continue;  // out of sight
    lab.move(centre(*word));
    lab.frames(kRestFrames);
    const auto card = lab.card();
    if (!card) continue;
    below += card->min.y > word->max.y ? 1 : 0;
    CHECK((card->min.y > word->max.y || lab.card_end() < word->min.y));
    CHECK(lab.card_end() <= height);
  }
  CHECK(below > 0);
}

TEST_CASE("a card stands above its word only where there is room there and none below") {
  const auto above = [](float top, float height) {
    return stands_above({{0, top}, {10, top + 20}}, height, 200);
  };
  CHECK_FALSE(above(100, 80));
  CHECK(above(101, 80));
  CHECK(above(180, 180));
  CHECK_FALSE(above(100, 150));  // nowhere: below, as usual
}

TEST_CASE("F1 leads from a card to its word in the manual, and without one to the page of the workspace") {
  GlossaryLab lab;
  lab.move(centre(lab.word("word collapsed rows 0")));
  lab.frames(kRestFrames);
  REQUIRE(lab.card());
  lab.key(GLFW_KEY_F1);
  lab.frames(3);
  const ManualView& manual = lab.view().overlays.manual;
  REQUIRE(manual.open);
  CHECK(manual.at.page == "glossary");
  REQUIRE(manual.block);
  CHECK(lead_of(manual_page("glossary")->blocks[*manual.block]) == "collapsed row, collapsed rows");
  CHECK(lab.shows("such a row passes almost no gradient"));
  lab.key(GLFW_KEY_F1);
  lab.frames(2);
  CHECK_FALSE(manual.open);
  lab.move({700, 400});
  lab.frames(2);
  lab.key(GLFW_KEY_F1);
  lab.frames(2);
  CHECK(manual.at.page == "pipeline");
}

TEST_CASE("a check's line is pressed on its word too") {
  GlossaryLab lab;
  lab.click(centre(lab.word("word collapsed rows 0")));
  lab.frames(2);
  REQUIRE(lab.view().pinned);
  CHECK(lab.view().pinned->stage == "weights");
}

TEST_CASE("the manual ends with every word of the glossary") {
  REQUIRE(contents(workspaces()).back() == manual_page("glossary"));
  CHECK(manual_page("glossary")->title == "Glossary");
  for (const GlossaryEntry& entry : read_glossary()) {
    CAPTURE(entry.word);
    const auto passage = passage_about(entry.heading);
    REQUIRE(passage);
    CHECK(plain_text(passage->page->blocks[passage->block]).find(entry.says) != std::string::npos);
  }
  CHECK_FALSE(passage_about("no such word"));
}
