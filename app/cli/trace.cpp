// trace: every stage of a workspace, printed or written to an .npz as it is computed: what nothing reads any
// more is let go.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "app/cli/commands.h"
#include "app/program/input.h"
#include "app/words/refuse.h"
#include "app/words/table.h"
#include "app/words/watched_device.h"
#include "app/words/watched_run.h"
#include "app/workspaces/workspaces.h"
#include "core/document/layer_plan.h"
#include "core/evaluate/bands.h"
#include "core/evaluate/evaluator.h"
#include "core/evaluate/weigh.h"
#include "core/graph/cut_rows.h"
#include "core/io/stages_npz.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

// Of `graph`, the stages of these ids; all where none are named.
std::vector<bool> stages_of(const Graph& graph, const std::vector<std::string>& only) {
  std::vector<bool> wanted(only.empty() ? 0 : graph.stages.size());
  for (const std::string& id : only)
    if (const auto stage = graph.find(id)) wanted[*stage] = true;
  return wanted;
}

// Where the stages go as they are computed: a table of each, or an array.
class Output {
 public:
  Output(const Graph& graph, const std::string& path, std::vector<bool> wanted)
      : graph_(graph), wanted_(std::move(wanted)) {
    if (path.empty()) return;
    file_ = std::make_unique<FileWriter>(path);
    file_->check_room(stages_size(graph, wanted_));
    stages_ = std::make_unique<StagesWriter>(
        graph, [this](Bytes bytes) { file_->write(bytes); },
        RoomSink{.skip = [this](std::uint64_t bytes) { file_->skip(bytes); },
                 .write_at = [this](std::uint64_t at, Bytes bytes) { file_->write_at(at, bytes); }});
  }

  // Bytes of memory that it takes.
  std::uint64_t weight(const Graph& graph) const {
    return file_ && file_->in_memory() ? stages_size(graph, wanted_) : 0;
  }
  void add(StageIndex stage, const Tensor& output) {
    if (!wanted_.empty() && !wanted_[stage]) return;
    if (stages_)
      stages_->add(stage, output);
    else if (graph_.stages[stage].traced)
      print_stage(text_, graph_.stages[stage], output);
  }
  // Whether rows of a stage may come without ever being together: into a file.
  bool takes_bands() const { return stages_ != nullptr; }
  // Before the rows of the wanted stages come, each from the first to the last.
  void begin_rows() {
    if (stages_) stages_->leave_room(wanted_);
  }
  void add_rows(StageIndex stage, std::size_t first, const Tensor& rows) {
    if (stages_) return stages_->add_rows(stage, rows);
    const Shape& shape = graph_.stages[stage].shape;
    std::vector<float>& values = whole_[stage];
    values.resize(shape.size());
    put_rows(values, shape, first, rows);
  }
  void finish(Console& console) {
    for (auto& [stage, values] : whole_) add(stage, Tensor(graph_.stages[stage].shape, std::move(values)));
    console.out << text_.view();
    if (!stages_) return;
    stages_->finish();
    console.keep(std::move(file_));
  }

 private:
  const Graph& graph_;
  std::vector<bool> wanted_;  // empty: all
  std::ostringstream text_;
  std::unique_ptr<FileWriter> file_;
  std::unique_ptr<StagesWriter> stages_;
  std::map<StageIndex, std::vector<float>> whole_;  // of what comes by rows, to be printed
};

void check_memory(const Backend& backend, const Budget& budget, const Graph& graph,
                  const std::vector<bool>& needed, const Bands* bands, const Output& output) {
  const auto load_of = [&](const Graph& g) {
    Load load = weigh(g, needed, Retention::until_read, backend, budget, bands);
    load.file = output.weight(g);
    return load;
  };
  check_fits(load_of(graph), free_memory(), graph, load_of);
}

// What makes the wanted stages some rows at a time, so that nothing large is whole in memory; null: nothing
// does.
std::shared_ptr<const Bands> bands_to(const Graph& graph, const std::vector<bool>& needed,
                                      const std::vector<bool>& wanted, const Output& output,
                                      const Budget& budget) {
  if (wanted.empty()) return nullptr;
  const auto bands = bands_of(graph, needed, budget.most_kept());
  for (StageIndex i = 0; bands && !output.takes_bands() && i < wanted.size(); ++i)
    if (wanted[i] && bands->passing[i]) return nullptr;
  return bands;
}

void compute(Backend& backend, const Budget& budget, const Graph& graph, const std::vector<std::string>& only,
             Output& output, Console& console) {
  const std::vector<bool> needed = needed_stages(graph, only), wanted = stages_of(graph, only);
  const auto bands = bands_to(graph, needed, wanted, output, budget);
  check_memory(backend, budget, graph, needed, bands.get(), output);
  if (bands) {
    output.begin_rows();
    run_watched_by_bands(
        backend, graph, *bands, needed, wanted,
        [&](StageIndex i, std::size_t first, const Tensor& rows) { output.add_rows(i, first, rows); },
        console.err);
  } else {
    run_watched(
        backend, graph, needed, [&](StageIndex i, const Tensor& stage) { output.add(i, stage); },
        console.err);
  }
  output.finish(console);
}

bool has_all(const Graph& graph, const std::vector<std::string>& ids) {
  return std::ranges::all_of(ids, [&](const std::string& id) {
    const auto stage = graph.find(id);
    return stage && graph.stages[*stage].traced;
  });
}

void check_only(const Graph& graph, const std::vector<std::string>& only) {
  std::vector<std::string> words;
  std::string takes = "stages of this layer, separated by commas:";
  for (const Stage& stage : graph.stages)
    if (stage.traced) words.push_back(stage.id), takes += " " + stage.id;
  for (const std::string& id : only)
    if (std::ranges::find(words, id) == words.end()) refuse("--only", id, takes, words);
}

