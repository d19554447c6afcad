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

// What a command of step 30 saves, by the words that it says so with.
std::filesystem::path saved_at_30(TrainingLab& lab, const char* command, const std::string& says) {
  lab.at().at = 30;
  lab.rest();
  lab.run(command);
  const std::string said = lab.view().message;
  REQUIRE(said.starts_with(says));
  return said.substr(says.size());
}

std::vector<ParameterArray> arrays_at_30(const TrainedRun& run) {
  CHECK(run.log.nearest(30).state.step == 30);
  return parameter_arrays(parameters_of(run.spec->model, run.spec->task),
                          run.log.nearest(30).state.parameters);
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
  const std::filesystem::path path = saved_at_30(lab, "training.save_npz", "parameters saved: ");
  CHECK(path.filename() == "training-reverse-step-30.npz");
  const auto arrays = parse_npz<float>(read_file(path.string()));
  std::filesystem::remove(path);
  const std::vector<ParameterArray> expected = arrays_at_30(lab.a());
  CHECK(arrays.size() == expected.size());
  for (const ParameterArray& array : expected) {
    CAPTURE(array.name);
    REQUIRE(arrays.contains(array.name));
    CHECK(std::ranges::equal(arrays.at(array.name).values, array.numbers));
  }
}

TEST_CASE("the model of a step is saved as a folder, with what reads it elsewhere") {
  TrainingLab lab;
  const std::filesystem::path folder = saved_at_30(lab, "training.save_folder", "model saved: ");
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
  const std::vector<ParameterArray> expected = arrays_at_30(lab.a());
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
  const auto shown_map = [&] { return lab.app().memos().of<TrainingMemo>().last->maps.at(0); };
  lab.at().other = true;
  lab.rest();
  const Tensor of_b = shown_map();
  lab.at().other = false;
  lab.rest();
  const Tensor of_a = shown_map();
  lab.run("training.in_compare");
  CHECK(lab.view().workspace->name == "compare");
  CHECK(lab.view().message == "Compare now holds step 30 of run A, and step 30 of run B");
  CHECK(lab.view().layer.head == 1);
  const LayerSpec &a = lab.document().layer(), &b = lab.document().layer(kLayerB);
  CHECK(a.tokens == b.tokens);
  CHECK_FALSE(a.x == b.x);  // of B without positions
  lab.settle();
  CHECK_FALSE(of_a == of_b);
  for (const auto& [stage, shown] : {std::pair{"weights", of_a}, {"b.weights", of_b}}) {
    CAPTURE(stage);
    const Tensor weights = lab.results()->output(stage);
    REQUIRE(weights.shape() == shown.shape());
    for (std::size_t i = 0; i < shown.values().size(); ++i)
      CHECK(std::abs(weights.values()[i] - shown.values()[i]) < 1e-5f);
  }
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

TEST_CASE("a run that has not begun does not go to Compare, and nothing changes") {
  TrainingLab lab;
  lab.rest();
  lab.wait_for(*lab.runs().b, 30);
  const Document before = lab.document();
  lab.runs().b->log.snapshots.clear();
  lab.run("training.in_compare");
  CHECK(lab.view().message == "run B has not begun yet: press Space, and wait a moment");
  CHECK(lab.view().message_is_error);
  CHECK(lab.view().workspace->name == "training");
  CHECK(lab.document() == before);
}
