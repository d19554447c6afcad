// Pictures on request, drawn without a display: the file has the right size, carries the session and lies
// where the user's folders say.
#include <filesystem>

#include "app/host/capture.h"
#include "app/program/file_commands.h"
#include "app/theme/toolkit.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/picture_lab.h"
#include "tests/app/scratch_folder.h"
#include "tests/contains.h"
#include "tests/environment.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::uint32_t number_at(const std::string& png, std::size_t at) {
  return load_big<std::uint32_t>(read_file(png), at);
}
// Of the header chunk, which comes first.
std::uint32_t width_of(const std::string& png) {
  return number_at(png, 16);
}
std::uint32_t height_of(const std::string& png) {
  return number_at(png, 20);
}

}  // namespace

TEST_CASE("F12 saves a picture of the window that carries the session and says where") {
  const ScratchFolder folder;
  const Environment pictures("XDG_PICTURES_DIR", folder / "");
  Offscreen screen({.document = read_document("three-tokens"), .settings = Settings{}, .size = {1200, 800}});
  screen.lab().key(GLFW_KEY_F12);
  screen.lab().key(GLFW_KEY_F12);
  const std::string first = folder / "attention-lab-001.png", second = folder / "attention-lab-002.png";
  REQUIRE(std::filesystem::exists(first));
  REQUIRE(std::filesystem::exists(second));
  CHECK(width_of(first) == 1200);
  CHECK(height_of(first) == 800);
  CHECK(read_document(first) == screen.app().document());
  CHECK(screen.app().view().message.find("attention-lab-002.png") != std::string::npos);
  screen.lab().frame();
  CHECK_FALSE(std::filesystem::exists(folder / "attention-lab-003.png"));
}

TEST_CASE("Shift F12 saves the panel under the pointer") {
  const ScratchFolder folder;
  const Environment pictures("XDG_PICTURES_DIR", folder / "");
  Offscreen screen({.document = read_document("three-tokens"), .settings = Settings{}});
  screen.lab().move({1500, 500});  // the inspector
  screen.lab().key(GLFW_KEY_F12, {.shift = true});
  const std::string file = folder / "attention-lab-001.png";
  REQUIRE(std::filesystem::exists(file));
  CHECK(width_of(file) == static_cast<std::uint32_t>(Settings().inspector_width));
  CHECK(height_of(file) < 1000);
}

TEST_CASE("a picture has neither tooltip nor outline of what the pointer is on but what is pinned") {
  const ScratchFolder folder;
  const Environment pictures("XDG_PICTURES_DIR", folder / "");
  Offscreen screen({.document = read_document("three-tokens"), .settings = Settings{}, .size = {1200, 800}});
  Headless& lab = screen.lab();
  lab.view().timeless = true;
  const auto saved = [&](const char* name) {
    lab.key(GLFW_KEY_F12);
    return read_file(folder / name);
  };
  const auto cell = [&] { return centre(*lab.item("weights/cells")); };
  lab.click(cell());  // pinned
  REQUIRE(lab.view().pinned);
  lab.move({5, 795});
  lab.frame(1);
  lab.frames(3);
  const auto away = saved("attention-lab-001.png");
  const ImVec2 other{centre(*lab.item("q/cells")).x + 5, centre(*lab.item("q/cells")).y + 5};
  lab.move(other);
  lab.frame(1);
  lab.frames(3);
  REQUIRE(lab.view().hovered);
  const auto shown = write_png(screen.picture(), screen.app().session());
  const auto hovering = saved("attention-lab-002.png");
  CHECK((hovering == away));
  CHECK_FALSE((hovering == shown));
  CHECK(lab.view().pinned);
  lab.frames(3);
  CHECK(lab.view().hovered);  // the pointer is where it was
}

