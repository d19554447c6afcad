// The stages of the way back, with their words.
#include "core/gradient/gradients.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "core/gradient/gradient_words.h"
#include "core/gradient/way_back.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

Tensor zeros_of(const Shape& shape) {
  return {shape, std::vector<float>(shape.size(), 0)};
}

// What heads share has one gradient, not one for each.
Stack own_stack(const Stage& stage) {
  if (stage.stack != Stack::shared) return stage.stack;
  return stage.shape.stack == 1 ? Stack::joined : Stack::heads;
}

// A row for each number of a row, 1 at its place: δᵢⱼ.
constexpr const char* kDelta = "δ";
Tensor identity(std::size_t count) {
  std::vector<float> values(count * count, 0);
  for (std::size_t i = 0; i < count; ++i) values[i * (count + 1)] = 1;
  return {{1, count, count}, std::move(values)};
}

class Differentiation {
 public:
  // `upstream`: of the loss by itself. `words`: of the one stage that is asked for; none: its own.
  Differentiation(Graph& graph, StageIndex loss, std::span<const StageIndex> of, Tensor upstream,
                  std::optional<Stage> words = {})
      : graph_(graph),
        way_(graph, loss, of),
        parts_(way_.steps.size()),
        rows_(upstream.rows()),
        asked_(of.empty() ? loss : of.front()),
        words_(std::move(words)) {
    gradients_.loss = loss, gradients_.of.resize(way_.steps.size());
    if (way_.steps[loss].active) {
      Stage seed = helper(loss, "", "1", Source{std::move(upstream)}, {});
      seed.title = seed.symbol = words_ ? kDelta : gradient_symbol(graph_.stages[loss]);
      gradients_.of[loss] = graph_.add(std::move(seed));
    }
    for (StageIndex i = loss + 1; i-- > 0;)
      if (way_.steps[i].active) pass_on(i);
    for (const Number& number : numbers_) complete(number);
  }

  Gradients take() {
    for (StageIndex i = 0; i < gradients_.of.size(); ++i)
      assert(!gradients_.of[i] || shape_of_gradient(i) == graph_.stages[*gradients_.of[i]].shape);
    return std::move(gradients_);
  }

 private:
  // What flows to a stage by another.
  struct Part {
    StageIndex value = 0, by = 0;
  };

  // One of the document's, that stages of a part are made of.
  struct Number {
    std::string key;
    StageIndex of = 0;  // the first such stage
    std::vector<StageIndex> flows = {};
  };

  // A row for each number that is asked for at once.
  Shape shape_of_gradient(StageIndex stage) const {
    Shape shape = graph_.stages[stage].shape;
    shape.rows *= rows_;
    return shape;
  }

  std::string id(StageIndex of) const {
    const Stage& stage = graph_.stages[of];
    return "d_" + stage.id.substr(graph_.parts[stage.part].prefix.size());
  }

  // To be completed.
  Stage gradient(StageIndex of, std::string formula, Operation operation,
                 std::vector<StageIndex> inputs) const {
    const Stage& stage = graph_.stages[of];
    if (words_ && of == asked_) {
      Stage worded = *words_;
      worded.operation = std::move(operation), worded.inputs = std::move(inputs), worded.gradient_of = of;
      return worded;
    }
    return {.id = id(of),
            .title = gradient_symbol(stage),
            .formula = std::move(formula),
            .symbol = gradient_symbol(stage),
            .operation = std::move(operation),
            .inputs = std::move(inputs),
            .rows = stage.rows,
            .columns = stage.columns,
            .traced = stage.traced || stage.given() || stage.drawn == Drawn::parameters,
            .role = Role::gradient,
            .drawn = stage.drawn,
            .stack = own_stack(stage),
            .sentence = stage.sentence.empty() ? "" : "how fast the loss grows with " + stage.sentence,
            .read_only = "it follows from the loss: change the number it belongs to, or the loss",
            .mask = stage.mask,
            .gradient_of = of};
  }

