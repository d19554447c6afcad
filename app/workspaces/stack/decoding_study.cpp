// Decoding as a study behind the results: the document's tokens one by one, and what would be written on.
#include <algorithm>

#include "app/canvas/edits.h"
#include "app/workspaces/stack/decoding_scene.h"
#include "core/document/stack_edit.h"

namespace attn {
namespace {

constexpr std::size_t kWrittenWithoutTable = 16;  // symbols that G writes where no table of positions ends

// What a decoder starts from, taken out of results.
struct DecodingTask {
  std::shared_ptr<const StackSpec> stack;
  CrossRows cross;
  Tensor inputs, outputs;  // n×d; n×V
  std::size_t room = 0;

  Tensor input(std::size_t row) const {
    const auto values = inputs.values().subspan(row * inputs.columns(), inputs.columns());
    return {{1, 1, inputs.columns()}, std::vector<float>(values.begin(), values.end())};
  }
};

StageIndex decoding_output(const StackScene& scene) {
  return scene.places().logits.value_or(scene.places().decoder->output);
}

// Keys and values of a block's memory; none: it has no cross-attention, or that is off.
const LayerStages* crossing(const BlockStages& block) {
  const BoxStages* box = block.find(StackBox::cross);
  return box && box->layer ? &*box->layer : nullptr;
}

DecodingTask decoding_task(const StackScene& scene) {
  DecodingTask task{.stack = scene.stack, .cross = {}, .inputs = {}, .outputs = {}};
  const SideStages& side = *scene.places().decoder;
  for (const BlockStages& block : side.blocks) {
    const LayerStages* layer = crossing(block);
    task.cross.push_back(layer ? std::array{scene.numbers(layer->k), scene.numbers(layer->v)}
                               : std::array<Tensor, 2>());
  }
  task.inputs = scene.numbers(side.input), task.outputs = scene.numbers(decoding_output(scene));
  task.room = decoder_room(scene.spec());
  return task;
}

StudyStep<StackDecoded> replay_steps(DecodingTask task) {
  return [task = std::move(task), decoder = std::shared_ptr<StackDecoder>()](StackDecoded& found,
                                                                             Backend& backend) mutable {
    if (!decoder) decoder = std::make_shared<StackDecoder>(*task.stack, task.cross, task.room, backend);
    const std::size_t place = found.steps.size();
    found.steps.push_back(decoder->step(place, task.input(place)));
    found.apart.push_back(largest_difference(found.steps.back().output, task.outputs, place));
    return found.steps.size() == task.inputs.rows();
  };
}

// The document's tokens up to the step, then the likeliest behind each.
StudyStep<StackWritten> write_steps(DecodingTask task, std::size_t step, std::size_t room) {
  task.room = room;
  return [task = std::move(task), step, place = std::size_t{0}, decoder = std::shared_ptr<StackDecoder>()](
             StackWritten& found, Backend& backend) mutable {
    if (!decoder) decoder = std::make_shared<StackDecoder>(*task.stack, task.cross, task.room, backend);
    const Tensor row =
        place <= step ? task.input(place) : decoder->input_row(place, found.symbols[place - step - 1]);
    const DecodedStep made = decoder->step(place, row, StackDecoder::Reads::output);
    const auto logits = made.output.values();
    if (place >= step && place + 1 < task.room)
      found.symbols.push_back(static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin()));
    return ++place + 1 >= task.room;
  };
}

// Whether what was made of another document has the shapes of this one.
bool is_like(const DecodingScene& decoding, const StackDecoded& found) {
  if (found.steps.empty()) return false;
  const DecodedStep& step = found.steps.front();
  const Shape& output = decoding.scene.stage(decoding_output(decoding.scene)).shape;
  return step.rows.size() == decoding.side().blocks.size() && step.output.columns() == output.columns;
}

struct WritingKey {
  std::shared_ptr<const Results> results;
  std::size_t step;
  bool operator==(const WritingKey&) const = default;
};

// The heads of a row side by side, behind the others.
void add_heads(std::vector<float>& rows, const Tensor& row) {
  rows.insert(rows.end(), row.values().begin(), row.values().end());
}

void add_mean(std::vector<float>& rows, const Tensor& looks) {
  const std::size_t keys = looks.columns();
  for (std::size_t key = 0; key < keys; ++key) {
    double sum = 0;
    for (std::size_t head = 0; head < looks.stack(); ++head)
      sum += static_cast<double>(looks[{head, 0, key}]);
    rows.push_back(static_cast<float>(sum / static_cast<double>(looks.stack())));
  }
}

Tensor matrix_of_rows(std::vector<float> values, std::size_t rows) {
  if (values.empty() || rows == 0) return {};
  const Shape shape{1, rows, values.size() / rows};
  return {shape, std::move(values)};
}

}  // namespace

