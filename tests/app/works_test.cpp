// What one works on: the first example, a new document, and what a work is called by.
#include <doctest/doctest.h>

#include <GLFW/glfw3.h>

#include <cmath>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "app/program/start.h"
#include "core/io/npz.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/scratch_folder.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

// What was understood is looked at before it is opened.
void open_archive(Headless& lab, const std::string& path) {
  lab.app().open(path);
  REQUIRE(lab.view().overlays.preview.open);
  lab.frame();
  lab.key(GLFW_KEY_ENTER);
}

void write_archive(const std::string& path) {
  const std::vector<float> numbers{1, 0, 0, 1};
  const std::vector<std::size_t> shape{2, 2};
  const std::span<const float> piece = numbers;
  std::string bytes;
  NpzWriter writer(
      [&](Bytes part) { bytes.append(reinterpret_cast<const char*>(part.data()), part.size()); });
  for (const char* name : {"q", "k", "v"}) writer.add(name, shape, {&piece, 1});
  writer.finish();
  write_file(path, bytes);
}

}  // namespace

TEST_CASE("the first example has no temperature and no position and weights that can be read") {
  const Document document = read_document(kStartExample);
  CHECK(document.layer().temperature == 1);
  CHECK(document.layer().position == Position(NoPosition()));
  CHECK(document.layer().dropout == 0);
  CHECK(document.overrides.empty());
  const Tensor weights = evaluated(document).output("weights");
  for (std::size_t row = 1; row < weights.rows(); ++row)
    for (std::size_t column = 0; column <= row; ++column) {
      CAPTURE(row);
      CAPTURE(column);
      CHECK(weights[{0, row, column}] > 0.03f);
      CHECK(weights[{0, row, column}] < 0.8f);
    }
}

TEST_CASE("the numbers of the first example are the ones that its cells show") {
  const LayerSpec layer = read_document(kStartExample).layer();
  for (const Tensor& tensor : {layer.x, layer.w_q, layer.w_k, layer.w_v})
    for (const float v : tensor.values()) CHECK(v == static_cast<float>(std::round(v * 100.0) / 100));
}

TEST_CASE("a new document is two by two and nothing is asked") {
  Headless lab({.document = read_document(kStartExample)});
  lab.key(GLFW_KEY_N, {.control = true});
  const LayerSpec& layer = lab.document().layer();
  CHECK(layer.x.shape() == Shape{1, 2, 2});
  CHECK(layer.tokens.empty());
  CHECK(layer.masks.empty());
  CHECK(layer.temperature == 1);
  CHECK(layer.position == Position(NoPosition()));
  CHECK_FALSE(lab.view().overlays.files.open);
  CHECK(lab.app().title() == "untitled – Attention Lab");
  const Tensor weights = lab.results()->output("weights");
  CHECK(weights.shape() == Shape{1, 2, 2});
  // The scores are the identity: e^(1/√2) against 1.
  const double peak = std::exp(1 / std::sqrt(2.0));
  CHECK(weights[{0, 0, 0}] == doctest::Approx(peak / (peak + 1)).epsilon(1e-6));
  lab.key(GLFW_KEY_Z, {.control = true});
  CHECK(lab.document() == read_document(kStartExample));
}

TEST_CASE("a work made from an archive is called by it at the next start too") {
  const ScratchFolder folder;
  write_archive(folder / "layer.npz");
  {
    Headless lab(
        {.document = read_document(kStartExample), .store = Store(folder / "config", folder / "state")});
    open_archive(lab, folder / "layer.npz");
    lab.frame();
    lab.key(GLFW_KEY_Q, {.control = true});
  }
  CHECK(start_setup("", Store(folder / "config", folder / "state")).name == "layer.npz");
}

TEST_CASE("a work is called by the archive or the example that it was made from") {
  const ScratchFolder folder;
  write_archive(folder / "layer.npz");
  Headless lab({.document = read_document(kStartExample)});
  open_archive(lab, folder / "layer.npz");
  CHECK(lab.app().title() == "layer.npz – Attention Lab");
  lab.app().ask_for_file(true);
  CHECK(lab.view().overlays.files.name == "layer.attention.json");
  lab.app().open("three-tokens");
  CHECK(lab.app().title() == "three-tokens – Attention Lab");
  lab.app().undo();
  CHECK(lab.app().title() == "layer.npz – Attention Lab");
  lab.app().save(folder / "mine.json");
  CHECK(lab.app().title() == "mine.json – Attention Lab");
  CHECK(start_setup(folder / "layer.npz", {}).name == "layer.npz");
  CHECK(start_setup("", {}).name == kStartExample);
}

TEST_CASE("whether a file is saved back to is told by its content whatever it is called") {
  const ScratchFolder folder;
  write_archive(folder / "layer.json");
  write_file(folder / "mine", "\n " + write_session(read_document("three-tokens")));
  Headless lab({.document = read_document(kStartExample)});
  open_archive(lab, folder / "layer.json");
  CHECK(lab.app().path().empty());
  CHECK(lab.app().title() == "layer.json – Attention Lab");
  lab.app().open(folder / "mine");
  CHECK(lab.app().path() == folder / "mine");
  CHECK(start_setup(folder / "layer.json", {}).path.empty());
  CHECK(start_setup(folder / "mine", {}).path == folder / "mine");
}
