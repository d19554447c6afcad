// A curve that is drawn as an answer: by dragging across, by keys, and locked with what it is off by.
#include <doctest/doctest.h>

#include "core/lesson/curve_points.h"
#include "tests/app/lesson_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr std::size_t kCurve = 2;  // of the exercises of step 1

struct CurveLab : LessonLab {
  explicit CurveLab(ImVec2 size = {1600, 1400})
      : LessonLab({.document = read_document("eight-heads"), .settings = Settings{}, .size = size}) {
    play(1);
    for (std::size_t i = 0; i < kCurve; ++i) {
      press(i == 0 ? GLFW_KEY_2 : GLFW_KEY_UP);
      press(GLFW_KEY_ENTER);
      REQUIRE(answer(i).shown);
    }
  }
  const std::vector<double>& drawn() { return answer(kCurve).curve; }
  // Of the plot, both from 0 to 1.
  ImVec2 in_curve(float across, float up) {
    const auto box = item("curve");
    REQUIRE(box);
    return {box->min.x + across * box->width(), box->max.y - up * box->height()};
  }
};

}  // namespace

TEST_CASE("a curve begins as it is, digits choose a point and ↑ ↓ move it") {
  CurveLab lab;
  CHECK(lab.shows("drag across to draw"));
  CHECK(lab.shows("1–9 point"));
  CHECK(lab.drawn().empty());
  const Tensor now = lab.results()->output("weights");
  lab.press(GLFW_KEY_3);
  REQUIRE(lab.drawn().size() == 3);
  lab.press(GLFW_KEY_UP);
  lab.press(GLFW_KEY_UP);
  lab.press(GLFW_KEY_1);
  lab.press(GLFW_KEY_DOWN);
  lab.press(GLFW_KEY_9);  // there is none
  CHECK(lab.answer(kCurve).point == 0);
  CHECK(lab.drawn()[2] == doctest::Approx(now[{0, 1, 2}] + 0.08));  // 0.05 of a range of 0.8 each
  CHECK(lab.drawn()[0] == doctest::Approx(now[{0, 1, 0}] - 0.04));
  CHECK(lab.drawn()[1] == doctest::Approx(now[{0, 1, 1}]));
  for (int i = 0; i < 30; ++i) lab.key(GLFW_KEY_DOWN);
  CHECK(lab.drawn()[0] == 0);  // no further than the range
  CHECK(lab.played().step == 1);
}

TEST_CASE(
    "a drag across draws every point on its way, and Enter locks the "
    "curve and says what it is off by") {
  CurveLab lab;
  const Document asked = lab.document();
  lab.drag(lab.in_curve(0.1f, 0.25f), lab.in_curve(0.9f, 0.75f));
  REQUIRE(lab.drawn().size() == 3);
  CHECK(lab.drawn()[0] > 0.2);  // as high as the pointer was when it went on to the next
  CHECK(lab.drawn()[0] < 0.34);
  CHECK(lab.drawn()[1] == doctest::Approx(0.4).epsilon(0.1));
  CHECK(lab.drawn()[2] == doctest::Approx(0.6).epsilon(0.05));
  CHECK(lab.document() == asked);
  CHECK_FALSE(lab.shows("○ as it is"));
  lab.press(GLFW_KEY_ENTER);
  CHECK(lab.answer(kCurve).shown);
  CHECK(lab.document().layer().temperature == 10);
  CHECK(lab.shows("○ as it is"));
  const std::vector<double> drawn = lab.drawn();
  std::vector<double> truth;
  for (std::size_t i = 0; i < 3; ++i)
    truth.push_back(static_cast<double>(lab.results()->output("weights")[{0, 1, i}]));
  CHECK(mean_difference(drawn, truth) > 0.02);
  CHECK(lab.shows("not near enough"));
  CHECK_FALSE(lab.played().record.lessons.at("rows").answered.at({1, kCurve}));
  lab.drag(lab.in_curve(0.1f, 0.9f), lab.in_curve(0.9f, 0.1f));
  lab.press(GLFW_KEY_UP);
  CHECK(lab.drawn() == drawn);  // locked
}

TEST_CASE(
    "a curve near the truth on average counts, and stays as it was drawn "
    "on the way back") {
  CurveLab lab;
  lab.press(GLFW_KEY_1);
  lab.played().answer(kCurve).curve = {0.33, 0.34, 0.33};
  lab.press(GLFW_KEY_SPACE);
  CHECK(lab.shows("near enough"));
  CHECK(lab.played().record.lessons.at("rows").answered.at({1, kCurve}));
  lab.press(GLFW_KEY_RIGHT);
  lab.press(GLFW_KEY_LEFT);
  CHECK(lab.drawn() == std::vector<double>{0.33, 0.34, 0.33});
  CHECK(lab.answer(kCurve).shown);
}

TEST_CASE("a curve stands whole in a small window") {
  CurveLab lab({1024, 640});
  const Layout layout = make_layout({1024, 640}, lab.theme(), Settings());
  lab.reveal("curve");
  check_whole(lab, layout.inspector, "the lesson");
  lab.press(GLFW_KEY_1);
  lab.press(GLFW_KEY_ENTER);
  lab.reveal("curve");
  check_whole(lab, layout.inspector, "the lesson");
  check_words_apart(lab, layout.inspector);
}
