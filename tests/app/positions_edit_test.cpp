// Edits in the workspace of positions: each is one step with a name, and taken back.
#include "tests/app/positions_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the base dragged changes every number after it in one step") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  const Tensor rows = lab.output("encoding");
  lab.slide("##positions.base slider", 1);
  CHECK(std::get<Sinusoidal>(lab.spec().encodings[0]).base == 1e9);
  CHECK_FALSE(lab.output("encoding") == rows);
  check_undo(lab, before, "base");
}

TEST_CASE("width and length are dragged and stepped") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  lab.slide("##positions.width slider", 1);
  CHECK(lab.spec().width == 512);
  CHECK(lab.output("encoding").columns() == 512);
  check_undo(lab, before, "width 512");
  lab.click_item("positions.length+");
  lab.settle();
  CHECK(lab.output("encoding").rows() == 65);
}

TEST_CASE("the training length is dragged on its track and in the plots of far keys") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  lab.slide("##positions.trained slider", 0.1f);
  CHECK(lab.spec().trained < 20);
  CHECK(lab.output("far.learned.weights").columns() == lab.spec().trained);
  check_undo(lab, before, "training length");
  lab.slide("##positions.reach slider", 0.9f);
  CHECK(lab.spec().reach > 1000);
  CHECK(lab.output("far.alibi.weights").columns() == lab.spec().reach);
}

TEST_CASE("a shift of every position says how far each encoding's scores move") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  CHECK(lab.shows("shift +100: moves"));  // before one is chosen
  CHECK(lab.shows("shift +100: nothing"));
  CHECK(lab.shows("shift +100: no row there"));
  lab.slide("##positions.shift slider", 0.3f);
  const std::string by = "shift +" + std::to_string(lab.spec().shift) + ": ";
  CHECK(lab.spec().shift > 200);
  CHECK(lab.shows(by + "moves"));
  CHECK(lab.shows(by + "nothing"));
  CHECK(lab.shows(by + "no row there"));
  check_undo(lab, before, "shift positions by");
}

TEST_CASE("another kind is shown from the list and in exchange from its name in the scores") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  lab.click_item("positions.kind");
  lab.frames(2);
  lab.click_item("RoPE");
  lab.settle();
  CHECK(lab.spec().encodings[0].index() == Position(Rotary()).index());
  CHECK(lab.spec().encodings[1].index() == Position(Sinusoidal()).index());
  check_undo(lab, before, "show RoPE");
  lab.click_item("alibi./title");
  lab.settle();
  CHECK(std::holds_alternative<Alibi>(lab.spec().encodings[0]));
}

TEST_CASE("kinds are compared and compared no more by their chips") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  lab.click_item("compare t5");
  lab.settle();
  CHECK(lab.item("t5.weights/cells"));
  check_undo(lab, before, "compare with T5");
  lab.click_item("compare t5");
  lab.settle();
  CHECK(lab.spec() == before);
  CHECK_FALSE(lab.item("t5.weights/cells"));
}

TEST_CASE("a chosen dimension is drawn no more by its chip") {
  PositionsLab lab;
  const PositionsSpec before = lab.spec();
  lab.click_item("dimension 14");
  lab.settle();
  CHECK(lab.spec().dimensions == std::vector<std::size_t>{0, 6, 7, 24});
  check_undo(lab, before, "choose dimensions");
}
