// The workspace of positions with odd documents, at three sizes and two scales: nothing asserts, and no word
// of the panels is cut off.
#include "app/frame/layout.h"
#include "app/workspaces/positions/view.h"
#include "core/io/session.h"
#include "tests/app/positions_lab.h"
#include "tests/app/workspace_lab.h"
#include "tests/sanitized.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct Odd {
  const char* name;
  PositionsSpec spec;
};

std::vector<Odd> odd_specs() {
  std::vector<Odd> all{{"as it begins", {}}};
  const auto add = [&](const char* name, const std::function<void(PositionsSpec&)>& change) {
    all.push_back({name, {}});
    change(all.back().spec);
  };
  add("length 1", [](PositionsSpec& s) { s.length = 1; });
  add("d = 2", [](PositionsSpec& s) { s.width = 2; });
  add("d = 1", [](PositionsSpec& s) { s.width = 1; });
  add("d = 512 and base 1", [](PositionsSpec& s) { s.width = 512, s.encodings[0] = Sinusoidal{1}; });
  add("base 1e9", [](PositionsSpec& s) { s.encodings[0] = Sinusoidal{1e9}; });
  add("no dimension and two tokens",
      [](PositionsSpec& s) { s.dimensions.clear(), s.tokens = 2, s.heads = 1; });
  add("64 tokens and heads", [](PositionsSpec& s) { s.tokens = s.heads = 64; });
  add("no row for the content", [](PositionsSpec& s) { s.trained = 1, s.shift = 100000; });
  for (std::size_t kind = 0; kind < std::variant_size_v<Position>; ++kind)
    add("another kind alone", [&](PositionsSpec& s) { s.encodings = {position_at(kind)}; });
  add("every kind", [](PositionsSpec& s) {
    for (std::size_t kind = 0; kind < std::variant_size_v<Position>; ++kind)
      if (!has_encoding(s, kind)) toggle_encoding(s, kind);
  });
  return all;
}

}  // namespace

TEST_CASE("every odd document of positions is drawn and its panels hold their words") {
  const std::size_t every = kSanitized ? 5 : 1;  // of the windows, six for each document
  std::size_t window = 0;
  for (const Odd& odd : odd_specs())
    for (const float scale : {1.0f, 2.0f}) {
      PositionsLab lab(odd.spec, {1600, 1000}, scale);
      for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1024, 640}, ImVec2{2560, 1440}}) {
        if (++window % every != 0) continue;
        INFO(odd.name, ", ", size.x, "×", size.y, ", scale ", scale);
        lab.resize(size);
        const auto results = lab.results();
        CHECK(results->plan == &PositionsLab::workspace());
        const Layout places = make_layout(size, make_theme(ThemeName::dark, scale, {}), lab.view().settings);
        check_whole(lab, places.controls, "the controls");
        if (places.inspector.width() >= scale * 225) check_whole(lab, places.inspector, "the inspector");
        for (const PositionsView::ScoreView shown : {PositionsView::scores, PositionsView::difference,
                                                     PositionsView::distance, PositionsView::weights}) {
          lab.view().of<PositionsView>().shown = shown;
          lab.frame();
        }
        for (int step = 0; step < 6; ++step) {
          lab.key(GLFW_KEY_RIGHT);
          lab.frame();
        }
        lab.key(GLFW_KEY_HOME);
      }
    }
}

TEST_CASE("the end of a learned table is a place without numbers and no row beyond it") {
  PositionsSpec spec;
  spec.encodings = {Learned{.seed = 7}};
  PositionsLab lab(spec);
  CHECK(lab.output("encoding").rows() == 48);
  CHECK(lab.shows("no row from position 48 on: the table ends"));
  lab.view().of<PositionsView>().p = 60;
  lab.frames(2);
  CHECK(lab.shows("Row 47"));
}

TEST_CASE("without an encoding there is no map and the canvas says what that means") {
  PositionsSpec spec;
  spec.encodings = {NoPosition()};
  PositionsLab lab(spec);
  CHECK_FALSE(lab.item("encoding/cells"));
  CHECK(lab.shows("no encoding"));
  CHECK(lab.shows("order makes no difference"));
}

TEST_CASE("what is looked at survives a change of workspace and the document its session") {
  PositionsLab lab;
  lab.click(lab.cell("encoding", 9, 12));
  lab.settle();
  lab.app().show(workspaces()[0]);
  lab.settle();
  lab.app().show(PositionsLab::workspace());
  lab.settle();
  CHECK(lab.at().p == 9);
  const Document read = parse_session(write_session(lab.document()));
  CHECK(read.positions == lab.spec());
  CHECK(read == lab.document());
}
