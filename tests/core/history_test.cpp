// Undo steps: what is one step and what none, which work it belongs to, its name, and that the oldest ones
// make room when the budget is spent.
#include "core/document/history.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

#include "core/document/document_fields.h"
#include "tests/layers.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document document_of(float value) {
  Document document;
  document.layer().x = Tensor({1, 2, 2}, {value, 2, 3, 4});
  return document;
}

}  // namespace

TEST_CASE("a gesture of many changes is one step named by what it did") {
  Budget budget;
  History history(document_of(0), budget);
  for (int frame = 1; frame <= 30; ++frame)
    CHECK(history.update(document_of(static_cast<float>(frame)), true));
  CHECK(!history.update(document_of(30), false));
  REQUIRE(history.steps().size() == 2);
  CHECK(history.steps()[1].name == "x[0, 0] = 30");
  history.undo();
  CHECK(history.current() == document_of(0));
  history.redo();
  CHECK(history.current() == document_of(30));
}

TEST_CASE("frames without a change and gestures that return leave no step") {
  Budget budget;
  History history(document_of(0), budget);
  for (int frame = 0; frame < 10; ++frame) CHECK(!history.update(document_of(0), frame % 2 == 0));
  CHECK(history.steps().size() == 1);
  history.update(document_of(5), true);
  history.update(document_of(0), true);
  history.update(document_of(0), false);
  CHECK(history.steps().size() == 1);
  CHECK(!history.can_undo());
}

TEST_CASE("two gestures are two steps and an edit after undo drops the redo tail") {
  Budget budget;
  History history(document_of(0), budget);
  history.update(document_of(1), true);
  history.update(document_of(1), false);
  history.update(document_of(2), false);
  CHECK(history.steps().size() == 3);
  history.undo();
  history.undo();
  CHECK(history.can_redo());
  history.update(document_of(9), false);
  CHECK(!history.can_redo());
  CHECK(history.steps().size() == 2);
}

TEST_CASE("every step belongs to the work that it was made in") {
  Budget budget;
  History history(document_of(0), budget);
  history.update(document_of(1), false);
  history.push(document_of(1), "open the same");  // a work of its own although nothing differs
  CHECK(!history.update(document_of(1), false));
  CHECK(history.steps().size() == 3);
  CHECK(history.work() == 1);
  history.update(document_of(2), false);
  CHECK(history.work() == 1);
  history.jump(1);
  CHECK(history.work() == 0);
  history.push(document_of(5), "open another");
  CHECK(history.work() == 2);  // never the number of one that was undone
}

TEST_CASE("every kind of edit has a name of its own") {
  Document a = document_of(1);
  const auto name_of = [&](auto change) {
    Document b = a;
    change(b.layer());
    return describe(a, b);
  };
  CHECK(name_of([](LayerSpec& l) { set_causal(l, CausalAlign::top_left); }) == "causal mask, top-left");
  CHECK(name_of([](LayerSpec& l) { l.masks = {{WindowRule{2}, true}}; }) == "not window mask, 2");
  CHECK(name_of([](LayerSpec& l) {
          l.masks = {{RandomRule{2, 9}, false, Join::all}};
        }) == "and random mask, 2, seed 9");
  CHECK(name_of([](LayerSpec& l) {
          l.masks = {{CausalRule{CausalAlign::lower_right, 3}}};
        }) == "causal mask, lower-right, offset 3");
  CHECK(name_of([](LayerSpec& l) { l.masks = {{GlobalRule{{0, 4}}}}; }) == "global mask, 0 4");
  CHECK(name_of([](LayerSpec& l) { l.heads = 4; }) == "heads 4");
  CHECK(name_of([](LayerSpec& l) { l.temperature = 0.5; }) == "temperature 0.5");
  CHECK(name_of([](LayerSpec& l) { l.muted_heads = {0}; }) == "switch heads");
  CHECK(name_of([](LayerSpec& l) { l.fill = Fill::minus_1e9; }) == "fill -1e9");
  CHECK(name_of([](LayerSpec& l) { l.x = Tensor({1, 2, 2}, {9, 9, 3, 4}); }) == "edit 2 numbers of x");
  CHECK(name_of([](LayerSpec& l) { l.x = Tensor({1, 1, 2}, {1, 2}); }) == "resize x to 1×2");
  CHECK(name_of([](LayerSpec& l) { l.tokens = {"a", "b"}; }) == "add token");
  Document typed_over = a;
  typed_over.overrides = {typed("weights", {}, 1)};
  CHECK(describe(a, typed_over) == "override weights");
  a.layer().tokens = {"a", "b"};
  CHECK(name_of([](LayerSpec& l) { l.tokens = {"b", "a"}; }) == "reorder tokens");
}

TEST_CASE("a drag keeps all of its undo steps although the results alone exceed the budget") {
  // 1024 tokens of width 64 and 8 heads: x is 256 KiB, the results are 600 MiB.
  Budget budget;
  Random random(42);
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = normal(random, {1, 1024, 64});
  layer.w_q = layer.w_k = layer.w_v = normal(random, {1, 64, 64});
  layer.heads = layer.kv_heads = 8;
  budget.set(Budget::memo, std::size_t{600} << 20);
  History history(document, budget);
  const Document first = document;
  constexpr int kDrags = 30, kFrames = 10;
  for (int drag = 0; drag < kDrags; ++drag)
    for (int frame = 0; frame < kFrames; ++frame) {
      layer.x = with_value(layer.x, {0, 5, 5}, static_cast<float>(drag * kFrames + frame));
      history.update(document, frame + 1 < kFrames);
    }
  CHECK(history.steps().size() == kDrags + 1);
  while (history.can_undo()) history.undo();
  CHECK(history.current() == first);
}