TEST_CASE("the menu of a matrix saves a picture of that matrix alone") {
  const ScratchFolder folder;
  const Environment pictures("XDG_PICTURES_DIR", folder / "");
  Offscreen screen({.document = read_document("three-tokens"), .settings = Settings{}});
  Headless& lab = screen.lab();
  const Rect cells = *lab.item("scores/cells");
  lab.click(centre(cells), 1);
  lab.frames(2);
  const auto entry = lab.find_text("Picture of this matrix");
  REQUIRE(entry);
  lab.click(centre(*entry));
  lab.frames(2);
  const std::string file = folder / "attention-lab-001.png";
  REQUIRE(std::filesystem::exists(file));
  CHECK(width_of(file) > cells.width());
  CHECK(width_of(file) < 2 * cells.width() + 100);
  CHECK(height_of(file) > cells.height() + 30);  // with the title and the labels
  CHECK(height_of(file) < cells.height() + 120);
  CHECK(read_document(file) == screen.app().document());
}

TEST_CASE("matrices, the window and panels are saved as SVG too, each with its session") {
  const ScratchFolder folder;
  const Environment pictures("XDG_PICTURES_DIR", folder / "");
  Offscreen screen({.document = read_document("three-tokens"), .settings = Settings{}});
  Headless& lab = screen.lab();
  const auto saved = [&](const char* name) { return std::string(as_text(read_file(folder / name))); };
  lab.click(centre(*lab.item("scores/cells")), 1);
  lab.frames(2);
  const auto entry = lab.find_text("Picture of this matrix as SVG");
  REQUIRE(entry);
  lab.click(centre(*entry));
  lab.frames(2);
  const std::string matrix = saved("attention-lab-001.svg");
  CHECK(contains(matrix, ">scores</text>"));
  CHECK_FALSE(contains(matrix, ">weights</text>"));
  CHECK_FALSE(contains(matrix, "Picture of this matrix"));
  const auto run = [&](const std::string& name) {
    std::vector<Command> table;
    file_commands(table, screen.app());
    const auto command = std::ranges::find(table, name, &Command::name);
    REQUIRE(command != table.end());
    screen.app().run(*command);
    lab.frames(2);
  };
  run("file.svg_picture");
  CHECK(contains(saved("attention-lab-002.svg"), ">Pipeline</text>"));
  lab.move({1500, 500});  // the inspector
  run("file.svg_panel_picture");
  CHECK_FALSE(contains(saved("attention-lab-003.svg"), ">Pipeline</text>"));
  CHECK(screen.app().view().message.find("attention-lab-003.svg") != std::string::npos);
  for (const char* name : {"attention-lab-001.svg", "attention-lab-003.svg"})
    CHECK(read_document(folder / name) == screen.app().document());
  lab.key(GLFW_KEY_F12);  // is of PNG as before
  CHECK(std::filesystem::exists(folder / "attention-lab-001.png"));
}

TEST_CASE("pictures go to the folder that the user has named for them") {
  const ScratchFolder home;
  std::filesystem::create_directories(home / ".config");
  std::filesystem::create_directories(home / "Bilder");
  write_file(home / ".config/user-dirs.dirs", std::string("# folders\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n"));
  const Environment unset("XDG_PICTURES_DIR", ""), config("XDG_CONFIG_HOME", ""), place("HOME", home / "");
  CHECK(std::filesystem::equivalent(pictures_folder(), home / "Bilder"));
  std::filesystem::remove(home / "Bilder");
  CHECK(std::filesystem::equivalent(pictures_folder(), std::filesystem::current_path()));
}

TEST_CASE("a picture that cannot be written is a sentence") {
  const Environment pictures("XDG_PICTURES_DIR", "/proc/self");
  Offscreen screen({.document = read_document("three-tokens"), .settings = Settings{}});
  screen.lab().key(GLFW_KEY_F12);
  CHECK(screen.app().view().message_is_error);
  CHECK(screen.app().view().message.find("/proc/self/attention-lab-001.png") != std::string::npos);
}
