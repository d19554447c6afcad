// What a decoder reads, chosen in the window: blank slots, or what has been written so far.
#include "core/training/fields.h"
#include "tests/app/controls_lab.h"
#include "tests/app/training_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Dates by a model that takes a moment.
Document small_dates() {
  Document document = small_training_document();
  TrainingSettings& settings = document.training;
  settings.task = TrainingTaskKind::dates, settings.beside = RunDifference::none;
  settings.batch = 4, settings.steps = 8;
  return document;
}

const TrainingMoment& moment_of(TrainingLab& lab) {
  return *lab.app().memos().of<TrainingMemo>().last->of;
}

}  // namespace

TEST_CASE("what a decoder reads is chosen where there is one, a step of undo" *
          doctest::test_suite("unsanitized")) {
  TrainingLab reverse;
  CHECK_FALSE(reverse.shows("decoder reads"));
  TrainingLab lab(small_dates());
  CHECK(lab.shows("decoder reads"));
  CHECK(moment_of(lab).rows[0].written.empty());
  choose(lab, "training.decoder", "written");
  lab.rest();
  CHECK(lab.steps() == 1);
  CHECK(lab.a().spec->model.decoder == TrainingDecoder::written);
  lab.wait_for(lab.a(), 8);
  lab.rest();
  const MomentRow& row = moment_of(lab).rows[0];
  CHECK(row.input.size() == 11);
  CHECK(row.says.size() == 10);
  CHECK(row.written == written_before(lab.a().spec->task, row.target));
  CHECK(lab.shows("of single symbols, the right ones before given"));
  lab.run("training.in_stack");
  const StackSide& decoder = lab.document().transformer.decoder;
  REQUIRE(decoder.tokens.size() == 10);
  CHECK(decoder.tokens.front() == "‹s›");
  CHECK(decoder.first_position == 11);
}

TEST_CASE("a typed row that is no date is answered all the same, by what the decoder says itself") {
  Document document = small_dates();
  document.training.decoder = TrainingDecoder::written;
  TrainingLab lab(std::move(document));
  lab.click_item("type 0");
  lab.frames(2);
  lab.type("1987-mar-12");
  lab.key(GLFW_KEY_ENTER);
  lab.rest();
  const MomentRow& row = moment_of(lab).rows[0];
  CHECK(row.asked == 0);
  CHECK(row.target == std::vector<std::int32_t>(10, -1));
  CHECK(row.written == written_before(lab.a().spec->task, row.says));
}

TEST_CASE("maps of many heads are named as their room allows, and in full below the pointer" *
          doctest::test_suite("unsanitized")) {
  Document document = small_dates();
  TrainingSettings& settings = document.training;
  settings.layers = 2, settings.heads = 4, settings.width = 16, settings.steps = 1;
  TrainingLab lab(std::move(document));
  lab.rest();
  for (const char* name : {"dec 0·0", "cross0·3", "cross1·3"}) CHECK(lab.shows(name));
  const auto map = lab.item("head 5 3");
  REQUIRE(map);
  lab.move({map->min.x + 2, map->min.y + 2});
  lab.frames(60);
  CHECK(lab.shows("cross 1 head 3: "));
}
