// Settings, recent files and work set aside come back; damage and missing folders are survived and told.
#include "app/program/store.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "app/program/start.h"
#include "tests/app/scratch_folder.h"
#include "tests/environment.h"

using namespace attn;
using namespace attn::tests;

namespace {

void write_text(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("settings come back as they were saved") {
  const ScratchFolder folder;
  Settings settings;
  settings.theme = ThemeName::high_contrast;
  settings.weight_colours = WeightColours::cividis;
  settings.ui_scale = 1.5f;
  settings.reduce_motion = settings.show_history = true;
  settings.controls_width = 300;
  settings.device = "reference";
  settings.language = "de";
  settings.sections.all = true;
  settings.sections.left = {{"heads", {{"Map", false}, {"Alike", true}}}, {"pipeline", {{"Scores", false}}}};
  Store(folder / "config", folder / "state").save_settings(settings);
  CHECK(Store(folder / "config", folder / "state").load_settings() == settings);
}

TEST_CASE("every range of the colours of weights comes back as it was saved") {
  const ScratchFolder folder;
  const auto loaded = [&] { return Store(folder / "config", folder / "state").load_settings().weight_range; };
  for (const auto& [range, word] :
       {std::pair(WeightRange::own, "own"), std::pair(WeightRange::shared, "shared"),
        std::pair(WeightRange::one, "one")}) {
    Settings settings;
    settings.weight_range = range;
    Store(folder / "config", folder / "state").save_settings(settings);
    CHECK(nlohmann::json::parse(std::ifstream(folder / "config/settings.json"))["weight_range"] == word);
    CHECK(loaded() == range);
  }
  write_text(folder / "config/settings.json", R"({"weight_range": "plaid"})");
  CHECK(loaded() == Settings().weight_range);
}

TEST_CASE("damaged settings are defaults and absurd ones are brought into range") {
  const ScratchFolder folder;
  write_text(folder / "config/settings.json", "{\"theme\": \"light\", \"ui_scale\": ");
  CHECK(Store(folder / "config", folder / "state").load_settings() == Settings());
  write_text(
      folder / "config/settings.json",
      R"({"theme": "plaid", "ui_scale": 1e9, "controls_width": "wide", "device": 7, "reduce_motion": true})");
  const Settings read = Store(folder / "config", folder / "state").load_settings();
  CHECK(read.theme == ThemeName::dark);
  CHECK(read.ui_scale == 3);
  CHECK(read.controls_width == Settings().controls_width);
  CHECK(read.device == "auto");
  CHECK(read.reduce_motion);
}

TEST_CASE("of damaged sections those that say open or closed are read") {
  const ScratchFolder folder;
  const auto read = [&](const char* sections) {
    write_text(folder / "config/settings.json", std::string(R"({"sections": )") + sections + "}");
    return Store(folder / "config", folder / "state").load_settings().sections;
  };
  for (const char* none : {"7", "[]", R"({"all": 1})", R"({"left": "x"})", R"({"left": {"heads": 1}})",
                           R"({"left": true})", R"({"left": {"heads": true}})"})
    CHECK(read(none) == OpenSections());
  const OpenSections some = read(R"({"all": true, "left": {"heads": {"Map": false, "Alike": 1}, "x": []}})");
  CHECK(some.all);
  CHECK(some.left == decltype(some.left){{"heads", {{"Map", false}}}});
}

TEST_CASE("recent files are newest first without doubles and without files that are gone") {
  const ScratchFolder folder;
  for (const char* name : {"a.json", "b.json", "c.json"}) write_text(folder / name, "{}");
  {
    Store store(folder / "config", folder / "state");
    for (const char* name : {"a.json", "b.json", "c.json", "a.json"}) store.add_recent_file(folder / name);
    CHECK(store.recent_files() ==
          std::vector<std::string>{folder / "a.json", folder / "c.json", folder / "b.json"});
  }
  std::filesystem::remove(folder / "c.json");
  CHECK(Store(folder / "config", folder / "state").recent_files() ==
        std::vector<std::string>{folder / "a.json", folder / "b.json"});
}

TEST_CASE("starting with a file keeps the unsaved work of the last time") {
  const ScratchFolder folder;
  Document document = read_document("three-tokens");
  document.layer().temperature = 0.25;
  Store(folder / "config", folder / "state").save_recovery({document, "/somewhere/mine.json", true});
  const Application::Setup setup =
      start_setup("the-cat-sat-on-mat", Store(folder / "config", folder / "state"));
  CHECK(setup.document == read_document("the-cat-sat-on-mat"));
  CHECK(!setup.changed);
  REQUIRE(setup.store.recent_files().size() == 1);
  const std::string kept = setup.store.recent_files()[0];
  CHECK(std::filesystem::path(kept).filename().string().starts_with("mine, unsaved 20"));
  const Application::Setup again = start_setup(kept, Store(folder / "config", folder / "state"));
  CHECK(again.document == document);
  CHECK(again.path.empty());
  CHECK(again.changed);
}

TEST_CASE("work set aside is kept for as long as it is among the recent files") {
  const ScratchFolder folder;
  Store store(folder / "config", folder / "state");
  Document document = read_document("three-tokens");
  CHECK(!store.set_aside({document, "", false}));
  for (int i = 0; i < 12; ++i) {
    document.layer().temperature = i;
    CHECK(store.set_aside({document, "", true}));
  }
  std::vector<double> temperatures;
  for (const std::string& file : store.recent_files())
    temperatures.push_back(read_document(file).layer().temperature);
  CHECK(temperatures == std::vector<double>{11, 10, 9, 8, 7, 6, 5, 4, 3, 2});
  const std::filesystem::directory_iterator files(folder / "state/unsaved");
  CHECK(std::distance(begin(files), end(files)) == 10);
}

TEST_CASE("work from a file with the longest name there is can be set aside") {
  const ScratchFolder folder;
  Document document = read_document("three-tokens");
  document.layer().temperature = 0.25;
  for (const std::string& letters : {std::string(235, 'x'), std::string(250, 'x'), [] {
                                       std::string umlauts;
                                       while (umlauts.size() < 250) umlauts += "\u00e4";
                                       return umlauts;
                                     }()}) {
    Store store(folder / "config", folder / "state");
    document.layer().temperature += 1;
    CHECK(store.set_aside({document, folder / (letters + ".json"), true}));
    CHECK(read_document(store.recent_files().at(0)) == document);
    const std::string kept = std::filesystem::path(store.recent_files()[0]).filename().string();
    CHECK(nlohmann::json(kept).dump().size() > 100);  // throws where a character was cut
  }
}

TEST_CASE("a file that another window has opened stays among the recent ones") {
  const ScratchFolder folder;
  for (const char* name : {"a.json", "b.json"}) write_text(folder / name, "{}");
  Store one(folder / "config", folder / "state"), other(folder / "config", folder / "state");
  other.add_recent_file(folder / "a.json");
  one.add_recent_file(folder / "b.json");
  CHECK(Store(folder / "config", folder / "state").recent_files() ==
        std::vector<std::string>{folder / "b.json", folder / "a.json"});
}

TEST_CASE("a state folder that cannot be made is told and stops nothing") {
  const ScratchFolder folder;
  write_text(folder / "file", "in the way");
  Store store(folder / "file/config", folder / "file/state");
  store.save_settings({});
  store.add_recent_file(folder / "file");
  CHECK(store.note().find("cannot make the folder") != std::string::npos);
  CHECK(store.recent_files().size() == 1);
}

TEST_CASE("without a home folder there is a note from the start") {
  const Environment home("HOME", ""), state("XDG_STATE_HOME", "relative"), config("XDG_CONFIG_HOME", "");
  Store store = Store::from_environment();
  CHECK(store.note().find("home") != std::string::npos);
  store.save_recovery({read_document("three-tokens"), "", true});
  CHECK(store.note().find("home") != std::string::npos);
}

TEST_CASE("what is remembered is readable by its owner only") {
  const ScratchFolder folder;
  const Recovery work{read_document("three-tokens"), "", true};
  write_text(folder / "state/recovery.json", write_recovery(work));
  std::filesystem::permissions(folder / "state/recovery.json", static_cast<std::filesystem::perms>(0644));
  Store store(folder / "config", folder / "state");
  store.save_settings({});
  const RecoveredWork left = store.take_recovered_work(true);
  REQUIRE(left.work);
  store.take_over(left);
  store.save_recovery(work);
  CHECK(store.set_aside(work));
  const Store other(folder / "new/config", folder / "new/state");
  Store(other).save_recovery(work);
  Headless lab({.document = work.document});
  lab.app().save(folder / "mine.json");
  const auto mode = [](const std::string& path) {
    return static_cast<unsigned>(std::filesystem::status(path).permissions());
  };
  CHECK(mode(folder / "config/settings.json") == 0600);
  CHECK(mode(folder / "state/recovery.json") == 0600);
  CHECK(mode(store.recent_files().at(0)) == 0600);
  CHECK(mode(folder / "new/state") == 0700);
  CHECK(mode(folder / "new/state/recovery.json") == 0600);
  CHECK(mode(folder / "mine.json") == 0600);
}

TEST_CASE("files that are opened leave the work that was set aside where it is") {
  const ScratchFolder folder;
  Store store(folder / "config", folder / "state");
  const Recovery work{read_document("three-tokens"), "", true};
  CHECK(store.set_aside(work));
  const std::string kept = store.recent_files().at(0);
  for (int i = 0; i < 12; ++i) {
    const std::string file = folder / (std::to_string(i) + ".json");
    write_text(file, "{}");
    store.add_recent_file(file);
  }
  CHECK(store.recent_files().size() == 11);
  CHECK(store.recent_files().back() == kept);
  CHECK(Store(folder / "config", folder / "state").recent_files() == store.recent_files());
  CHECK(read_document(kept) == work.document);
}

TEST_CASE("the oldest work that was set aside is still there when it is opened over unsaved work") {
  const ScratchFolder folder;
  Store store(folder / "config", folder / "state");
  Document document = read_document("three-tokens");
  for (int i = 0; i < 10; ++i) {
    document.layer().temperature = 1 + i;
    CHECK(store.set_aside({document, "", true}));
  }
  const std::string oldest = store.recent_files().back();
  Headless lab({.document = read_document("three-tokens"), .settings = Settings{}, .store = store});
  document.layer().temperature = 20;
  lab.app().change(document);
  lab.app().open(oldest);
  CHECK(lab.document().layer().temperature == 1);
  CHECK(lab.app().store().recent_files().front() == oldest);
  CHECK(std::filesystem::exists(oldest));
}
