// Graph: the stages of a computation in runnable order, each with its meaning. A plain value; evaluating it
// is somebody else's work, and whoever shows it asks the stages what they are, never what they are called.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/address.h"
#include "core/operations/operation.h"

namespace attn {

using Labels = std::vector<std::string>;

// `count` labels: those that are given, indices behind them.
Labels filled_labels(Labels given, std::size_t count);
using StageIndex = std::size_t;  // position in Graph::stages

// What the rows or columns of a stage stand for. Without labels they carry their index.
struct Axis {
  enum Along { other, queries, keys };
  std::string_view name;  // "query", "key", "feature"; empty: there is just one
  std::shared_ptr<const Labels> labels = {};
  Along along = other;  // tokens: what is added, removed or carried along this axis
  bool words = false;   // the labels are words of the program; else a person gave them, or they are numbers
};

// What a stage is in the computation: its hue, and what links, checks and panels look for.
enum class Role {
  plain,
  token,  // rows that the user gave, and what positions make of them
  query,
  key,
  value,
  score,      // of a query and a key: on the way to the softmax
  bias,       // added to scores; −∞ there stands for "masked"
  mask,       // 1 hides a key from a query
  statistic,  // one number a row: its maximum, its sum
  weights,
  output,
  loss,      // one number of which gradients are asked, and what makes it of an output
  gradient,  // what a loss asks of the stage that Stage::gradient_of names: its hue is that one's
};
inline constexpr std::size_t kRoles = 13;

// What its numbers can be: the colour map, and the digits they are written with.
enum class Range {
  any,       // a diverging map, symmetric around 0
  positive,  // 0 and up, at most 1 when all is well; coloured as `any`, written like shares
  unit,      // shares from 0 to 1: a sequential map of fixed range
  mask,      // 0 or 1
};

// Where a canvas shows it.
enum class Drawn {
  always,
  inside,      // within an operation that has to be opened: the steps of the softmax
  parameters,  // what is learned or given besides the tokens
  never,       // looked through: it shows in what it makes
};

// Which matrices its stack holds.
enum class Stack {
  joined,  // one, however many heads there are
  heads,   // one for each head (of the keys, for keys and values)
  shared,  // one for all heads, or one for each
};

// What the numbers of a row of weights add up to.
enum class RowTotal {
  any,
  one,
  below_one,  // at most 1: the rest goes to nothing
};

// Chips of the stage bar: stages that light up together.
struct Step {
  std::string title;
  std::string says;         // what happens in it, in a few words
  std::string opened = {};  // its title while the stages before it are shown as well ("÷ sum" for "weights")
  std::vector<StageIndex> stages = {};
};

// A number of the document that a stage's operation is made of: "temperature"; and by how much the
// operation's own number (Backward::number) grows with it.
struct StageNumber {
  std::string key;
  double slope = 1;
};

struct Stage {
  std::string id;           // "scores": the word of the command line and of files, after its part's prefix
  std::string title;        // "scores"
  std::string formula;      // "QKᵀ"
  std::string symbol = {};  // in formulas of what is made from it: "A"; empty: its title
  Operation operation;
  std::vector<StageIndex> inputs = {};  // all smaller than this stage's own index
  Axis rows = {}, columns = {};
  Shape shape = {};    // of the result; set by Graph::add
  Traits traits = {};  // of the operation there; set by Graph::add
  bool traced = true;  // a step of the computation, as opposed to a parameter or a help stage

  Role role = Role::plain;
  Range range = Range::any;
  Drawn drawn = Drawn::always;
  Stack stack = Stack::joined;
  // What one number means, for a person. %r and %c stand for the row's and the column's token in quotes, %i
  // and %j for their numbers, %h for the head.
  std::string sentence = {};
  std::string field = {};      // the document's tensor that it shows, editable: "layer.x"; empty: computed
  std::string read_only = {};  // why no number of it can be set; empty: they can
  std::optional<StageIndex> computed_from =
      {};                                 // the same stage as computed, of which this one overrides cells
  std::optional<StageIndex> mask = {};    // the stage that hides cells of it
  std::optional<StageIndex> scores = {};  // of weights: what they were made from, −∞ where a key is masked
  std::vector<StageNumber> numbers = {};
  std::optional<StageIndex> gradient_of =
      {};                              // of Role::gradient: of its stage, or of a number that makes it
  std::string zero = {};               // of a gradient that is exactly 0: why
  RowTotal row_total = RowTotal::any;  // of weights: what each row promises
  bool gaps = false;                   // NaN says that there is no number: no fault
  bool by_chance = false;              // of weights: which of them are left is random, no row promises a sum
  bool by_reference = false;           // computed by the reference, whatever the device
  std::size_t step = kNoStep;          // in Graph::steps
  std::size_t part = 0;                // in Graph::parts; set by Graph::add

