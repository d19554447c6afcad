// The recovery of large layers: their numbers lie in a folder of their own, each block once, and an edit
// writes what it changed.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <thread>

#include "app/host/headless.h"
#include "app/program/block_folder.h"
#include "app/program/input.h"
#include "app/program/start.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "core/transformer/made.h"
#include "tests/app/documents.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/slow_file.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t kBlock = std::size_t{1} << 18;  // numbers

Tensor large(std::size_t rows, std::size_t columns, float first) {
  std::vector<float> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<float>(i % 1000) / 1000;
  return {{1, rows, columns}, std::move(values)};
}

// One that can be computed: X of three blocks.
Document large_document() {
  Document document = new_document();
  document.layer().x = large(2 * kBlock / 512 + 1, 512, 1);
  document.layer().w_q = document.layer().w_k = document.layer().w_v = large(512, 2, 2);
  return document;
}

struct LargeState : ScratchFolder {
  Store window() const { return Store(*this / "config", *this / "state"); }
  std::string recovery() const { return *this / "state/recovery.json"; }
  std::set<std::string> blocks() const {
    std::set<std::string> names;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(*this / "state/recovery", none))
      names.insert(entry.path().filename());
    return names;
  }
};

// By the thread that writes, which is as fast as it is; no frame is drawn.
bool is_kept(Headless& lab) {
  for (int i = 0; i < 10'000'000 && !lab.app().remembered(); ++i) std::this_thread::yield();
  return lab.app().remembered().has_value();
}

// As a recovery and the next start do it.
Document there_and_back(const std::string& folder, const Document& document) {
  Document rest = document;
  const std::vector<StoredTensor> kept = BlockFolder(folder).take_out(rest);
  Document back = parse_session(write_session(rest));
  put_back(folder, kept, back);
  return back;
}

}  // namespace

TEST_CASE("an edit of a large layer writes the block that it changed and no more") {
  const LargeState state;
  Store window = state.window();
  Document document = large_document();
  window.save_recovery({document, "", true});
  CHECK(window.note().empty());
  const std::set<std::string> before = state.blocks();
  CHECK(before.size() == 3);  // of X; the projections are small
  CHECK(fs::file_size(state.recovery()) < 64 * 1024);
  std::map<std::string, fs::file_time_type> written;
  for (const std::string& name : before)
    written[name] = fs::last_write_time(state / ("state/recovery/" + name));
  document.layer().x = with_value(document.layer().x, {0, 0, 0}, 7);
  window.save_recovery({document, "", true});
  const std::set<std::string> after = state.blocks();
  CHECK(after.size() == 3);  // what nothing names is gone
  std::size_t the_same = 0;
  for (const auto& [name, time] : written)
    the_same += after.contains(name) && fs::last_write_time(state / ("state/recovery/" + name)) == time;
  CHECK(the_same == 2);
  CHECK(state.window().load_recovery()->document == document);
  window.save_recovery({warm(1), "", true});
  CHECK_FALSE(fs::exists(state / "state/recovery"));
}

TEST_CASE("large tensors of every part come back bit by bit") {
  const ScratchFolder folder;
  Document document = large_document();
  std::vector<float> odd(kBlock / 2, -0.0f);
  odd[1] = INFINITY;
  document.layer().memory = Tensor({2, 64, kBlock / 256}, odd);
  document.kernels.points = large(5000, 2, 1);
  CHECK(there_and_back(folder / "one", document) == document);
  constexpr Address kLayerC{2};
  document.layers = {document.layer(), document.layer(), document.layer()};
  document.layer(kLayerB).x = large(100, 100, 5);
  document.layer(kLayerC).x = {};
  CHECK(there_and_back(folder / "two", document) == document);
  document.layer().x = Tensor({1, 1, 2}, {1, 2});
  document.layer(kLayerC).x = document.layer(kLayerB).x;
  CHECK(there_and_back(folder / "three", document) == document);
}

TEST_CASE("the large matrices of a stack come back, and none is drawn to be compared with them") {
  const ScratchFolder folder;
  Document document = large_document();
  document.transformer.encoder.x = large(3, 64, 1);
  document.transformer = made_stack(document.transformer, {2, 4, 256}, 8);
  document.transformer.encoder.blocks[1].attention.heads = 2;
  CHECK(there_and_back(folder / "one", document) == document);
  Document rest = document;
  BlockFolder(folder / "one").take_out(rest);
  const std::string text = write_session(rest);
  CHECK(text.find("\"whole\": true") != text.npos);
  CHECK(text.size() < 64 * 1024);
  document.transformer.sides = StackSides::both;
  document.transformer.decoder.x = document.transformer.encoder.x;
  document.transformer.decoder.blocks.clear();
  document.transformer = made_stack(document.transformer, {2, 4, 0}, 8);
  CHECK(there_and_back(folder / "two", document) == document);
}

