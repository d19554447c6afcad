// compare: two layers stage by stage, or a layer and the numbers that another program made of it.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/numbers.h"
#include "app/cli/refuse.h"
#include "app/cli/table.h"
#include "app/cli/watched_device.h"
#include "app/cli/watched_run.h"
#include "app/input.h"
#include "app/workspaces/workspaces.h"
#include "core/array_difference.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/io/stages_npz.h"
#include "core/weigh.h"

namespace attn {
namespace {

// A stage that was computed, or an array of a file.
struct Numbers {
  std::string id;
  Array array;
};

// One of the two: a layer, or arrays that bear the names of computed stages.
struct Side {
  std::string input;
  std::optional<Document> layer;
  std::vector<Numbers> stages;
};

// What a layer computes in any case. A file that has one of them holds results, whatever else is in it.
bool holds_results(const std::map<std::string, Array>& arrays) {
  constexpr std::array kComputed{"scores", "scaled", "masked", "weights", "head_output", "concat", "output"};
  return std::ranges::any_of(kComputed, [&](const char* id) { return arrays.contains(id); });
}

std::optional<std::vector<Numbers>> read_results(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  const std::vector<std::byte> bytes = read_file(path);
  if (bytes.size() < 2 || bytes[0] != std::byte{'P'} || bytes[1] != std::byte{'K'}) return std::nullopt;
  try {
    auto arrays = parse_npz<float>(bytes);
    if (!holds_results(arrays)) return std::nullopt;
    std::vector<Numbers> stages;
    for (auto& [id, array] : arrays) stages.push_back({id, std::move(array)});
    return stages;
  } catch (const Error& error) {
    throw Error(path + ": " + error.what(), Fault::input);
  }
}

Side read_side(const Workspace& workspace, const std::string& input, const LayerChange& change) {
  Side side{.input = input, .layer = {}, .stages = {}};
  if (auto stages = read_results(input))
    side.stages = std::move(*stages);
  else
    side.layer = open_document_in(workspace, input, [&](Document& given) {
      if (change) change(given.layer);
    });
  return side;
}

// Both sides' stages stay until they are compared.
void check_memory(const Backend& backend, const Budget& budget, const Graph& graph, std::uint64_t kept) {
  const auto load_of = [&](const Graph& g) {
    Load load = weigh(g, {}, Keeping::until_read, backend, budget);
    load.results += kept + stages_size(g);
    return load;
  };
  check_fits(load_of(graph), free_memory(), graph, load_of);
}

std::uint64_t bytes_of(const Side& side) {
  std::uint64_t bytes = 0;
  for (const Numbers& stage : side.stages) bytes += stage.array.values.size() * sizeof(float);
  return bytes;
}

void compute(Backend& backend, const Budget& budget, const Workspace& workspace, Side& side,
             std::uint64_t kept, std::ostream& err) {
  if (!side.layer) return;
  const Graph graph = workspace.build(*side.layer);
  check_memory(backend, budget, graph, kept);
  run_watched(
      backend, graph,
      [&](StageIndex i, const Tensor& output) {
        if (!graph.stages[i].traced || output.empty()) return;
        const StageArray array = stage_array(graph, i, output);
        Numbers numbers{graph.stages[i].id, {array.shape, {}}};
        for (const auto& piece : array.pieces)
          numbers.array.values.insert(numbers.array.values.end(), piece.begin(), piece.end());
        side.stages.push_back(std::move(numbers));
      },
      err);
}

// Leading axes of 1 say nothing.
std::vector<std::size_t> essential(std::vector<std::size_t> shape) {
  while (shape.size() > 2 && shape.front() == 1) shape.erase(shape.begin());
  return shape;
}

// "1, 3, 0": an index for each axis.
std::string place(const std::vector<std::size_t>& shape, std::size_t at) {
  std::string text;
  for (std::size_t axis = shape.size(), rest = at; axis-- > 0; rest /= shape[axis])
    text = std::to_string(rest % shape[axis]) + (text.empty() ? "" : ", " + text);
  return text;
}

struct Verdict {
  std::vector<std::vector<std::string>> rows{
      {"stage", "shape", "largest |B − A|", "at", "A", "B", "mean", "beyond"}};
  std::optional<std::string> first;  // the first stage that differs, and how
  std::vector<std::string> notes;
};

const Numbers* find(const Side& side, const std::string& id) {
  const auto found = std::ranges::find(side.stages, id, &Numbers::id);
  return found == side.stages.end() ? nullptr : &*found;
}

void compare_stage(const Numbers& a, const Numbers& b, std::optional<double> tolerance, Verdict& verdict) {
  const auto shape = essential(a.array.shape);
  if (shape != essential(b.array.shape)) {
    const std::string shapes = shape_text(a.array.shape) + " and " + shape_text(b.array.shape);
    verdict.rows.push_back({a.id, shapes, "–", "–", "–", "–", "–", "–"});
    if (!verdict.first) verdict.first = a.id + ": its shapes are " + shapes;
    return;
  }
  const ArrayDifference off = difference(a.array.values, b.array.values, tolerance);
  const auto number = [&](const Numbers& numbers) {
    return off.largest == 0 ? "–" : short_number(numbers.array.values[off.at]);
  };
  verdict.rows.push_back({a.id, shape_text(a.array.shape), short_number(static_cast<float>(off.largest)),
                          off.largest == 0 ? "–" : place(shape, off.at), number(a), number(b),
                          short_number(static_cast<float>(off.mean)), std::to_string(off.beyond)});
  if (off.beyond == 0 || verdict.first) return;
  verdict.first = a.id + " at " + place(shape, off.first) + ": A has " +
                  short_number(a.array.values[off.first]) + ", B " + short_number(b.array.values[off.first]);
}

// In the order of a side that was computed: that of the layer, not that of a file.
Verdict compare_sides(const Side& a, const Side& b, std::optional<double> tolerance) {
  const Side &ordered = a.layer ? a : b, &other = a.layer ? b : a;
  Verdict verdict;
  const char *mine = a.layer ? "A" : "B", *theirs = a.layer ? "B" : "A";
  for (const Numbers& stage : ordered.stages)
    if (const Numbers* found = find(other, stage.id))
      compare_stage(a.layer ? stage : *found, a.layer ? *found : stage, tolerance, verdict);
    else
      verdict.notes.push_back("only in " + std::string(mine) + ": " + stage.id);
  for (const Numbers& stage : other.stages)
    if (!find(ordered, stage.id)) verdict.notes.push_back("only in " + std::string(theirs) + ": " + stage.id);
  return verdict;
}

// B − A of the stages that both have in the same shape.
void write_differences(const Side& a, const Side& b, const std::string& path, Console& console) {
  if (path.empty()) return;
  auto file = std::make_unique<FileWriter>(path);
  NpzWriter npz([&](Bytes bytes) { file->write(bytes); });
  for (const Numbers& stage : a.stages) {
    const Numbers* found = find(b, stage.id);
    if (!found || essential(found->array.shape) != essential(stage.array.shape)) continue;
    const std::vector<float> off = differences(stage.array.values, found->array.values);
    const std::span<const float> piece(off);
    npz.add(stage.id, stage.array.shape, {&piece, 1});
  }
  npz.finish();
  console.keep(std::move(file));
}

std::optional<double> read_tolerance(const std::string& word) {
  if (word.empty()) return std::nullopt;
  const auto tolerance = parse_number<double>(word);
  if (!tolerance || !(*tolerance >= 0))
    throw Error("--tolerance takes a number from 0 on, not \"" + word + "\"", Fault::option);
  return tolerance;
}

}  // namespace

bool compare(const CompareRequest& request, Console& console) {
  const std::optional<double> tolerance = read_tolerance(request.tolerance);
  if (request.a.empty() || (request.b.empty() && !request.change))
    throw Error("compare needs two inputs, or one and options of a layer for the second", Fault::option);
  check_output(request.output, {request.a, request.b});
  const Workspace& workspace = read_workspace("");
  Side a = read_side(workspace, request.a, {});
  Side b = read_side(workspace, request.b.empty() ? request.a : request.b, request.change);
  if (!a.layer && !b.layer)
    throw Error("both files hold results: compare one of them with the layer that it is of", Fault::option);
  if (!b.layer && request.change)
    throw Error(b.input + " holds results: options of a layer change a layer alone", Fault::option);
  Budget budget;
  std::vector<std::string> notes;
  const WatchedDevice device(request.device, request.output, console);
  const std::unique_ptr<Backend> backend = device.open(budget, notes);
  print_lines(console.err, notes);
  compute(*backend, budget, workspace, a, bytes_of(b), console.err);
  compute(*backend, budget, workspace, b, bytes_of(a), console.err);

  const Verdict verdict = compare_sides(a, b, tolerance);
  if (verdict.rows.size() == 1) throw Error("A and B have no stage in common", Fault::input);
  write_differences(a, b, request.output, console);
  print_table(console.out, verdict.rows, 2);
  print_lines(console.out, verdict.notes);
  const std::string within = tolerance ? short_number(static_cast<float>(*tolerance)) : "2e-6 + 2e-5·|A|";
  print_lines(console.out,
              std::vector<std::string>{verdict.first ? "the first that differs is " + *verdict.first
                                                     : "no number differs by more than " + within});
  return !verdict.first;
}

}  // namespace attn
