// The menus of matrices and plots save their numbers.
#include <GLFW/glfw3.h>

#include <chrono>
#include <thread>

#include "app/program/input.h"
#include "core/io/npz.h"
#include "core/io/table_file.h"
#include "core/system/file.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/workspace_lab.h"
#include "tests/contains.h"
#include "tests/environment.h"

using namespace attn;
using namespace attn::tests;

namespace {

void choose_of(Headless& lab, const std::string& item, const std::string& text) {
  lab.view().message.clear();
  lab.click(centre(*lab.item(item)), 1);
  lab.frames(2);
  const auto entry = lab.find_text(text);
  REQUIRE(entry);
  lab.click(centre(*entry));
  lab.frames(2);
}

// They are written on another thread.
std::string said_of_saving(Headless& lab) {
  for (int i = 0; i < 500 && !contains(lab.view().message, "attention-lab-"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    lab.frame();
  }
  return lab.view().message;
}

std::string text_in_file(const std::string& path) {
  return std::string(as_text(read_file(path)));
}

}  // namespace

TEST_CASE("the menu of a matrix saves the numbers of the head that it shows as CSV and npz") {
  const ScratchFolder folder;
  const Environment pictures("XDG_PICTURES_DIR", folder / "");
  Headless lab({.document = read_document("the-cat-sat-on-mat-two-heads"), .settings = Settings{}});
  lab.view().layer.head = 1;
  lab.frames(2);
  choose_of(lab, "weights/cells", "Save its numbers as npz");
  CHECK(said_of_saving(lab) == "weights saved: " + folder / "attention-lab-001.npz");
  const Tensor weights = lab.results()->output("weights");
  const auto arrays = parse_npz<float>(read_file(folder / "attention-lab-001.npz"));
  REQUIRE(arrays.size() == 1);
  const Array& array = arrays.at("weights");
  CHECK(array.shape == std::vector<std::size_t>{weights.rows(), weights.columns()});
  CHECK(std::ranges::equal(array.numbers(), weights.values().subspan(weights.rows() * weights.columns())));
  choose_of(lab, "weights/cells", "Save its numbers as CSV");
  CHECK(contains(said_of_saving(lab), "attention-lab-001.csv"));
  const TableFile table = parse_table_file(text_in_file(folder / "attention-lab-001.csv"));
  CHECK(table.rows == lab.document().layer().tokens);
  CHECK(table.columns == lab.document().layer().tokens);
  CHECK(std::ranges::equal(table.matrix.numbers(), array.numbers()));
}

TEST_CASE("the menu of a plot saves the numbers that it copies") {
  const ScratchFolder folder;
  const Environment pictures("XDG_PICTURES_DIR", folder / "");
  WorkspaceLab lab("cost", {.document = read_document("three-tokens"), .settings = Settings{}});
  lab.frames(2);
  choose_of(lab, "memory/plot", "Copy the data");
  std::string copied = lab.clipboard;
  std::ranges::replace(copied, '\t', ',');
  choose_of(lab, "memory/plot", "Save the numbers as CSV");
  CHECK(contains(said_of_saving(lab), "attention-lab-001.csv"));
  CHECK(text_in_file(folder / "attention-lab-001.csv") == copied);
  CHECK(std::ranges::count(copied, '\n') > 5);
  choose_of(lab, "memory/plot", "Save the numbers as npz");
  CHECK(contains(said_of_saving(lab), "attention-lab-001.npz"));
  const auto arrays = parse_npz<double>(read_file(folder / "attention-lab-001.npz"));
  const std::string heads = copied.substr(0, copied.find('\n'));
  CHECK(arrays.size() == static_cast<std::size_t>(std::ranges::count(heads, ',')) + 1);
}

TEST_CASE("numbers that cannot be written are a sentence") {
  const Environment pictures("XDG_PICTURES_DIR", "/proc/self");
  Headless lab({.document = read_document("three-tokens"), .settings = Settings{}});
  choose_of(lab, "weights/cells", "Save its numbers as CSV");
  CHECK(contains(said_of_saving(lab), "/proc/self/attention-lab-001.csv"));
  CHECK(lab.view().message_is_error);
}