TEST_CASE("a large tensor that comes back is from the file that it was from") {
  const LargeState state;
  Document document = large_document();
  const Tensor x = document.layer().x;
  const auto origin = std::make_shared<const TensorOrigin>(TensorOrigin{"/data/layer.npz", "x", "0123"});
  document.layer().x = Tensor(x.shape(), {x.values().begin(), x.values().end()}, origin);
  state.window().save_recovery({document, "", true});
  const Tensor back = state.window().load_recovery()->document.layer().x;
  REQUIRE(back.origin());
  CHECK(back.origin()->file == origin->file);
  CHECK(back.origin()->array == origin->array);
  CHECK(back.origin()->digest == origin->digest);
}

TEST_CASE("a large recovery with a damaged block is set aside with all of its blocks") {
  for (const bool missing : {false, true}) {
    CAPTURE(missing);
    const LargeState state;
    state.window().save_recovery({large_document(), "", true});
    const std::string file = state / ("state/recovery/" + *state.blocks().begin());
    missing ? void(fs::remove(file)) : fs::resize_file(file, 16);
    const Application::Setup setup = start_setup("", state.window());
    CHECK(setup.document == read_document(kStartExample));
    CHECK(setup.trouble);
    CHECK_FALSE(fs::exists(state / "state/recovery"));
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(state / "state/unsaved"))
      files += entry.is_regular_file();
    CHECK(files == (missing ? 3 : 4));
  }
}

TEST_CASE("saved work whose blocks are missing or damaged is opened from its file") {
  for (const bool missing : {false, true}) {
    CAPTURE(missing);
    const LargeState state;
    const std::string file = state / "mine.json";
    write_file(file, write_session(large_document()));
    state.window().save_recovery({large_document(), file, false, "", *mark_of_file(file)});
    const std::string block = state / ("state/recovery/" + *state.blocks().begin());
    missing ? void(fs::remove(block)) : fs::resize_file(block, 16);
    const Recovery read = state.window().load_recovery().value();
    CHECK(read.document == large_document());
    CHECK(read.path == file);
    CHECK(read.mark == *mark_of_file(file));
    CHECK_FALSE(read.changed);
  }
}

TEST_CASE("a recovery whose window writes a newer one while it is read is read again") {
  const LargeState state;
  Store window = state.window();
  Document document = large_document();
  window.save_recovery({document, "", true});
  const std::string block = state / ("state/recovery/" + *state.blocks().begin());
  fs::remove(block);
  SlowFile slow(block);
  std::optional<Recovery> read;
  std::thread reader([&] { read = state.window().load_recovery(); });
  slow.write("x");  // it has read which blocks there are
  for (std::size_t row = 0; row < document.layer().x.rows(); row += 100)
    document.layer().x = with_value(document.layer().x, {0, row, 0}, 7);  // in every block
  window.save_recovery({document, "", true});
  slow.end();
  reader.join();
  REQUIRE(read);
  CHECK(read->document == document);
}

TEST_CASE("the blocks of a window that was set aside go with its recovery") {
  const LargeState state;
  state.window().save_recovery({large_document(), "", true});
  const Application::Setup setup = start_setup("three-tokens", state.window());
  CHECK_FALSE(fs::exists(state.recovery()));
  CHECK(state.blocks().empty());
  REQUIRE(setup.store.recent_files().size() == 1);
  CHECK(read_document(setup.store.recent_files()[0]) == large_document());
}

TEST_CASE("a file that was given is open again after a sudden end though nothing was edited") {
  const LargeState state;
  write_file(state / "mine.json", write_session(warm(2)));
  Headless lab(
      {.document = {}, .settings = Settings{}, .opened = start_setup(state / "mine.json", state.window())});
  REQUIRE(is_kept(lab));
  CHECK(state.window().load_recovery()->path == state / "mine.json");
  CHECK(state.window().load_recovery()->document == warm(2));
}

TEST_CASE("an edit is on its way to the disk before a frame is drawn or a device answers") {
  const LargeState state;
  Headless lab({.document = warm(1), .settings = Settings{}, .store = state.window()});
  lab.app().change(warm(2));
  REQUIRE(is_kept(lab));
  CHECK(state.window().load_recovery()->document == warm(2));
}

TEST_CASE("a large file is read when the window stands") {
  const LargeState state;
  write_file(state / "large.json", "{" + std::string(std::size_t{5} << 20, ' '));
  const Application::Setup setup = start_setup(state / "large.json", state.window());
  CHECK(setup.dropped == state / "large.json");
  CHECK(setup.document == read_document(kStartExample));
}
