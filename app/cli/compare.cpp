// compare: two layers stage by stage, or a layer and the numbers that another program made of it.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/layer_gradients.h"
#include "app/program/input.h"
#include "app/words/refuse.h"
#include "app/words/table.h"
#include "app/words/watched_device.h"
#include "app/words/watched_run.h"
#include "app/workspaces/workspaces.h"
#include "core/checks/array_difference.h"
#include "core/checks/stage_pairs.h"
#include "core/document/layer_plan.h"
#include "core/evaluate/weigh.h"
#include "core/io/stages_npz.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/numbers.h"

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
  std::optional<Document> layer = {};
  std::vector<Numbers> stages = {};
  std::vector<std::string> given = {};  // arrays of a file that the other side's layer was read from too
};

// The arrays of a file that holds results, whatever else is in it.
std::optional<NamedArrays> read_results(const std::string& path) {
  auto arrays = read_arrays(path);
  return arrays && hold_results(*arrays) ? std::move(arrays) : std::nullopt;
}

Side side_of_results(const std::string& input, NamedArrays arrays) {
  Side side{.input = input};
  for (auto& [id, array] : arrays) side.stages.push_back({id, std::move(array)});
  return side;
}

Side side_of_layer(const Workspace& workspace, const std::string& input, const LayerChange& change) {
  return {.input = input, .layer = open_document_in(workspace, input, [&](Document& given) {
                            if (change) change(given.layer());
                          })};
}

// A and B. The options are laid over the layer: over B where both are one, over the one that holds no
// results, and over that of a single file, which its own results are held against.
std::pair<Side, Side> read_sides(const Workspace& workspace, const CompareRequest& request) {
  auto a = read_results(request.a);
  if (request.b.empty() && a) {
    if (!hold_layer(*a))
      throw Error(request.a + " holds results and no layer: give the layer that they are of first",
                  Fault::option);
    std::vector<std::string> given;
    for (const auto& [id, array] : *a) given.push_back(id);
    NamedArrays results;
    layer_from_arrays(std::move(*a), &results);
    Side theirs = side_of_results(request.a, std::move(results));
    theirs.given = std::move(given);
    return {side_of_layer(workspace, request.a, request.change), std::move(theirs)};
  }
  if (request.b.empty() && (request.a.empty() || !request.change))
    throw Error(
        "compare needs two inputs, or one and options of a layer for the second, or a file that holds "
        "a layer and results",
        Fault::option);
  std::error_code ignored;
  if (request.b.empty() && std::filesystem::is_fifo(request.a, ignored))
    throw Error("compare reads its only input twice, and a pipe can be read once: give a file",
                Fault::option);
  if (request.b.empty())
    return {side_of_layer(workspace, request.a, {}), side_of_layer(workspace, request.a, request.change)};
  auto b = read_results(request.b);
  if (a && b)
    throw Error("both files hold results: compare one of them with the layer that it is of", Fault::option);
  if (a)
    return {side_of_results(request.a, std::move(*a)), side_of_layer(workspace, request.b, request.change)};
  if (b)
    return {side_of_layer(workspace, request.a, request.change), side_of_results(request.b, std::move(*b))};
  return {side_of_layer(workspace, request.a, {}), side_of_layer(workspace, request.b, request.change)};
}