  // One that is a step to others: called by how it is made.
  Stage helper(StageIndex of, std::string name, std::string formula, Operation operation,
               std::vector<StageIndex> inputs) const {
    Stage stage = gradient(of, std::move(formula), std::move(operation), std::move(inputs));
    stage.symbol = stage.formula;
    const bool made_of_several = stage.formula.find_first_of(" /") < stage.formula.size() ||
                                 stage.formula.find("·") < stage.formula.size();
    stage.title = made_of_several ? "(" + stage.formula + ")" : stage.formula;
    stage.id += name, stage.rows = {}, stage.columns = {};
    stage.traced = false, stage.drawn = Drawn::never, stage.mask = {}, stage.stack = Stack::joined;
    stage.sentence.clear();
    return stage;
  }

  StageIndex value_of(StageIndex stage, const BackwardValue& value, std::vector<StageIndex>& lines) {
    switch (value.kind) {
      case BackwardValue::input:
        return graph_.stages[stage].inputs[value.number];
      case BackwardValue::result:
        return stage;
      case BackwardValue::gradient:
        return *gradients_.of[stage];
      case BackwardValue::line:
        return line(stage, value.number, lines);
    }
    return stage;
  }

  std::vector<StageIndex> reads(StageIndex stage, std::size_t number, std::vector<StageIndex>& lines) {
    std::vector<StageIndex> inputs;
    for (const BackwardValue& value : way_.steps[stage].back.lines[number].reads)
      inputs.push_back(value_of(stage, value, lines));
    return inputs;
  }

  std::string formula(StageIndex stage, std::size_t number) const {
    return written_out(way_.steps[stage].back.lines[number].formula, graph_.stages[stage], graph_.stages);
  }

  StageIndex line(StageIndex stage, std::size_t number, std::vector<StageIndex>& lines) {
    StageIndex& made = lines[number];
    if (made != kNone) return made;
    std::vector<StageIndex> inputs = reads(stage, number, lines);
    BackwardLine& of = way_.steps[stage].back.lines[number];
    return made = graph_.add(helper(stage, "_" + std::to_string(number + 1), formula(stage, number),
                                    std::move(of.operation), std::move(inputs)));
  }

  void pass_on(StageIndex stage) {
    complete(stage);
    WayBack::Step& step = way_.steps[stage];
    std::vector<StageIndex> lines(step.back.lines.size(), kNone);
    for (std::size_t i = 0; i < step.to.size(); ++i)
      if (step.back.flows[i].zero.empty()) flow(stage, step.back.flows[i].value, step.to[i], lines);
    if (step.back.number) flow_to_numbers(stage, value_of(stage, *step.back.number, lines));
  }

  void flow_to_numbers(StageIndex by, StageIndex value) {
    for (const StageNumber& number : std::vector(graph_.stages[by].numbers)) {
      const std::string words = brief(number.slope) + " · " + graph_.stages[value].formula;
      const StageIndex flow =
          graph_.add(helper(by, "_" + number.key, words, Scale{number.slope, brief(number.slope)}, {value}));
      const auto same = [&](const Number& n) {
        return n.key == number.key && graph_.stages[n.of].part == graph_.stages[by].part;
      };
      auto found = std::ranges::find_if(numbers_, same);
      if (found == numbers_.end()) found = numbers_.insert(found, {number.key, by});
      found->flows.push_back(flow);
    }
  }

  void complete(const Number& number) {
    StageIndex sum = number.flows[0];
    std::string words = graph_.stages[sum].formula;
    for (std::size_t i = 1; i < number.flows.size(); ++i) {
      words += " + " + graph_.stages[number.flows[i]].formula;
      sum = graph_.add(helper(number.of, "_" + number.key + "_sum", words, Add{}, {sum, number.flows[i]}));
    }
    Stage whole = helper(number.of, "", words, kPassed, {sum});
    whole.id = "d_" + number.key, whole.title = whole.symbol = "d " + number.key;
    whole.sentence = "how fast the loss grows with the layer’s " + number.key;
    whole.traced = true, whole.drawn = Drawn::parameters;
    graph_.add(std::move(whole));
  }

