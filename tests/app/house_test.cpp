// A workspace made in this file alone, of public parts: two layers, one reading the other's output, and a
// plot. What the house gives it: title, roles and their colours, links, the inspector's arithmetic, the stage
// bar, checks, pictures, editing with undo, and commands.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <algorithm>

#include "app/canvas/steps.h"
#include "app/frame/links.h"
#include "app/inspector/checks_panel.h"
#include "app/inspector/inspector_flow.h"
#include "app/inspector/inspector_numbers.h"
#include "app/layer/layer_blocks.h"
#include "app/layer/layer_controls.h"
#include "app/plot/plot.h"
#include "core/io/png.h"
#include "tests/app/picture_lab.h"
#include "tests/graphs.h"

using namespace attn;
using namespace attn::tests;

namespace {

// The layers, and below them how much the last token looks at each key, in both.
void draw_twice(Frame& frame, Rect canvas) {
  const float middle = canvas.max.y - frame.theme.px(260);
  draw_layers(frame, {canvas.min, {canvas.max.x, middle}});
  Plot plot{.id = "last", .title = "what the last token looks at", .y = {.low = 0, .high = 1}};
  for (const Part& part : frame.graph.parts) {
    const auto weights = frame.graph.find(Role::weights, &part - frame.graph.parts.data());
    if (!frame.results || !weights) continue;
    const Tensor& values = frame.results->outputs[*weights].whole();
    Samples row = Samples::of(values);
    row.first = (values.rows() - 1) * values.columns();
    row.count = values.columns();
    plot.series.push_back({.name = part.title, .kind = SeriesKind::bars, .y = row});
  }
  ImGui::SetCursorScreenPos({canvas.min.x, middle});
  draw_plot(frame, plot, {{canvas.min.x, middle}, canvas.max});
}

void inspect_twice(Frame&, inspector::Flow& flow) {
  inspector::add_text(flow, "a section of its own", flow.theme().dim);
}

void twice_commands(std::vector<Command>& table, const Desk&) {
  table.push_back({.name = "twice.cold", .title = "Cold", .menu = "Edit", .run = [](Desk& desk) {
                     desk.draft.layer().temperature = 0.25;
                   }});
}

Workspace of_layers(const Plan& plan, std::string_view title) {
  Workspace row{plan};
  row.title = title;
  row.steps = graph_steps;
  row.controls = draw_layer_controls;
  row.draw = draw_layers;
  row.commands = layer_commands;
  return row;
}
Workspace twice() {
  Workspace row = of_layers(kOneAfterOther, "Twice");
  row.draw = draw_twice;
  row.inspect = inspect_twice;
  row.commands = twice_commands;
  return row;
}
const std::array kHouse{of_layers(kLayerPlan, "Pipeline"), twice()};
const Workspace& kTwice = kHouse[1];

Headless::Options house(ImVec2 size = {2560, 2000}) {
  Document document = read_document("the-cat-sat-on-mat-two-heads");
  document.layer().position = NoPosition();
  set_causal(document.layer(), CausalAlign::lower_right);
  return {.document = document, .settings = Settings{}, .size = size, .workspaces = kHouse};
}

void show_twice(Headless& lab) {
  lab.app().show(kTwice);
  lab.settle();
  lab.frames(2);
}

ImU32 colour_of(const Headless& lab, const std::string& text, Rect near) {
  for (const DrawnText& drawn : lab.texts())
    if (drawn.text == text && drawn.box.min.y < near.min.y && drawn.box.max.y > near.min.y - 60 &&
        drawn.box.min.x >= near.min.x - 60 && drawn.box.min.x < near.max.x)
      return drawn.colour;
  return 0;
}

}  // namespace

TEST_CASE("a row of the table is a tab, and a command, and a place of its own") {
  Headless lab(house());
  CHECK(lab.shows("Twice"));
  lab.view().canvas().zoom = 1.5f;
  lab.click_item("##tab_Twice");
  lab.settle();
  CHECK(&lab.app().workspace() == &kTwice);
  CHECK(lab.view().canvas().zoom == 1);
  CHECK(lab.item("b.weights/cells"));
  lab.key(GLFW_KEY_PAGE_UP, {.control = true});
  lab.settle();
  CHECK(&lab.app().workspace() == &kHouse[0]);
  CHECK(lab.view().canvas().zoom == 1.5f);
  CHECK(lab.item("weights/cells"));
  CHECK_FALSE(lab.item("b.weights/cells"));
}