// Both sides' stages stay until they are compared.
void check_memory(const Backend& backend, const Budget& budget, const Graph& graph, std::uint64_t kept) {
  const auto load_of = [&](const Graph& g) {
    Load load = weigh(g, {}, Retention::until_read, backend, budget);
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

Graph graph_of(const CompareRequest& request, const Document& document) {
  Built built = build_layer(document);
  return request.gradient ? differentiated(std::move(built), request.upstream).graph : std::move(built.graph);
}

void compute(Backend& backend, const Budget& budget, const CompareRequest& request, Side& side,
             std::uint64_t kept, std::ostream& err) {
  if (!side.layer) return;
  const Graph graph = graph_of(request, *side.layer);
  check_memory(backend, budget, graph, kept);
  run_watched(
      backend, graph, {},
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

// "1, 3, 0": an index for each axis.
std::string place(const std::vector<std::size_t>& shape, std::size_t at) {
  std::string text;
  for (std::size_t axis = shape.size(), rest = at; axis-- > 0; rest /= shape[axis])
    text = std::to_string(rest % shape[axis]) + (text.empty() ? "" : ", " + text);
  return text;
}

std::string shapes_of(const Numbers& a, const Numbers& b) {
  return shape_text(a.array.shape) + " and " + shape_text(b.array.shape);
}

struct Verdict {
  std::vector<std::vector<std::string>> rows{
      {"stage", "shape", "largest |B − A|", "at", "A", "B", "mean", "beyond"}};
  std::optional<std::string> first;  // the first stage that differs, and how
  std::vector<std::string> notes;
  std::string alone;  // arrays of a file that no stage was compared with
};

const Numbers* find(const Side& side, const std::string& id) {
  const auto found = std::ranges::find(side.stages, id, &Numbers::id);
  return found == side.stages.end() ? nullptr : &*found;
}

// Adds the stage's row; nothing where the shapes differ.
std::optional<ArrayDifference> compare_stage(const Numbers& a, const Numbers& b,
                                             std::optional<double> tolerance, Verdict& verdict) {
  const auto shape = essential_shape(a.array.shape);
  if (shape != essential_shape(b.array.shape)) {
    verdict.rows.push_back({a.id, shapes_of(a, b), "–", "–", "–", "–", "–", "–"});
    return std::nullopt;
  }
  const ArrayDifference off = difference(a.array.values, b.array.values, tolerance);
  const auto number = [&](const Numbers& numbers) {
    return off.largest == 0 ? "–" : short_number(numbers.array.values[off.at]);
  };
  verdict.rows.push_back({a.id, shape_text(a.array.shape), short_number(static_cast<float>(off.largest)),
                          off.largest == 0 ? "–" : place(shape, off.at), number(a), number(b),
                          short_number(static_cast<float>(off.mean)), std::to_string(off.beyond)});
  return off;
}

std::string first_words(const Numbers* a, const Numbers* b, const std::optional<ArrayDifference>& off) {
  if (!a || !b) return (a ? a : b)->id + ": only " + (a ? "A" : "B") + " has it";
  if (!off) return a->id + ": its shapes are " + shapes_of(*a, *b);
  return a->id + " at " + place(essential_shape(a->array.shape), off->first) + ": A has " +
         short_number(a->array.values[off->first]) + ", B " + short_number(b->array.values[off->first]);
}

std::vector<std::string_view> ids_of(const Side& side) {
  std::vector<std::string_view> ids;
  for (const Numbers& stage : side.stages) ids.push_back(stage.id);
  return ids;
}

// In the order of a side that was computed: that of the layer, not that of a file. What a file lacks, or has
// besides, is no difference.
Verdict compare_sides(const Side& a, const Side& b, std::optional<double> tolerance) {
  std::vector<StagePair> pairs =
      a.layer ? paired_stages(ids_of(a), ids_of(b)) : paired_stages(ids_of(b), ids_of(a));
  Verdict verdict;
  std::vector<std::optional<ArrayDifference>> differences;
  std::vector<std::pair<const Numbers*, const Numbers*>> counted;
  for (StagePair& pair : pairs) {
    if (!a.layer) std::swap(pair.a, pair.b);
    const Numbers* mine = pair.a ? &a.stages[*pair.a] : nullptr;
    const Numbers* theirs = pair.b ? &b.stages[*pair.b] : nullptr;
    const bool both = mine && theirs;
    if (mine && std::ranges::count(b.given, mine->id) > 0 && !theirs) continue;
    if (!both)
      verdict.notes.push_back(std::string("only in ") + (mine ? "A: " : "B: ") + (mine ? mine : theirs)->id);
    if (!both && !(mine ? a : b).layer)
      verdict.alone += (verdict.alone.empty() ? "" : ", ") + (mine ? mine : theirs)->id;
    if (!both && !(a.layer && b.layer)) continue;
    counted.emplace_back(mine, theirs);
    differences.push_back(both ? compare_stage(*mine, *theirs, tolerance, verdict) : std::nullopt);
  }
  if (const auto first = first_that_differs(differences))
    verdict.first = first_words(counted[*first].first, counted[*first].second, differences[*first]);
  return verdict;
}

// B − A of the stages that both have in the same shape.
void write_differences(const Side& a, const Side& b, const std::string& path, Console& console) {
  if (path.empty()) return;
  auto file = std::make_unique<FileWriter>(path);
  NpzWriter npz([&](Bytes bytes) { file->write(bytes); });
  for (const Numbers& stage : a.stages) {
    const Numbers* found = find(b, stage.id);
    if (!found || essential_shape(found->array.shape) != essential_shape(stage.array.shape)) continue;
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
  if (!tolerance || !std::isfinite(*tolerance) || *tolerance < 0)
    throw Error("--tolerance takes a finite number from 0 on, not \"" + word + "\"", Fault::option);
  return tolerance;
}

}  // namespace

bool compare(const CompareRequest& request, Console& console) {
  const std::optional<double> tolerance = read_tolerance(request.tolerance);
  check_gradient_words(request.gradient, request.upstream, false);
  check_output(request.output, {request.a, request.b});
  const Workspace& workspace = read_workspace("");
  auto [a, b] = read_sides(workspace, request);
  Budget budget;
  std::vector<std::string> notes;
  const WatchedDevice device(request.device, request.output, console);
  const std::unique_ptr<Backend> backend = device.open(budget, notes);
  print_lines(console.err, notes);
  compute(*backend, budget, request, a, bytes_of(b), console.err);
  compute(*backend, budget, request, b, bytes_of(a), console.err);

  const Verdict verdict = compare_sides(a, b, tolerance);
  if (verdict.rows.size() == 1) throw Error("A and B have no stage in common", Fault::input);
  write_differences(a, b, request.output, console);
  print_table(console.out, verdict.rows, 2);
  print_lines(console.out, verdict.notes);
  const std::string within = tolerance ? short_number(static_cast<float>(*tolerance)) : "2e-6 + 2e-5·|A|";
  const std::string compared =
      verdict.alone.empty() ? "no number differs" : "no number that both have differs";
  const std::string rest = verdict.alone.empty() ? "" : "; not compared: " + verdict.alone;
  print_lines(console.out,
              std::vector<std::string>{verdict.first ? "the first that differs is " + *verdict.first
                                                     : compared + " by more than " + within + rest});
  return !verdict.first;
}

}  // namespace attn
