// The controls and commands of the workspace of gradients besides its loss: the layer, what-ifs, what is
// shown, thresholds, keys, small windows.
#include "core/gradients/fields.h"
#include "tests/app/loss_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("causal and scale are chips of the layer, and a head is chosen") {
  LossLab lab;
  const Document before = lab.document();
  CHECK(lab.shows("0 of 1"));
  lab.press("gradients.causal");
  CHECK(lab.document().layer().masks.empty());
  check_undo(lab, before, "causal mask off");
  LossLab other;
  other.press("gradients.scale");
  CHECK(other.document().layer().scale.mode == ScaleMode::none);
  check_undo(other, before, "scale off");
  LossLab heads(read_document("the-cat-sat-on-mat-two-heads"));
  choose(heads, "gradients.head", "1 of 2");
  CHECK(heads.view().layer.head == 1);
}

TEST_CASE("every what-if is a chip and a command, and one step") {
  namespace f = gradients_field;
  const std::pair<const SwitchField&, bool GradientsSpec::*> all[]{
      {f::scale_off, &GradientsSpec::scale_off},
      {f::cold, &GradientsSpec::cold},
      {f::no_mask, &GradientsSpec::no_mask},
      {f::large_inputs, &GradientsSpec::large_inputs}};
  for (const auto& [field, on] : all) {
    const std::string name = "gradients." + std::string(field.text.key);
    CAPTURE(name);
    LossLab lab;
    const Document before = lab.document();
    lab.press(name);
    CHECK(lab.spec().*on);
    check_undo(lab, before, std::string(field.on).c_str());
    lab.run(name);
    CHECK_FALSE(lab.spec().*on);
  }
}

TEST_CASE("Compare opens the layer beside the first what-if") {
  LossLab lab;
  lab.press("gradients.cold");
  lab.press("gradients.large_inputs");
  CHECK(lab.shows("Compare, T = 0.1"));
  lab.press("gradients.compare");
  CHECK(lab.view().workspace->takes == ImportKind::layer);
  REQUIRE(lab.document().has(kLayerB));
  LayerSpec expected = lab.document().layer();
  expected.temperature = 0.1;
  CHECK(lab.document().layer(kLayerB) == expected);
}

TEST_CASE("without a what-if Compare takes the scale off") {
  LossLab lab;
  CHECK(lab.shows("Compare, scale off"));
  lab.press("gradients.compare");
  REQUIRE(lab.document().has(kLayerB));
  CHECK(lab.document().layer(kLayerB).scale.mode == ScaleMode::none);
}

TEST_CASE("what is shown is switched by chips, W and commands") {
  LossLab lab;
  const Document before = lab.document();
  const std::pair<const char*, bool GradientsView::*> all[]{{"weights", &GradientsView::weights},
                                                            {"numbers", &GradientsView::numbers},
                                                            {"logarithmic", &GradientsView::logarithmic},
                                                            {"own_range", &GradientsView::own_range}};
  for (const auto& [key, member] : all) {
    CAPTURE(key);
    const bool was = lab.at().*member;
    lab.press(std::string("gradients.") + key);
    CHECK(lab.at().*member != was);
    lab.run(std::string("gradients.") + key);
    CHECK(lab.at().*member == was);
  }
  lab.hit(GLFW_KEY_W);
  CHECK(lab.at().weights);
  CHECK(lab.document() == before);
  lab.press("gradients.times_number");
  check_undo(lab, before, "gradients times their numbers");
}

TEST_CASE("thresholds are typed, small ones as fractions") {
  LossLab lab;
  CHECK(lab.shows("1/20"));
  enter(lab, "##gradients.vanishing", "1/8");
  CHECK(lab.at().vanishing == 0.125);
  CHECK(lab.shows("1/8"));
  enter(lab, "##gradients.vanishing", "0.3");
  CHECK(lab.shows("0.3"));
  enter(lab, "##gradients.exploding", "100");
  CHECK(lab.at().exploding == 100);
  enter(lab, "##gradients.exploding", "0.5");
  CHECK(lab.at().exploding == 100);
  CHECK(lab.shows("it must be 1 or more"));
}

TEST_CASE("losses, targets and what-ifs are commands of the menu") {
  LossLab lab;
  for (const auto& word : gradients_field::loss.words) {
    lab.run("gradients.loss." + std::string(word.word));
    CHECK(lab.spec().loss == word.choice);
  }
  lab.run("gradients.target.same");
  CHECK(lab.spec().target == LossTarget::same);
}

TEST_CASE("the controls fit at every size, whatever the loss" * doctest::test_suite("unsanitized")) {
  struct {
    ImVec2 size;
    float scale;
  } const kWindows[]{{{1600, 1000}, 1}, {{1024, 640}, 1}, {{2400, 1500}, 2}};
  for (const auto& window : kWindows)
    for (const auto& word : gradients_field::loss.words) {
      CAPTURE(window.size.x);
      CAPTURE(word.word);
      Document document = read_document("the-cat-sat-on-mat-causal");
      document.gradients.loss = word.choice;
      document.gradients.scale_off = true;
      LossLab lab(document, window.size, window.scale);
      const Layout layout =
          make_layout(window.size, make_theme(ThemeName::dark, window.scale, {}), lab.view().settings);
      check_whole(lab, layout.controls, "the controls");
      check_words_apart(lab, layout.controls);
    }
}