// "flash" or "flash:ROWS,KEYS"; none: another.
std::optional<FlashRequest> read_mechanism(const std::string& word) {
  if (word.empty() || word == "full") return std::nullopt;
  if (word == "flash") return FlashRequest{};
  constexpr std::string_view kTiled = "flash:";
  if (word.starts_with(kTiled)) {
    std::vector<std::size_t> sizes;
    for (const std::string& size : split(word.substr(kTiled.size()), ','))
      sizes.push_back(parse_number<std::size_t>(size).value_or(0));
    if (sizes.size() == 2 && sizes[0] > 0 && sizes[1] > 0)
      return FlashRequest{.tiles = FlashTiles{sizes[0], sizes[1]}};
  }
  refuse("--mechanism", word, "full, flash or flash:ROWS,KEYS", std::vector<std::string>{"full", "flash"});
}

// "I:J", from I up to but without J.
RowRange read_rows(const std::string& word, const Graph& graph) {
  std::vector<std::size_t> ends;
  for (const std::string& end : split(word, ':'))
    if (const auto number = parse_number<std::size_t>(end)) ends.push_back(*number);
  const std::size_t most = query_rows(graph);
  if (split(word, ':').size() != 2 || ends.size() != 2 || ends[0] >= ends[1] || ends[1] > most)
    refuse("--rows", word, "I:J with 0 ≤ I < J ≤ " + std::to_string(most) + ", the number of queries");
  return {ends[0], ends[1] - ends[0]};
}

struct Road {
  Graph graph;
  std::optional<FlashRequest> flash = {};
};

// Weights are made where something is asked for that is not there without them.
Road by_flash(const Document& document, FlashRequest request, const std::vector<std::string>& only) {
  Graph graph = build_flash_layer(document, request).graph;
  request.weights = !has_all(graph, only);
  if (request.weights) graph = build_flash_layer(document, request).graph;
  return {std::move(graph), request};
}

// By flash attention where that is asked for, or where what is asked for needs no scores and no weights.
Road road_of(const TraceRequest& request, const Workspace& workspace, const Document& document,
             const std::vector<std::string>& only) {
  const std::optional<FlashRequest> flash = read_mechanism(request.mechanism);
  const bool layer = workspace.build == build_layer;
  if (flash && !layer)
    throw Error(
        "--mechanism flash computes the Pipeline's layer, not the workspace " + std::string(workspace.title),
        Fault::option);
  if (flash) return by_flash(document, *flash, only);
  if (request.mechanism.empty() && request.rows.empty() && layer && !only.empty() &&
      document.overrides.empty() && flash_obstacle(document.layer()).empty())
    if (Road road = by_flash(document, {}, only); !road.flash->weights) return road;
  return {workspace.build(document, kLayerA).graph};
}

// "6, 12 or 24".
std::string one_of(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += (i == 0 ? "" : i + 1 == numbers.size() ? " or " : ", ") + std::to_string(numbers[i]);
  return text;
}

// By which tiles it goes, so that it can be done again to the last bit; those that the device lacks are
// refused.
void note_flash(const Backend& backend, const FlashRequest& request, std::vector<std::string>& notes) {
  const DeviceFacts facts = backend.facts();
  const FlashTileChoice& can = facts.flash_choice;
  const FlashTiles tiles = request.tiles.value_or(facts.flash_tiles);
  if (request.tiles && !can.has(tiles))
    throw Error("--mechanism flash:" + to_text(tiles) + ": " + backend.name() +
                    (can.rows.empty()
                         ? " has no tiles: use --mechanism flash"
                         : " takes tiles of " + one_of(can.rows) + " rows and " + one_of(can.keys) + " keys"),
                Fault::option);
  notes.push_back(std::string("by flash attention: no scores") + (request.weights ? "" : ", no weights"));
  if (!can.rows.empty()) notes.push_back("its tiles: --mechanism flash:" + to_text(tiles));
}

}  // namespace

void trace_stages(Backend& backend, const Budget& budget, const Graph& graph, const std::string& path,
                  Console& console, const std::vector<std::string>& only) {
  Output output(graph, path, stages_of(graph, only));
  compute(backend, budget, graph, only, output, console);
}

void trace(const TraceRequest& request, Console& console) {
  check_output(request.output, {request.input});
  const Workspace& workspace = read_workspace(request.workspace);
  FileNotes read;
  const Document document = open_document_in(
      workspace, request.input, [&](Document& given) { request.change(given.layer()); }, &read);
  const std::vector<std::string> only =
      request.only.empty() ? std::vector<std::string>() : split(request.only, ',');
  auto [graph, flash] = road_of(request, workspace, document, only);
  if (!request.rows.empty()) graph = cut_rows(graph, read_rows(request.rows, graph));
  if (graph.stages.empty())
    throw Error("the workspace " + std::string(workspace.title) +
                    " computes no stages that could be traced: attention-lab cost prints its counts",
                Fault::option);
  check_only(graph, only);
  const WatchedDevice device(request.device, request.output, console);
  // Refused before the devices are tested, which may take long.
  Output output(graph, request.output, stages_of(graph, only));

  Budget budget;
  std::vector<std::string> notes;
  if (!read.left_out.empty()) notes.push_back(request.input + ": " + read.left_out);
  const std::unique_ptr<Backend> backend = device.open(budget, notes);
  if (flash) note_flash(*backend, *flash, notes);
  print_lines(console.err, notes);
  compute(*backend, budget, graph, only, output, console);
}

}  // namespace attn