TEST_CASE("nothing of another workspace's results is drawn while its own are computed") {
  Headless lab(house());
  const auto pipeline = lab.results();
  lab.app().show(kTwice);
  CHECK(pipeline->plan == &kHouse[0]);
  lab.frames(1);  // whatever the worker has done by now
  for (int i = 0; i < 50; ++i) {
    const auto results = lab.app().engine_state().results;
    lab.frame();
    CHECK_FALSE(lab.item("weights/cells"));
    if (results && results->plan == &kTwice) break;
  }
  lab.settle();
  CHECK(lab.results()->plan == &kTwice);
}

TEST_CASE("stages have the hues of their roles and the numbers of both layers") {
  Headless lab(house());
  show_twice(lab);
  const Theme theme = theme_of(Settings{});
  const auto results = lab.results();
  for (const auto& [stage, title, role] : {std::tuple{"a.q", "Q", Role::query},
                                           {"b.q", "Q", Role::query},
                                           {"b.k", "K", Role::key},
                                           {"b.weights", "weights", Role::weights},
                                           {"b.v", "V", Role::value}}) {
    const auto cells = lab.item(std::string(stage) + "/cells");
    INFO(stage);
    REQUIRE(cells);
    CHECK(colour_of(lab, title, *cells) == role_colour(theme, role));
  }
  CHECK(lab.item("b.output/cells"));
  CHECK_FALSE(results->output("b.weights") == results->output("a.weights"));
}

TEST_CASE("weights of both layers are coloured by their numbers") {
  Offscreen screen(house());
  show_twice(screen.lab());
  const Picture picture = screen.picture();
  for (const char* stage : {"a.weights", "b.weights"}) {
    const Tensor weights = screen.lab().results()->output(stage);
    const auto cells = screen.lab().item(std::string(stage) + "/cells");
    REQUIRE(cells);
    const float width = cells->width() / 5, height = cells->height() / 5;
    for (std::size_t key = 0; key < 5; ++key) {
      const ImVec2 at{cells->min.x + width * (static_cast<float>(key) + 0.5f), cells->max.y - height + 4};
      CHECK(pixel_at(picture, at) ==
            pixel_of(map_colour(theme_of(Settings{}), {MapKind::viridis, 1}, weights[{0, 4, key}])));
    }
  }
}

TEST_CASE("links lead through both layers") {
  Headless lab(house());
  show_twice(lab);
  const auto results = lab.results();
  const Links score = make_links(*results, {"b.scores", {1, 3, 0}}, lab.view());
  CHECK(score.sources.at("b.q").size() == 2);
  CHECK(score.sources.at("b.k").size() == 2);
  CHECK_FALSE(score.sources.contains("a.q"));
  const Links query = make_links(*results, {"b.q", {0, 2, 0}}, lab.view());
  CHECK(query.sources.at("a.output").size() == 4);  // the first layer's row is what the second one asks with
  const Links output = make_links(*results, {"a.output", {0, 2, 1}}, lab.view());
  CHECK(output.targets.contains("b.q"));
  CHECK(output.targets.contains("b.v"));
}

TEST_CASE("the inspector opens numbers of either layer into arithmetic and follows them on") {
  Headless lab(house());
  show_twice(lab);
  lab.view().pinned = Spot{"b.scores", {1, 3, 0}};
  lab.frames(2);
  const auto results = lab.results();
  const inspector::Opened opened = inspector::open(*results, {"b.scores", {1, 3, 0}});
  CHECK(lab.shows(opened.title));
  CHECK(opened.title.find("B") != std::string::npos);
  REQUIRE(opened.lines.size() == 2);
  for (const inspector::Line& line : opened.lines) {
    CHECK(line.operands[0].role == Role::query);
    CHECK(line.operands[0].spot->stage == "b.q");
    CHECK(lab.shows(inspector::write(line.value, {3, false}, true)));
  }
  CHECK(lab.shows("a section of its own"));
  lab.click_item("term0.0");
  CHECK(lab.view().pinned->stage == "b.q");
  lab.click_item("term0.0");
  CHECK(lab.view().pinned->stage == "a.output");
}