  // Not computed: what the document holds.
  bool given() const { return given_tensor(operation) != nullptr; }

  static constexpr std::size_t kNoStep = static_cast<std::size_t>(-1);
};

// Of the formula that stands above a canvas: lit while one of its stages' steps is the current one.
struct FormulaSpan {
  std::string text;
  std::vector<StageIndex> stages = {};
};

struct LayerStages;

// A run of stages that belong together: one layer.
struct Part {
  std::string prefix = {};  // of its stages' ids: "b."
  std::string title = {};   // behind the titles of its numbers, where there are several parts: "B"
  std::vector<FormulaSpan> formula = {};
  std::optional<Address> layer = {};  // of the document's layers, that it is
  StageIndex layer_end = 0;           // behind that layer's stages: what is added there is not the layer's
  // Of each role the traced stage that is meant by it: the first; of weights the last that is not by chance.
  std::array<std::optional<StageIndex>, kRoles> of_role = {};
  std::shared_ptr<const LayerStages> stages = {};  // of the first layer in it (core/attention/layer.h)
};

// Stages by their ids. Ids stay as they were added.
class IdIndex {
 public:
  void add(std::string_view id, StageIndex stage);
  // Those that have the same hash, to be held against their ids; in the order of the graph.
  std::span<const std::pair<std::size_t, StageIndex>> like(std::string_view id) const;

 private:
  std::vector<std::pair<std::size_t, StageIndex>> sorted_;  // hash of the id, stage
};

// A number typed over a computed one.
struct StageOverride {
  std::string workspace, stage;  // whose graph, and the stage's id there, without the prefix of its layer
  CellValue value;
  Address layer = {};
  bool operator==(const StageOverride&) const = default;
};
// Of that stage in a graph that compares its layer with A; and whether that is this one.
std::string id_of(const StageOverride& typed);
bool is_over(const StageOverride& typed, std::string_view id);

struct Graph {
  std::vector<Stage> stages = {};
  std::vector<Step> steps = {};
  std::vector<Part> parts = {};
  std::vector<StageOverride> overrides = {};  // of stages to come
  IdIndex ids = {};

  // The stages that are added from here on belong to it.
  void begin_part(Part part);
  std::size_t add_step(Step step);
  // Which layer of the document the stage is of; A where it is of none.
  Address layer_of(const Stage& stage) const { return parts[stage.part].layer.value_or(kLayerA); }
  bool has(Address layer) const;

  // Checks the operation against its inputs, sets shape, part and the id's prefix, and appends. A stage with
  // overridden cells becomes two: as computed (never drawn, not traced), and as overridden. Returns the
  // latter. Throws Error, naming the stage.
  StageIndex add(Stage stage);

  std::optional<StageIndex> find(std::string_view id) const;
  // The stage that is meant by a role (Part::of_role), in a part, or in the first that has one.
  std::optional<StageIndex> find(Role role, std::optional<std::size_t> part = {}) const;
  // The weights of the part that a stage belongs to.
  std::optional<StageIndex> weights_of(StageIndex stage) const {
    return find(Role::weights, stages[stage].part);
  }
  // The shapes of a stage's inputs.
  std::vector<Shape> input_shapes(const Stage& stage) const;
  std::vector<Shape> input_shapes(StageIndex stage) const { return input_shapes(stages[stage]); }

 private:
  StageIndex append(Stage stage);
};

// The first stage of a part that mixes values by weights.
std::optional<StageIndex> mixture_in(const Graph& graph, std::size_t part);

// Matrices of weights side by side: of a part, or the first there are; 1 when there are none.
std::size_t heads_of(const Graph& graph, std::optional<std::size_t> part = {});

}  // namespace attn