std::string decoding_refusal(const StackScene& scene) {
  std::string obstacle = decoding_obstacle(scene.spec());
  if (!obstacle.empty()) return obstacle;
  if (!scene.results.graph.overrides.empty())
    return "numbers are typed over, and a cache would not know them";
  const auto here = [&](StageIndex stage) { return scene.results.outputs[stage].here(); };
  const SideStages& side = *scene.places().decoder;
  bool all = here(side.input) && here(decoding_output(scene));
  for (const BlockStages& block : side.blocks)
    if (const LayerStages* layer = crossing(block)) all = all && here(layer->k) && here(layer->v);
  return all ? "" : "it has too many tokens to keep all of their rows here";
}

DecodingScene decoding_scene(StackScene& scene) {
  DecodingScene decoding{.scene = scene, .found = {}, .cost = DecodingCost(scene.spec())};
  decoding.tokens = token_count(decoding.side());
  decoding.room = decoder_room(scene.spec());
  decoding.step = std::min(scene.view().step, decoding.tokens - 1);
  decoding.layer = std::min(scene.view().layer, decoding.side().blocks.size() - 1);
  const auto study = scene.frame.studies.of<StackDecoded>("stack.decoding", scene.frame.engine.results,
                                                          [&] { return replay_steps(decoding_task(scene)); });
  if (!study.found || (study.stale && !is_like(decoding, *study.found))) return decoding;
  decoding.found = study.found, decoding.stale = study.stale;
  return decoding;
}

void follow_writing(const DecodingScene& decoding) {
  StackScene& scene = decoding.scene;
  StackView& view = scene.view();
  if (!view.writing) return;
  const std::size_t kept = decoding.step + 1;
  const bool ends = !scene.spec().position_table.empty();
  const std::size_t room = ends ? decoding.room : kept + kWrittenWithoutTable;
  if (!decoding.writes() || kept >= room) {
    view.writing = false;
    scene.frame.view.say(decoding.writes() ? "there is no position behind this step: go back to write on"
                         : decoding.side().ids.empty()
                             ? "rows of features have no next symbol: they are replayed"
                             : "its logits are not of its symbols: its tokens are replayed");
    return;
  }
  const auto study = scene.frame.studies.of<StackWritten>(
      "stack.writing", WritingKey{scene.frame.engine.results, decoding.step},
      [&] { return write_steps(decoding_task(scene), decoding.step, room); });
  if (!study.error.empty()) scene.frame.view.say(study.error, true);
  if (!study.error.empty()) view.writing = false;
  if (!study.done || study.stale || !study.found) return;
  view.writing = false;
  view.step = decoding.step + study.found->symbols.size();
  attempt(scene.frame, [&](LayerAt at) { write_on(own_stack(at.document), kept, study.found->symbols); });
}

const DecodingMaps& decoding_maps(const DecodingScene& decoding) {
  DecodingMaps& maps = decoding.scene.frame.memos.of<DecodingMaps>();
  if (maps.of == decoding.found && maps.step == decoding.step && maps.layer == decoding.layer) return maps;
  maps = {.of = decoding.found, .step = decoding.step, .layer = decoding.layer};
  std::vector<float> keys, values, looks;
  for (std::size_t row = 0; row <= decoding.step; ++row) {
    const auto& [key, value] = decoding.found->steps[row].rows[decoding.layer];
    if (!key.empty()) add_heads(keys, key), add_heads(values, value);
  }
  std::size_t layers = 0;
  for (const Tensor& layer : decoding.now().looks)
    if (!layer.empty()) add_mean(looks, layer), ++layers;
  maps.keys = matrix_of_rows(std::move(keys), decoding.step + 1);
  maps.values = matrix_of_rows(std::move(values), decoding.step + 1);
  maps.looks = matrix_of_rows(std::move(looks), layers);
  return maps;
}

}  // namespace attn
