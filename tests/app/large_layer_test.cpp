// A layer too large for its matrices of queries and keys to be kept, in small: pictures of all, and the
// numbers of the rows that are looked at.
#include <doctest/doctest.h>

#include "app/cells/cell_text.h"
#include "app/inspector/checks_panel.h"
#include "app/inspector/inspector_model.h"
#include "app/panels/device_badge.h"
#include "core/reference/backend.h"
#include "tests/app/workspace_lab.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr std::size_t kTokens = 300;  // cells below a pixel or so: one picture

Document large_document() {
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = drawn({1, kTokens, 6}, 1);
  for (Tensor* w : {&layer.w_q, &layer.w_k, &layer.w_v}) *w = drawn({1, 6, 6}, 2);
  layer.heads = layer.kv_heads = 2;
  set_causal(layer, CausalAlign::lower_right);
  return document;
}

// The reference by another name: what a device computes is compared with the reference.
class NamedDevice final : public Backend {
 public:
  std::string name() const override { return "named"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
    return reference_->run(operation, inputs);
  }

 private:
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

class LargeLab : public WorkspaceLab {
 public:
  explicit LargeLab(BackendFactory backend = {}, Document document = large_document())
      : WorkspaceLab("pipeline", {.document = std::move(document),
                                  .settings = Settings{},
                                  .backend = std::move(backend),
                                  .budget = std::make_shared<Budget>(std::size_t{64} << 20, kMostKept)}) {}

  ImVec2 at(const std::string& stage, std::size_t row, std::size_t column) {
    const auto cells = item(stage + "/cells");
    INFO(stage);
    REQUIRE(cells);
    const auto part = [](std::size_t i) { return (static_cast<float>(i) + 0.5f) / kTokens; };
    return {cells->min.x + cells->width() * part(column), cells->min.y + cells->height() * part(row)};
  }
  std::optional<inspector::CheckLine> check_line(const std::string& name,
                                                 std::optional<std::size_t> query = {}) {
    for (inspector::CheckLine& line : inspector::check_lines(app().engine_state(), {.query = query}))
      if (line.name == name) return line;
    return std::nullopt;
  }
  void look(const std::string& stage, std::size_t row, std::size_t column) {
    move(at(stage, row, column));
    settle();
    frames(60);  // a tooltip waits for the pointer to rest
  }

 private:
  static constexpr std::size_t kMostKept = 1'000'000;
};

// Which cell the pointer is on, near what was meant.
Cell hovered(LargeLab& lab) {
  REQUIRE(lab.view().hovered);
  return lab.view().hovered->cell;
}

float expected(const std::string& stage, Cell cell) {
  static const Results all = evaluated(large_document());
  return all.output(stage)[cell];
}

}  // namespace

TEST_CASE("a large layer shows its outputs and pictures of what is not kept") {
  LargeLab lab;
  const auto results = lab.results();
  REQUIRE(results->bands);
  CHECK(results->result("output").here());
  CHECK(results->result("weights").kept() == Kept::not_kept);
  CHECK(results->summaries[*results->graph.find("weights")].pools);
  CHECK(lab.item("weights/cells"));
  CHECK(lab.item("scores/cells"));
}

TEST_CASE("the number under the pointer is made where it is not kept") {
  LargeLab lab;
  for (const std::size_t row : {std::size_t{200}, std::size_t{30}}) {
    lab.look("scores", row, 20);
    const Cell cell = hovered(lab);
    CHECK(cell.row + 2 > row);
    const auto results = lab.results();
    REQUIRE(results->result("scores").holds(cell));
    CHECK(results->result("scores")[cell] == doctest::Approx(expected("scores", cell)).epsilon(1e-6));
    CHECK(lab.shows(" = " + exact_text(results->result("scores")[cell])));
  }
}

TEST_CASE("a pinned number of a large layer opens into its arithmetic, and keeps it while others are shown") {
  LargeLab lab;
  lab.look("weights", 150, 40);
  lab.click(lab.at("weights", 150, 40));
  lab.settle();
  lab.frames(2);
  REQUIRE(lab.view().pinned);
  const Spot pinned = *lab.view().pinned;
  lab.look("scores", 250, 100);
  const Cell other = hovered(lab);
  const auto results = lab.results();
  CHECK(results->result("scores").holds(other));
  REQUIRE(results->result("weights").holds(pinned.cell));
  CHECK(lab.shows("attends to"));
  CHECK(lab.check_line("NaN, ∞", pinned.cell.row).value().value == "0");
  CHECK(lab.check_line("row sum", pinned.cell.row).value().verdict == inspector::CheckLine::good);
  CHECK(lab.check_line("row sum").value().verdict == inspector::CheckLine::good);
  CHECK(lab.check_line("from reference").value().value == "the reference itself");
  const inspector::Opened opened = inspector::open(*results, pinned);
  CHECK(opened.number == results->result("weights")[pinned.cell]);
  CHECK(opened.result == doctest::Approx(expected("weights", pinned.cell)).epsilon(1e-5));
}

