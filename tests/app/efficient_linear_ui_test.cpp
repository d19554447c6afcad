// Linear attention as a recurrent network, as a person sees it: its numbers by hand, the token stepped,
// dragged and chosen on the curve, other features, gaps, padding, and what is refused.
#include <algorithm>
#include <cmath>

#include "app/workspaces/efficient/view.h"
#include "core/efficient/graph.h"
#include "tests/app/controls_lab.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// With ReLU: S is 0, then (1 2; 0 0), (1 2; 3 4), (6 8; 8 10) and (20 24; 8 10), z is (0 0), (1 0), (1 1),
// (2 2) and (4 2); the outputs are (1 2), (2 3), none, (4 5).
Document four_tokens() {
  Document document;
  LayerSpec& layer = document.layer();
  layer.direct = true;
  layer.q = Tensor({1, 4, 2}, {1, 0, 1, 1, -1, -1, 0, 1});
  layer.k = Tensor({1, 4, 2}, {1, 0, 0, 1, 1, 1, 2, 0});
  layer.v = Tensor({1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  layer.masks = {{CausalRule{}}};
  document.efficient.features = FeatureKind::relu;
  return document;
}

class LinearLab : public WorkspaceLab {
 public:
  explicit LinearLab(Document document = four_tokens(), ImVec2 size = {1600, 1000}, float scale = 1)
      : WorkspaceLab(
            kEfficientPlan.name,
            {.document = std::move(document), .settings = Settings{}, .size = size, .scale = scale}) {}
  EfficientView& at() { return view().of<EfficientView>(); }
  void play(std::size_t token) {
    at().token = token;
    frames(2);
    settle();
  }
  Rect map(const std::string& id) {
    const auto box = item("linear/" + id);
    INFO(id);
    REQUIRE(box);
    return *box;
  }
  void point_at(const std::string& id, const Shape& shape, std::size_t row, std::size_t column) {
    const Rect box = map(id);
    const auto middle = [](std::size_t at, std::size_t count) {
      return (static_cast<float>(at) + 0.5f) / static_cast<float>(count);
    };
    move({box.min.x + box.width() * middle(column, shape.columns),
          box.min.y + box.height() * middle(row, shape.rows)});
    frames(2);
  }
  // The disc of the curve's token lies there.
  float marker() {
    const Rect box = plot("token errors");
    return box.min.x + box.width() * static_cast<float>(at().token) / 3;
  }
};

}  // namespace

TEST_CASE("pointing at a number of S says what it was, what the token adds and what it is") {
  LinearLab lab;
  lab.play(3);
  CHECK(lab.shows("of 3 tokens"));
  CHECK(lab.shows("of 4 tokens"));
  CHECK(lab.find_text("token 3"));
  for (const char* id : {"before", "added", "after"}) {
    CAPTURE(id);
    lab.point_at(id, {1, 2, 2}, 0, 1);
    CHECK(lab.shows("S[0, 1] = 8 before token 3"));
    CHECK(lab.shows("φ(k)[0]·v[1] = 2 · 8 = 16"));
    CHECK(lab.shows("S[0, 1] = 24 after it"));
  }
  lab.point_at("z", {1, 2, 1}, 0, 0);
  CHECK(lab.shows("φ(k)[0] = 2"));
  CHECK(lab.shows("φ(q)[0] = 0"));
  CHECK(lab.shows("z[0] = 4"));
  lab.point_at("value", {1, 1, 2}, 0, 0);
  CHECK(lab.shows("v[0] = 7"));
  lab.point_at("read", {1, 1, 2}, 0, 1);
  CHECK(lab.shows("feature 1 of query 3"));
  CHECK(lab.shows("o 5"));
}

TEST_CASE("the token goes by keys, by its slider and along the curve") {
  LinearLab lab;
  lab.play(1);
  lab.type("]");
  lab.frames(2);
  CHECK(lab.at().token == 2);
  lab.type("[");
  lab.frames(2);
  lab.type("[");
  lab.frames(2);
  CHECK(lab.at().token == 0);
  lab.type("[");
  lab.frames(2);
  CHECK(lab.at().token == 0);
  CHECK(lab.shows("0 of 4"));
  lab.run("efficient.next_token");
  CHECK(lab.at().token == 1);

  const auto slider = lab.item("##efficient.token");
  REQUIRE(slider);
  lab.drag(centre(*slider), {slider->max.x, centre(*slider).y});
  CHECK(lab.at().token == 3);
  CHECK(lab.shows("3 of 4"));

  lab.drag({lab.plot("token errors").max.x - 1, centre(lab.plot("token errors")).y},
           {lab.in_plot("token errors", 0.5f, 0.5f).x, centre(lab.plot("token errors")).y});
  CHECK(lab.at().token >= 1);
  CHECK(lab.at().token <= 2);
  lab.click(lab.in_plot("token errors", 0.2f, 0.8f));
  CHECK(lab.at().token <= 1);
  CHECK(lab.steps() == 0);  // looking is no edit
}

TEST_CASE("a token behind the last one is the last, and steps go from there") {
  LinearLab lab;
  lab.play(43);
  CHECK(lab.shows("3 of 4"));
  CHECK(lab.shows("of 3 tokens"));
  lab.run("efficient.previous_token");
  CHECK(lab.at().token == 2);
}

TEST_CASE("a query whose features find nothing has a gap and a word, never a 0") {
  LinearLab lab;
  lab.play(2);
  CHECK(lab.find_text("z is 0: no output"));
  CHECK(lab.find_text("1 token has no output: a gap"));
  lab.point_at("read", {1, 1, 2}, 0, 0);
  CHECK(lab.shows("o nan"));
  lab.play(1);
  CHECK_FALSE(lab.find_text("z is 0: no output"));
}

TEST_CASE("other features are one step, and as many as they are") {
  LinearLab lab;
  CHECK(lab.shows("φ = ReLU"));
  CHECK(lab.shows("S, 2×2, and z, 2 numbers"));
  const Document before = lab.document();
  choose(lab, "efficient.features", "features");
  CHECK(lab.document().efficient.features == FeatureKind::random);
  CHECK(lab.shows("φ = 64 random features"));
  CHECK(lab.shows("S, 64×2, and z, 64 numbers"));
  check_undo(lab, before, "φ random");
  enter(lab, "##efficient.feature_count", "1024");
  CHECK(lab.shows("S, 1024×2"));
  CHECK(lab.document().efficient.feature_count == 1024);
  lab.run("efficient.features.elu");
  CHECK(lab.shows("φ = elu + 1"));
}

TEST_CASE("without a causal mask the same is played, and read after the last token") {
  Document document = four_tokens();
  document.layer().masks = {};
  LinearLab lab(document);
  lab.play(0);
  CHECK(lab.shows("not causal: o is read after the last token"));
  CHECK(lab.shows("of 0 tokens"));
  // Of query 0, φ(q) = (1 0): (20 24) ÷ 4.
  lab.point_at("read", {1, 1, 2}, 0, 1);
  CHECK(lab.shows("o 6"));
}

TEST_CASE("a key behind the padding adds nothing, and its query reads before it") {
  Document document = four_tokens();
  document.layer().masks.push_back({PaddingRule{{2}}});
  LinearLab lab(document);
  lab.play(3);
  CHECK(lab.find_text("no query sees it"));
  CHECK(lab.shows("query 3 reads after 2 tokens"));
  lab.point_at("after", {1, 2, 2}, 0, 1);
  CHECK(lab.shows("S[0, 1] = 2 before token 3"));
  CHECK(lab.shows("no query sees the token: S stays"));
}

TEST_CASE("queries that are fewer than keys stand at the last of them") {
  Document document = four_tokens();
  document.layer().q = Tensor({1, 2, 2}, {1, 1, 0, 1});
  LinearLab lab(document);
  lab.play(1);
  CHECK(lab.find_text("no query stands at token 1"));
  lab.play(2);
  // φ(q) = (1 1): (6 + 8, 8 + 10) ÷ 4.
  lab.point_at("read", {1, 1, 2}, 0, 0);
  CHECK(lab.shows("feature 0 of query 0"));
  CHECK(lab.shows("o 3.5"));
  lab.type("]");
  lab.frames(2);
  CHECK(lab.at().token == 3);
}

TEST_CASE("a query that sees no key has the output 0 and says why") {
  Document document = four_tokens();
  document.layer().masks.push_back({PaddingRule{{0}}});
  LinearLab lab(document);
  lab.play(0);
  CHECK(lab.find_text("no key left: 0"));
}

TEST_CASE("what linear attention cannot compute is said in words, and nothing is drawn") {
  for (const char* what : {"cap", "window", "bias"}) {
    CAPTURE(what);
    Document document = four_tokens();
    LayerSpec& layer = document.layer();
    if (what[0] == 'c') layer.soft_cap = 5;
    if (what[0] == 'w') layer.masks = {{WindowRule{1}}};
    if (what[0] == 'b') layer.bias = Tensor({1, 4, 4}, std::vector<float>(16, 1));
    LinearLab lab(document);
    CHECK(lab.shows("linear attention cannot compute this layer: "));
    CHECK(lab.shows(what));
    CHECK_FALSE(lab.item("linear/after"));
    CHECK_FALSE(lab.item("token errors/plot"));
    CHECK_FALSE(lab.find_text("recurrence − prefix sums"));
  }
}

TEST_CASE("the errors of the chosen road stand beside those of what is played") {
  LinearLab lab;
  lab.at().road = Road::strided;
  lab.frames(2);
  lab.settle();
  const Rect above{{lab.plot("token errors").min.x, lab.plot("token errors").min.y - 24},
                   lab.plot("token errors").max};
  CHECK(lab.text_in(above).find("strided") != std::string::npos);
  lab.at().road = Road::relu;  // which is played
  lab.frames(2);
  CHECK(lab.text_in(above).find("window") != std::string::npos);
  lab.run("efficient.features.elu");
  CHECK(lab.text_in(above).find("ReLU") != std::string::npos);
}

TEST_CASE("recurrence and prefix sums are held against each other among the checks") {
  LinearLab lab;
  CHECK(lab.find_text("recurrence − prefix sums"));
}

TEST_CASE("the device's output is held against the recurrence where its road is laid") {
  LinearLab lab;
  CHECK(lab.find_text("linear in float32, on the device"));
  Document document = four_tokens();
  document.efficient.roads = {Road::full, Road::window};
  CHECK_FALSE(LinearLab(document).find_text("linear in float32, on the device"));
}

TEST_CASE("at every size no words of it lie on others") {
  for (const auto& [size, scale] :
       {std::pair<ImVec2, float>{{1600, 1000}, 1}, {{1024, 1600}, 1}, {{3200, 2000}, 2}}) {
    for (const FeatureKind kind : {FeatureKind::elu_plus_one, FeatureKind::random}) {
      Document document = read_document("the-cat-sat-on-mat-causal");
      document.efficient.features = kind;
      LinearLab lab(document, size, scale);
      lab.move({1, 1});
      lab.frames(2);
      CAPTURE(size.x);
      check_words_apart(lab, make_layout(size, lab.theme(), lab.view().settings).canvas);
    }
  }
}