  // Alone it is the gradient; else a part of it.
  void flow(StageIndex by, const BackwardValue& value, StageIndex to, std::vector<StageIndex>& lines) {
    const bool alone = way_.flows[to] == 1,
               own = value.kind == BackwardValue::line && lines[value.number] == kNone;
    if (!alone) {
      parts_[to].push_back({value_of(by, value, lines), by});
    } else if (own) {
      std::vector<StageIndex> inputs = reads(by, value.number, lines);
      Operation& operation = way_.steps[by].back.lines[value.number].operation;
      const StageIndex made =
          graph_.add(gradient(to, formula(by, value.number), std::move(operation), std::move(inputs)));
      gradients_.of[to] = lines[value.number] = made;
    } else {
      const StageIndex from = value_of(by, value, lines);
      gradients_.of[to] = graph_.add(gradient(to, graph_.stages[from].symbol, kPassed, {from}));
    }
  }

  // What flowed to it, added up; zeros where that is nothing.
  void complete(StageIndex stage) {
    auto& found = gradients_.of[stage];
    if (found) return;
    const std::vector<Part>& parts = parts_[stage];
    if (parts.empty()) {
      Stage zeros = gradient(stage, "0", Source{zeros_of(shape_of_gradient(stage))}, {});
      zeros.zero = way_.zeros[stage];
      found = graph_.add(std::move(zeros));
      return;
    }
    StageIndex sum = parts[0].value;
    std::string words = "from " + gradient_symbol(graph_.stages[parts[0].by]);
    std::string made = graph_.stages[sum].symbol;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      words += ", " + gradient_symbol(graph_.stages[parts[i].by]);
      made += " + " + graph_.stages[parts[i].value].symbol;
      const bool last = i + 1 == parts.size();
      Stage next = last ? gradient(stage, words, Add{}, {sum, parts[i].value})
                        : helper(stage, "_of_" + std::to_string(i + 1), made, Add{}, {sum, parts[i].value});
      sum = graph_.add(std::move(next));
    }
    found = sum;
  }

  static constexpr StageIndex kNone = static_cast<StageIndex>(-1);
  inline static const Scale kPassed{1, "1"};

  Graph& graph_;
  WayBack way_;
  std::vector<std::vector<Part>> parts_;
  std::size_t rows_ = 1;
  StageIndex asked_ = 0;
  std::optional<Stage> words_;
  Gradients gradients_;
  std::vector<Number> numbers_;
};

}  // namespace

Gradients append_gradients(Graph& graph, StageIndex loss, std::span<const StageIndex> of) {
  if (graph.stages.at(loss).shape.size() != 1)
    throw Error(graph.stages[loss].title + " is no loss: it is " + to_string(graph.stages[loss].shape) +
                ", and a loss is one number");
  return Differentiation(graph, loss, of, ones_of({1, 1, 1})).take();
}

StageIndex append_jacobian(Graph& graph, StageIndex row, StageIndex of, Stage words) {
  const std::array asked{of};
  Tensor each = identity(graph.stages.at(row).shape.columns);
  if (WayBack(graph, row, asked).steps[row].to == std::vector{of})
    return *Differentiation(graph, row, asked, std::move(each), std::move(words)).take().find(of);
  words.operation = WeightsGradient{WeightsRule::softmax};
  words.inputs = {row, graph.add({.id = "upstream",
                                  .title = kDelta,
                                  .formula = "1",
                                  .operation = Source{std::move(each)},
                                  .traced = false,
                                  .drawn = Drawn::never})};
  return graph.add(std::move(words));
}

}  // namespace attn
