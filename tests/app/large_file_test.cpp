// A large archive in the window: its numbers stay in the file, whatever becomes of that, and the session that
// is saved names them.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/program/input.h"
#include "core/document/edit.h"
#include "core/io/npz.h"
#include "core/system/file.h"
#include "tests/app/documents.h"
#include "tests/app/scratch_folder.h"
#include "tests/contains.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr std::size_t kWide = 2048;  // its square is 16 MiB

struct LargeFile : ScratchFolder {
  LargeFile() {
    const auto npy = [](const Tensor& t) { return write_npy(std::array{t.rows(), t.columns()}, t.values()); };
    const Tensor square = drawn({1, kWide, kWide}, 1), narrow = drawn({1, kWide, 2}, 2);
    write_file(archive, write_npz(std::vector<std::pair<std::string, std::vector<std::byte>>>{
                            {"x", npy(drawn({1, 2, kWide}, 3))},
                            {"w_q", npy(square)},
                            {"w_k", npy(square)},
                            {"w_v", npy(narrow)}}));
  }
  bool is_mapped() const {
    std::stringstream maps;
    maps << std::ifstream("/proc/self/maps").rdbuf();
    return contains(maps.str(), archive);
  }

  std::string archive = *this / "layer.npz", session = *this / "layer.json";
};

}  // namespace

TEST_CASE("a large archive stays in its file and the session that is saved names it") {
  const LargeFile file;
  Headless lab({.document = warm(1), .settings = Settings{}});
  lab.app().open(file.archive);
  lab.settle();
  lab.key(GLFW_KEY_ENTER);  // what it was understood as
  lab.settle();
  CHECK(file.is_mapped());
  const Document copied = read_document(file.archive);
  REQUIRE(lab.document() == copied);
  Document edited = copied;
  set_number(edited, "x", {0, 0, 0}, 3);
  lab.app().change(edited);
  lab.settle();
  CHECK(lab.app().save(file.session));
  CHECK(std::filesystem::file_size(file.session) < 1'000'000);
  CHECK(read_document(file.session) == edited);

  std::ofstream(file.archive) << "cut short";  // by a program that writes over it
  CHECK_FALSE(file.is_mapped());
  CHECK(lab.document() == edited);
  lab.app().open(file.session);
  lab.frames(2);
  CHECK(lab.view().message_is_error);
  CHECK(contains(lab.view().message, "layer.npz"));
  CHECK(lab.document() == edited);
}