TEST_CASE("the stage bar walks both layers and lights the formula of the one it is in") {
  Headless lab(house());
  show_twice(lab);
  const std::vector<StepChip> steps = lab.app().steps();
  CHECK(std::ranges::count(steps, "weights", &StepChip::title) == 2);
  lab.key(GLFW_KEY_END);
  CHECK(lab.view().canvas().step == steps.back().id);
  CHECK(steps.back().id.starts_with("b."));
  CHECK(lab.shows("step " + std::to_string(steps.size()) + " of " + std::to_string(steps.size())));
  lab.key(GLFW_KEY_HOME);
  lab.frames(20);
  const auto results = lab.results();
  CHECK(stage_opacity(lab.view(), steps, results->graph.find("b.weights").value()) < 0.5f);
}

TEST_CASE("checks watch both softmaxes and lead to the one that is broken") {
  Headless lab(house());
  show_twice(lab);
  Document document = lab.document();
  attn::set_number(document, kTwice, "b.weights", {1, 2, 0}, 3);
  lab.app().change(document);
  lab.settle();
  lab.click_item("check row sum");
  CHECK(lab.view().pinned == Spot{"b.weights", {1, 2, 0}});
}

TEST_CASE("numbers are typed in a workspace and undone, and other workspaces stay as they are") {
  Headless lab(house());
  const Tensor before = lab.results()->output("output");
  show_twice(lab);
  const auto cells = lab.item("b.weights/cells");
  REQUIRE(cells);
  lab.click({cells->min.x + cells->width() / 10, cells->max.y - cells->height() / 10});
  lab.type("0.5");
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  REQUIRE(lab.document().overrides.size() == 1);
  CHECK(lab.document().overrides[0].workspace == kTwice.name);
  CHECK(lab.document().overrides[0].stage == "b.weights");
  CHECK(lab.app().history().steps().back().name == "override b.weights");
  lab.app().show(kHouse[0]);
  lab.settle();
  CHECK(lab.results()->output("output") == before);
  CHECK_FALSE(lab.shows("Your numbers"));
  lab.app().undo();
  CHECK(lab.document().overrides.empty());
}

TEST_CASE("a workspace brings its own commands, and only while it is on screen") {
  Headless lab(house());
  const auto has = [&](const std::string& name) {
    return std::ranges::count(make_commands(lab.app()), name, &Command::name) == 1;
  };
  CHECK_FALSE(has("twice.cold"));
  CHECK(has("workspace.one after other"));
  show_twice(lab);
  CHECK(has("twice.cold"));
  lab.key(GLFW_KEY_P, {.control = true, .shift = true});
  lab.type("Cold");
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  CHECK(lab.document().layer().temperature == 0.25);
}

TEST_CASE("a plot reads the numbers under the pointer, keeps its view and is taken away") {
  Headless lab(house());
  show_twice(lab);
  CHECK(lab.shows("what the last token looks at"));
  const auto plot = lab.item("last/plot");
  REQUIRE(plot);
  lab.wheel(centre(*plot), 3);
  CHECK(lab.view().canvas().plots.at("last").x);
  lab.app().show(kHouse[0]);
  lab.settle();
  CHECK(lab.view().canvas().plots.empty());
  show_twice(lab);
  CHECK(lab.view().canvas().plots.at("last").x);
  CHECK_FALSE(lab.app().take_capture());
  lab.click(centre(*plot), 1);
  lab.frames(2);
  lab.click_item("Save as a picture…");
  const auto capture = lab.app().take_capture();
  REQUIRE(capture);
  REQUIRE(capture->area);
  CHECK(capture->area->height() < 300);
}

TEST_CASE("a picture of the workspace carries its session and comes back") {
  Offscreen screen(house());
  show_twice(screen.lab());
  Document document = screen.app().document();
  attn::set_number(document, kTwice, "b.scores", {0, 1, 0}, 2);
  screen.app().change(document);
  screen.lab().settle();
  const auto png = write_png(screen.picture(), screen.app().session());
  CHECK(read_session(session_in_png(png)) == document);
}
