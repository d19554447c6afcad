// From training to other workspaces and to files: what arrives there is what was trained.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/system/file.h"
#include "core/training/fields.h"
#include "tests/app/training_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::string text_in_file(const std::filesystem::path& path) {
  return std::string(as_text(read_file(path.string())));
}

}  // namespace

TEST_CASE("the model of a step goes to Stack, the pinned layer to the Pipeline, a step of undo each") {
  TrainingLab lab;
  const Document before = lab.document();
  lab.run("training.in_stack");
  CHECK(lab.view().workspace->name == "stack");
  CHECK_FALSE(lab.document().transformer == before.transformer);
  lab.undo();
  CHECK(lab.document() == before);
  lab.app().show(WorkspaceLab::workspace("training"));
  lab.rest();
  lab.run("training.in_pipeline");
  CHECK(lab.view().workspace->name == "pipeline");
  CHECK(lab.document().layer().x.rows() == 4);
  CHECK(lab.document().layer().x.columns() == 16);
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("the parameters of a step are saved by PyTorch’s names") {
  TrainingLab lab;
  lab.at().at = 30;
  lab.rest();
  lab.run("training.save_npz");
  const std::string said = lab.view().message, begin = "parameters saved: ";
  REQUIRE(said.starts_with(begin));
  const std::string path = said.substr(begin.size());
  CHECK(path.find("training-reverse-step-30") != std::string::npos);
  const std::vector<std::byte> bytes = read_file(path);
  std::filesystem::remove(path);
  const auto arrays = parse_npz<float>(bytes);
  const auto& snapshot =
      *std::ranges::find_if(lab.a().log.snapshots, [](const auto& each) { return each->state.step == 30; });
  const auto parameters = parameters_of(lab.a().spec->model, lab.a().spec->task);
  const auto expected = parameter_arrays(parameters, snapshot->state.parameters);
  CHECK(arrays.size() == expected.size());
  for (const ParameterArray& array : expected) {
    CAPTURE(array.name);
    REQUIRE(arrays.contains(array.name));
    CHECK(std::ranges::equal(arrays.at(array.name).values, array.numbers));
  }
}

TEST_CASE("the model of a step is saved as a folder, with what reads it elsewhere") {
  TrainingLab lab;
  lab.at().at = 30;
  lab.rest();
  lab.run("training.save_folder");
  const std::string said = lab.view().message, begin = "model saved: ";
  REQUIRE(said.starts_with(begin));
  const std::filesystem::path folder = said.substr(begin.size());
  CHECK(folder.filename() == "training-reverse-step-30");
  const auto config = nlohmann::json::parse(text_in_file(folder / "config.json"));
  const auto symbols = nlohmann::json::parse(text_in_file(folder / "vocab.json"));
  const std::vector<std::byte> file = read_file((folder / "model.safetensors").string());
  std::filesystem::remove_all(folder);
  CHECK(config.at("hidden_size") == 16);
  CHECK(config.at("num_hidden_layers") == 1);
  CHECK(config.at("num_attention_heads") == lab.settings().heads);
  CHECK(config.at("vocab_size") == symbols.size());
  CHECK(config.at("max_position_embeddings") == 4);
  CHECK(config.at("attention_lab").at("step") == 30);
  const auto expected = parameter_arrays(parameters_of(lab.a().spec->model, lab.a().spec->task),
                                         lab.a().log.nearest(30).state.parameters);
  CHECK(list_safetensors(pieces_of(file)).size() == expected.size());
  for (const ParameterArray& array : expected) {
    CAPTURE(array.name);
    const Array read = read_safetensor(pieces_of(file), array.name);
    CHECK(read.shape == array.shape);
    CHECK(std::ranges::equal(read.values, array.numbers));
  }
}

TEST_CASE("the pinned layer of both runs goes to Compare, at one step and over one row") {
  TrainingLab lab;
  const Document before = lab.document();
  lab.at().at = 30;
  lab.at().attention = 0, lab.at().head = 1;
  lab.rest();
  lab.wait_for(*lab.runs().b, 30);
  const Tensor map = lab.app().memos().of<TrainingMemo>().last->maps.at(0);
  lab.run("training.in_compare");
  CHECK(lab.view().workspace->name == "compare");
  CHECK(lab.view().message == "Compare now holds step 30 of run A, and step 30 of run B");
  CHECK(lab.view().layer.head == 1);
  const LayerSpec &a = lab.document().layer(), &b = lab.document().layer(kLayerB);
  CHECK(a.tokens == b.tokens);
  CHECK_FALSE(a.x == b.x);  // of B without positions
  lab.settle();
  const Tensor weights = lab.results()->output("weights");
  REQUIRE(weights.shape() == map.shape());
  for (std::size_t i = 0; i < map.values().size(); ++i)  // what Training showed of A
    CHECK(std::abs(weights.values()[i] - map.values()[i]) < 1e-5f);
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("a run alone does not go to Compare") {
  Document alone = small_training_document();
  alone.training.beside = RunDifference::none;
  TrainingLab lab(std::move(alone));
  lab.run("training.in_compare");
  CHECK(lab.view().message_is_error);
  CHECK(lab.view().workspace->name == "training");
}
