// Points of files in the workspace of kernels: dropped, pasted, named at the start, refused.
#include <fstream>

#include "app/program/start.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/system/file.h"
#include "tests/app/kernels_lab.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Sizes = std::vector<std::size_t>;

std::string write_text(const TemporaryFolder& folder, const char* name, const std::string& text) {
  const std::string path = folder / name;
  std::ofstream(path) << text;
  return path;
}

void drop(KernelsLab& lab, const std::string& path) {
  lab.app().dropped({path});
  lab.app().wait_for_reading(std::chrono::seconds(10));
  lab.settle();
  lab.frames(2);
}

}  // namespace

TEST_CASE("a dropped table becomes the points of the open work") {
  const TemporaryFolder folder;
  const std::string path = write_text(folder, "points.csv", "x,y\n1,2\n3,4\n8,1\n");
  KernelsLab lab;
  const LayerSpec layer = lab.document().layer();
  const KernelsSpec before = lab.spec();
  drop(lab, path);
  CHECK(lab.spec().set == PointSet::own);
  CHECK(lab.spec().points == Tensor({1, 3, 2}, {1, 2, 3, 4, 8, 1}));
  CHECK(lab.spec().first == 1);
  CHECK(lab.spec().last == 8);
  CHECK(lab.document().layer() == layer);
  CHECK(lab.app().workspace().name == kKernelsPlan.name);
  lab.undo();
  CHECK(lab.spec() == before);
}

TEST_CASE("points of an npy and an npz are dropped like those of a table") {
  const TemporaryFolder folder;
  const std::string npy = folder / "points.npy", npz = folder / "points.npz";
  write_file(npy, std::span<const std::byte>(write_npy(Sizes{3, 2}, std::vector<float>{1, 2, 3, 4, 8, 1})));
  const std::vector<std::pair<std::string, std::vector<std::byte>>> members{
      {"x", write_npy(Sizes{2}, std::vector<float>{5, 6})},
      {"y", write_npy(Sizes{2}, std::vector<float>{-1, 1})}};
  write_file(npz, std::span<const std::byte>(write_npz(members)));
  KernelsLab lab;
  drop(lab, npy);
  CHECK(lab.spec().points == Tensor({1, 3, 2}, {1, 2, 3, 4, 8, 1}));
  drop(lab, npz);
  CHECK(lab.spec().points == Tensor({1, 2, 2}, {5, -1, 6, 1}));
  CHECK(lab.steps() == 2);
}

TEST_CASE("a window that is started with points shows them in the work of last time") {
  const ScratchFolder folder;
  const std::string path = folder / "points.csv";
  std::ofstream(path) << "1,2\n3,4\n8,1\n";
  Document last = read_document("three-tokens");
  last.layer().temperature = 2;
  Store(folder / "config", folder / "state").save_recovery({last, "", true});
  Headless lab({.document = {},
                .settings = Settings{},
                .opened = start_setup(path, Store(folder / "config", folder / "state"))});
  lab.app().wait_for_reading(std::chrono::seconds(10));
  lab.settle();
  lab.frames(2);
  CHECK(lab.app().workspace().name == kKernelsPlan.name);
  CHECK(lab.document().kernels.points == Tensor({1, 3, 2}, {1, 2, 3, 4, 8, 1}));
  CHECK(lab.document().layer() == last.layer());
  lab.key(GLFW_KEY_Z, {.control = true});
  CHECK(lab.document() == last);
}

TEST_CASE("a file with a number that is none is refused by its name and place") {
  const TemporaryFolder folder;
  const std::string path = write_text(folder, "broken.csv", "1,2\n3,nan\n5,6\n");
  KernelsLab lab;
  const KernelsSpec before = lab.spec();
  drop(lab, path);
  CHECK(lab.spec() == before);
  CHECK(lab.view().message_is_error);
  INFO(lab.view().message);
  CHECK(lab.view().message.find("broken.csv") != std::string::npos);
  CHECK(lab.view().message.find("column 1 of row 1, counted from 0 below any names, is not a number (NaN)") !=
        std::string::npos);
}

TEST_CASE("pasted rows become points and what is none is refused") {
  KernelsLab lab;
  lab.clipboard = "1\t2\n2\t5\n4\t3\n";
  lab.key(GLFW_KEY_V, {.control = true});
  lab.app().wait_for_reading(std::chrono::seconds(10));
  lab.settle();
  lab.frames(2);
  CHECK(lab.spec().points == Tensor({1, 3, 2}, {1, 2, 2, 5, 4, 3}));
  const KernelsSpec before = lab.spec();
  lab.clipboard = "no points at all";
  lab.key(GLFW_KEY_V, {.control = true});
  lab.app().wait_for_reading(std::chrono::seconds(10));
  lab.frames(2);
  CHECK(lab.spec() == before);
  CHECK(lab.view().message_is_error);
}

TEST_CASE("a session with no points opens and says how to begin") {
  KernelsSpec spec;
  spec.set = PointSet::own;
  KernelsLab lab(spec);
  CHECK(lab.app().engine_state().error.empty());
  CHECK(lab.shows("no points: click to add one"));
  CHECK(lab.shows("A click in the plot adds one"));
}