TEST_CASE("a long history keeps to its share while others exceed the budget") {
  Budget budget(std::size_t{4} << 20);
  budget.set(Budget::memo, std::size_t{5} << 20);
  Random random(43);
  Document document;
  document.layer().x = normal(random, {1, 64, 256});  // 64 KiB
  History history(document, budget);
  for (int edit = 0; edit < 60; ++edit) {
    document.layer().x = with_value(document.layer().x, {0, 0, 0}, static_cast<float>(edit));
    history.update(document, false);
    CHECK(budget.held(Budget::history) <= budget.share(Budget::history) + document.layer().x.bytes());
    CHECK(history.can_undo());
  }
  CHECK(history.steps().size() == 17);  // the current one, and those of 64 KiB in 1 MiB
}

TEST_CASE("history drops its oldest steps when the budget is exceeded and keeps the current one") {
  Budget budget(1000);
  Random random(41);
  Document document;
  document.layer().x = normal(random, {1, 10, 10});
  History history(document, budget);
  for (int edit = 0; edit < 10; ++edit) {
    document.layer().x = normal(random, {1, 10, 10});
    history.update(document, false);
    CHECK(budget.held(Budget::history) <= 1000);
    CHECK(history.current() == document);
  }
  CHECK(history.steps().size() == 2);
  history.undo();
  CHECK(history.current() != document);
}

TEST_CASE("a document larger than the whole budget keeps its undo steps") {
  Budget budget(std::size_t{4} << 20);
  Random random(44);
  Document document;
  document.layer().bias = normal(random, {8, 512, 512});  // 8 MiB, which no step changes
  document.layer().x = normal(random, {1, 16, 16});
  History history(document, budget);
  for (int edit = 0; edit < 11; ++edit) {
    document.layer().x = with_value(document.layer().x, {0, 0, 0}, static_cast<float>(edit));
    history.update(document, false);
  }
  CHECK(history.steps().size() == 12);
}

TEST_CASE("a drag always has the step before it to go back to") {
  for (const std::size_t limit : {0, 1, 1000, 100000}) {
    Budget budget(limit);
    budget.set(Budget::memo, std::size_t{600} << 20);
    History history(document_of(0), budget);
    for (int drag = 0; drag < 5; ++drag) {
      for (int frame = 1; frame <= 5; ++frame) {
        history.update(document_of(static_cast<float>(10 * drag + frame)), true);
        REQUIRE(history.position() >= 1);
      }
      history.update(history.current(), false);
      CHECK(history.steps()[history.position()].name == "x[0, 0] = " + std::to_string(10 * drag + 5));
      CHECK(history.can_undo());
    }
  }
}

TEST_CASE("what overrides and labels take is counted") {
  Budget budget;
  Document document = document_of(0);
  History history(document, budget);
  const std::size_t before = budget.held(Budget::history);
  document.overrides.assign(1000, typed("scores", {}, 1));
  document.layer().tokens.assign(1000, "a");
  history.update(document, false);
  CHECK(budget.held(Budget::history) - before >= 1000 * (sizeof(StageOverride) + sizeof(std::string)));
}

TEST_CASE("long labels are counted with all their letters in every step") {
  Budget budget;
  Document document = document_of(0);
  document.layer().tokens.assign(100, std::string(4000, 'x'));
  History history(document, budget);
  const std::size_t before = budget.held(Budget::history);
  CHECK(before >= 100 * 4000);
  document.layer().temperature = 2;
  history.update(document, false);
  CHECK(budget.held(Budget::history) - before >= 100 * 4000);
}

TEST_CASE("a gesture that returns gives back what its step held") {
  Budget budget;
  History history(document_of(0), budget);
  const std::size_t before = budget.held(Budget::history);
  history.update(document_of(1), true);
  history.update(document_of(0), true);  // the same numbers in another matrix
  CHECK(budget.held(Budget::history) > before);
  history.update(history.current(), false);
  CHECK(history.steps().size() == 1);
  CHECK(budget.held(Budget::history) == before);
}

TEST_CASE("what history takes is what its steps hold, whatever became of them") {
  for (const std::size_t limit : {std::size_t{0}, std::size_t{4000}, std::size_t{1} << 30}) {
    Budget budget(limit);
    History history(document_of(0), budget);
    std::mt19937 random(seed(61));
    for (int act = 0; act < 400; ++act) {
      Document next = history.current();
      if (random() % 4 > 0) next.layer().x = document_of(static_cast<float>(random() % 5)).layer().x;
      if (random() % 4 == 0) next.layer().tokens.assign(random() % 3, "token");
      switch (random() % 4) {
        case 0:
          history.jump(random() % history.steps().size());
          break;
        case 1:
          history.push(next, "opened");
          break;
        default:
          history.update(next, random() % 2 == 0);
      }
      INFO("limit ", limit, ", act ", act);
      std::size_t held = 0;
      std::set<TensorId> seen;
      for (const History::Entry& step : history.steps()) {
        held += step.lists;
        visit_tensors(step.document, [&](std::string_view, const TensorField&, const Tensor& tensor) {
          if (seen.insert(tensor.id()).second) held += tensor.bytes();
        });
      }
      REQUIRE(budget.held(Budget::history) == held);
    }
  }
}
