// Measurements kept in a file: found again for what they are of, bounded, and never trusted.
#include "core/measure/measure_store.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/measure/measure_file.h"
#include "core/system/error.h"
#include "tests/app/scratch_folder.h"

using namespace attn;
using namespace attn::tests;

namespace {

Measured example(std::size_t points = 3) {
  Measured m;
  m.device = {"a device", "driver 1.2", "0.1"};
  m.operations_per_second = {{4e11, 3.9e11}};
  m.bytes_per_second = {{2e10}};
  for (std::size_t i = 0; i < points; ++i)
    m.points.push_back({"full", std::size_t{16} << i, 1e3 / 3, 1e4, {{1e-3 / 3, 2e-3}}});
  m.stages_n = 64;
  m.stages = {{"scores", "QKᵀ", 5e6, 7e5, {{1e-4, 3e-4}}}};
  m.not_measured = {{"flash", 0, "not measured: no kernel yet"}};
  m.state = MeasureState::done;
  return m;
}

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("measurements come back as they were kept to the last bit") {
  const ScratchFolder folder;
  const MeasureStore store(folder / "cache/attention-lab");
  std::string note;
  CHECK_FALSE(store.find(example().device, example().shape, note));
  CHECK(store.keep(example()).empty());
  const auto found = store.find(example().device, example().shape, note);
  REQUIRE(found);
  CHECK(*found == example());
  CHECK(note.empty());
}

TEST_CASE("measurements hold for one device driver program and shape") {
  const ScratchFolder folder;
  const MeasureStore store(folder / "kept");
  store.keep(example());
  std::string note;
  MeasuredDevice other = example().device;
  other.version = "driver 1.3";
  CHECK_FALSE(store.find(other, example().shape, note));
  other = example().device, other.program = "0.2";
  CHECK_FALSE(store.find(other, example().shape, note));
  other = example().device, other.name = "another";
  CHECK_FALSE(store.find(other, example().shape, note));
  MeasureShape shape = example().shape;
  shape.heads = 4;
  CHECK_FALSE(store.find(example().device, shape, note));
}

TEST_CASE("no more than a bound is kept and the oldest goes first") {
  const ScratchFolder folder;
  const MeasureStore store(folder / "kept");
  for (std::size_t i = 0; i < kMostMeasured + 3; ++i) {
    Measured m = example();
    m.device.name = "device " + std::to_string(i);
    CHECK(store.keep(m).empty());
  }
  CHECK(read_measured(text_of(store.file())).size() == kMostMeasured);
  std::string note;
  MeasuredDevice device = example().device;
  device.name = "device 2";
  CHECK_FALSE(store.find(device, example().shape, note));
  device.name = "device 3";
  CHECK(store.find(device, example().shape, note));
}

TEST_CASE("a measurement that was stopped does not take the place of one with more points") {
  const ScratchFolder folder;
  const MeasureStore store(folder / "kept");
  store.keep(example(5));
  Measured stopped = example(2);
  stopped.state = MeasureState::stopped;
  store.keep(stopped);
  std::string note;
  CHECK(store.find(example().device, example().shape, note)->points.size() == 5);
  Measured newer = example(5);
  newer.points[0].seconds.values = {7};
  store.keep(newer);
  CHECK(*store.find(example().device, example().shape, note) == newer);
}

TEST_CASE("a damaged file is left out with a note and replaced by the next measurement") {
  const ScratchFolder folder;
  const MeasureStore store(folder / "kept");
  store.keep(example());
  const std::string whole = text_of(store.file());
  for (std::size_t length = 0; length + 2 < whole.size(); length += 97) {
    std::ofstream(store.file(), std::ios::binary) << whole.substr(0, length);
    std::string note;
    CHECK_FALSE(store.find(example().device, example().shape, note));
    CHECK(note.find("measured.json") != std::string::npos);
  }
  CHECK(store.keep(example()).empty());
  std::string note;
  CHECK(store.find(example().device, example().shape, note));
  CHECK(note.empty());
}

TEST_CASE("numbers that nothing measured are damage") {
  const std::string whole = write_measured(std::vector{example()});
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  CHECK(read_measured(whole).size() == 1);
  CHECK_THROWS_AS(read_measured(with("0.002", "-1")), Error);
  CHECK_THROWS_AS(read_measured(with("0.002", "1e999")), Error);
  CHECK_THROWS_AS(read_measured(with("0.002", "null")), Error);
  CHECK_THROWS_AS(read_measured(with("\"n\": 16", "\"n\": -16")), Error);
  CHECK_THROWS_AS(read_measured(with("\"heads\": 8", "\"heads\": 0")), Error);
  CHECK_THROWS_AS(read_measured(with("\"heads\": 8", "\"heads\": 7")), Error);
  CHECK_THROWS_AS(read_measured(with("\"done\"", "\"dne\"")), Error);
  CHECK_THROWS_AS(read_measured(with("\"form\": 1", "\"form\": 2")), Error);
  CHECK_THROWS_AS(read_measured(with("\"subject\"", "\"object\"")), Error);
  CHECK_THROWS_AS(read_measured(std::string(2'000'000, '[')), Error);
  CHECK_THROWS_AS(read_measured(std::string(1'000'000, '[')), Error);
  CHECK_THROWS_AS(read_measured("{}"), Error);
  CHECK_THROWS_AS(read_measured("[]"), Error);
  CHECK_THROWS_AS(read_measured("null"), Error);
}

TEST_CASE("a folder that cannot be written is said and nothing is lost by it") {
  const ScratchFolder folder;
  std::ofstream(folder / "file") << "x";
  const std::string why = MeasureStore(folder / "file").keep(example());
  CHECK(why.find("the measurements are not kept: ") == 0);
  CHECK(MeasureStore().keep(example()).empty());
}