TEST_CASE("what is said of a large layer and the reference says of how many rows") {
  LargeLab lab([](std::vector<std::string>&) { return std::make_unique<NamedDevice>(); });
  const EngineState state = lab.app().engine_state();
  REQUIRE(state.comparison);
  CHECK(state.comparison->rows == kTokens);
  CHECK(state.comparison->rows_compared == 16);
  CHECK(lab.check_line("from reference").value().value.ends_with(", 16 rows"));
  CHECK(badge_of(state, true).text.ends_with(" in 16 rows"));
}

TEST_CASE("checks that have seen some rows of a large layer say of how many, and call nothing good") {
  LargeLab lab;
  EngineState state = lab.app().engine_state();
  Checks checks = *state.checks;
  REQUIRE(checks.rows_seen == checks.rows);
  const auto good = [&] {
    return std::ranges::count(inspector::check_lines(state, {}), inspector::CheckLine::good,
                              &inspector::CheckLine::verdict);
  };
  CHECK(good() > 0);
  CHECK(inspector::check_lines(state, {}).front().name != "rows checked");
  checks.rows_seen = 100;
  state.checks = std::make_shared<const Checks>(checks);
  CHECK(good() == 0);
  const inspector::CheckLine line = inspector::check_lines(state, {}).front();
  CHECK(line.name == "rows checked");
  CHECK(line.value == "100 of " + std::to_string(checks.rows));
}

// What the pointer finds first on its way down the middle of the arcs.
std::optional<Spot> spot_among_arcs(LargeLab& lab) {
  const auto arcs = lab.item("arcs");
  for (float y = arcs ? arcs->min.y : 0; arcs && y < arcs->max.y; ++y) {
    lab.move({(arcs->min.x + arcs->max.x) / 2, y});
    if (lab.view().hovered && lab.view().hovered->stage == "weights") return lab.view().hovered;
  }
  return std::nullopt;
}

TEST_CASE("the strongest links of a large layer are drawn and lead to their weights") {
  LargeLab lab;
  REQUIRE_FALSE(lab.results()->result("weights").holds({0, 0, 0}));
  CHECK(lab.shows("64 of "));
  CHECK_FALSE(lab.shows("300 rows"));
  const auto checks = lab.app().engine_state().checks;
  REQUIRE(checks);
  const std::vector<Strongest>& found = checks->softmaxes.front().strongest;
  REQUIRE(found.size() == 2);
  REQUIRE(found[0].links.size() == 64);
  for (const Strongest::Link& link : found[0].links)
    CHECK(link.value == doctest::Approx(expected("weights", {0, link.row, link.column})).epsilon(1e-5));
  const std::optional<Spot> under_pointer = spot_among_arcs(lab);
  REQUIRE(under_pointer);
  CHECK(std::ranges::any_of(found[0].links, [&](const Strongest::Link& link) {
    return under_pointer->cell == Cell{0, link.row, link.column};
  }));
}

TEST_CASE("a weight on a masked key of a large layer is told though it is not kept, and opens") {
  Document document = large_document();
  document.overrides.push_back({"pipeline", "weights", {{0, 20, 170}, 0.25f}});
  LargeLab lab({}, document);
  REQUIRE_FALSE(lab.results()->result("weights").holds({0, 20, 170}));
  CHECK(lab.check_line("weight on masked keys").value().verdict == inspector::CheckLine::bad);
  REQUIRE(lab.item("weights/leak"));
  CHECK(lab.text_in(*lab.item("weights/leak")) == "0.2500 on a masked key");
  lab.click_item("weights/leak");
  lab.settle();
  CHECK(lab.view().pinned == Spot{"weights", {0, 20, 170}});
  CHECK(lab.results()->result("weights").holds({0, 20, 170}));
}

TEST_CASE("a causal mask of a large layer that is off by one is told") {
  Document document = large_document();
  CHECK_FALSE(LargeLab({}, document).check_line("causal mask"));
  set_rule(document.layer(), std::optional(CausalRule{.ahead = 1}));
  const auto line = LargeLab({}, document).check_line("causal mask");
  REQUIRE(line);
  CHECK(line->value == "1 key ahead");
  CHECK(line->culprit == Spot{"weights", {0, 0, 1}});
}

TEST_CASE("an edit of a large layer reaches its outputs, and is undone") {
  LargeLab lab;
  const Document before = lab.document();
  const Tensor output = lab.results()->output("output");
  Document edited = before;
  set_number(edited, "x", {0, 0, 0}, 3);
  lab.app().change(edited);
  lab.settle();
  CHECK_FALSE(lab.results()->output("output") == output);
  lab.undo();
  CHECK(lab.document() == before);
  CHECK(lab.results()->output("output") == output);
}
