// Heads and Compare at every size, scale and theme, with documents of all kinds: no word is cut, elided or
// lies on another.
#include "core/document/edit.h"
#include "core/edits/edit.h"
#include "tests/app/compare_lab.h"
#include "tests/app/heads_lab.h"
#include "tests/app/odd_documents.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct Look {
  ImVec2 size;
  float scale;
  ThemeName theme;
};

std::vector<Look> looks() {
  std::vector<Look> all;
  for (const ThemeName theme : {ThemeName::dark, ThemeName::light, ThemeName::high_contrast})
    for (const auto& [size, scale] : {std::pair{ImVec2{1600, 1000}, 1.0f}, std::pair{ImVec2{1024, 640}, 1.0f},
                                      std::pair{ImVec2{2400, 1500}, 2.0f}})
      all.push_back({size, scale, theme});
  return all;
}

Settings settings_of(const Look& look) {
  Settings settings;
  settings.theme = look.theme;
  return settings;
}

// Labels of rows and columns are as long as their tokens, and elided where a matrix has no room for them; a
// number that has none is dots.
bool may_be_short(const Document& document, const std::string& text) {
  if (text == "…") return true;
  const std::string kept = text.substr(0, text.size() - std::string("…").size());
  const auto begins = [&](const std::string& token) { return token.starts_with(kept); };
  return std::ranges::any_of(document.layer().tokens, begins) ||
         std::ranges::any_of(compared_layer(document, kLayerB).tokens, begins);
}

void check_whole_words(WorkspaceLab& lab, Rect area) {
  for (const DrawnText& text : lab.texts())
    if (text.text.ends_with("…") && area.contains(centre(text.box)) &&
        !may_be_short(lab.document(), text.text))
      FAIL_CHECK("“" << text.text << "” is elided");
  for (const DrawnText& text : cut_texts(lab.draw_data(), area)) FAIL_CHECK("“" << text.text << "” is cut");
}

// From the top of the canvas to its end; what stays above while it scrolls is as long as the layers'
// differences.
void check_canvas(WorkspaceLab& lab, const Look& look, float stays) {
  const Layout places = check_words_fit(lab, look.size, look.scale);
  check_words_apart(lab, places.canvas);
  check_words_apart(lab, places.controls);
  check_words_apart(lab, places.inspector);
  Rect below = places.canvas;
  below.min.y += look.scale * stays;
  check_whole_words(lab, below);
  CanvasView& view = lab.view().canvas();
  for (float last = -1; view.scroll_y > last;) {
    last = view.scroll_y;
    view.scroll_y += places.canvas.height() * 0.8f;
    lab.frames(2);
    INFO("scrolled to ", view.scroll_y);
    check_words_apart(lab, below);
    check_whole_words(lab, below);
  }
}

// B is A with one weight of its own.
Document pinned_weight() {
  const Document a = read_document("the-cat-sat-on-mat-causal");
  Document document = with_compared(a, a);
  set_number(document, kComparePlan, "b.weights", {0, 2, 1}, 0.9f);
  return document;
}

Document four_layers() {
  Document document = read_document("the-cat-sat-on-mat-causal");
  for (int i = 0; i < 2; ++i) add_layer(document);  // the first copy of A has been B
  document.layers[1].temperature = 3, document.layers[2].masks.clear(), document.layers[3].soft_cap = 2;
  return document;
}

std::vector<NamedDocument> comparisons() {
  const Document causal = read_document("the-cat-sat-on-mat-causal");
  return {{"a layer with itself", causal},
          {"a weight of its own", pinned_weight()},
          {"two heads and one", with_compared(causal, read_document("the-cat-sat-on-mat-two-heads"))},
          {"other shapes", with_compared(causal, read_document("eight-heads"))},
          {"64 heads and two", with_compared(projected(6, 64, 64), projected(6, 64, 2))},
          {"three compared", four_layers()}};
}

}  // namespace

TEST_CASE("no word of the heads is cut or elided or lies on another at any size scale and theme" *
          doctest::test_suite("unsanitized")) {
  const std::vector<NamedDocument> documents{{"one head", read_document("the-cat-sat-on-mat")},
                                             {"two heads", read_document("the-cat-sat-on-mat-two-heads")},
                                             {"eight heads", read_document("eight-heads")},
                                             {"64 heads", projected(6, 64, 64)}};
  for (const NamedDocument& named : documents)
    for (const Look& look : looks()) {
      INFO(named.name, ", ", look.size.x, "×", look.size.y, ", theme ", static_cast<int>(look.theme));
      HeadsLab lab(named.document, look.size, look.scale, settings_of(look));
      check_canvas(lab, look, 0);
    }
}

TEST_CASE("no word of a comparison is cut or elided or lies on another at any size scale and theme" *
          doctest::test_suite("unsanitized")) {
  for (const NamedDocument& named : comparisons())
    for (const Look& look : looks()) {
      INFO(named.name, ", ", look.size.x, "×", look.size.y, ", theme ", static_cast<int>(look.theme));
      CompareLab lab(named.document, look.size, look.scale, settings_of(look));
      check_canvas(lab, look, 34);
      lab.view().pinned = Spot{"weights", {0, 2, 1}};
      lab.frames(3);
      check_words_fit(lab, look.size, look.scale);
      check_words_apart(lab, make_layout(look.size, lab.theme(), lab.view().settings).inspector);
    }
}
