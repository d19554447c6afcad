// A layer by PyTorch's own functions: the stages before and after stand as they are, and the call in place of
// scores and weights. PyTorch's documentation says what each argument means: of the function True takes part,
// of the module True is hidden.
#include <algorithm>

#include "core/attention/attention_call.h"
#include "core/code/program_writer.h"
#include "core/graph/rounding.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn::code {
namespace {

constexpr const char* kFunction = "torch.nn.functional.scaled_dot_product_attention";

AttentionCall call_of(const Graph& graph, bool module) {
  const auto output = graph.find(Role::output);
  auto call = output ? attention_call(graph, graph.stages[*output].part) : std::nullopt;
  for (std::size_t part = 0; call && part < graph.parts.size(); ++part)
    if (part != graph.stages[*output].part && attention_call(graph, part))
      throw Error(
          "there are several layers here, and the call computes one: use pytorch, which writes every stage");
  if (!call) throw Error("there are no weights that mix values here: no call of attention computes this");
  if (module && call->of_products) call->omitted = omitted_by_module(graph, *call);
  if (call->omitted.empty()) return *call;
  std::string lines;
  for (const std::string& line : call->omitted) lines += (lines.empty() ? "" : "; ") + line;
  throw Error(std::string(module ? "MultiheadAttention" : "scaled_dot_product_attention") +
              " cannot compute this layer: " + lines + ". Use pytorch, which writes every stage");
}

// Stages to be written as they are: all that the wanted ones are made of, down to those that the call makes.
std::vector<bool> written(const Graph& graph, const std::vector<StageIndex>& wanted,
                          const std::vector<StageIndex>& made) {
  std::vector<bool> needed(graph.stages.size());
  for (const StageIndex stage : wanted) needed[stage] = true;
  for (const StageIndex stage : made) needed[stage] = false;
  for (StageIndex i = graph.stages.size(); i-- > 0;)
    if (needed[i])
      for (const StageIndex input : graph.stages[i].inputs)
        if (std::ranges::find(made, input) == made.end()) needed[input] = true;
  return needed;
}

std::vector<StageIndex> with_mask(const AttentionCall& call, std::vector<StageIndex> stages) {
  for (const auto& stage : {call.mask, call.bias})
    if (stage) stages.push_back(*stage);
  return stages;
}

// The lines of a call, with the names of its stages.
class CallLines {
 public:
  CallLines(ProgramWriter& program, const Graph& graph, const AttentionCall& call)
      : program_(program), graph_(graph), call_(call) {}

  // ", attn_mask=keep", behind the lines that make it; nothing where nothing is masked. `hides`: True is
  // hidden.
  std::string mask(bool hides) {
    if (!call_.mask && !call_.bias) return {};
    if (!call_.mask) return argument(per_head(*call_.bias, program_.name(*call_.bias)));
    const double fill = MaskFill{call_.fill}.value();
    const bool added = call_.bias || (adds(call_.fill) && std::isfinite(fill));
    if (!added) return argument(hides ? hidden() : "~" + hidden());
    std::string sum = "torch.where(" + hidden() + ", " +
                      (std::isfinite(fill) && adds(call_.fill) ? shortest(fill) : "-float(\"inf\")") +
                      ", 0.0)";
    if (call_.bias) sum += " + " + per_head(*call_.bias, program_.name(*call_.bias));
    return argument(sum);
  }

  // True where a key is hidden.
  std::string hidden() const {
    const std::string own = program_.name(*call_.mask);
    return per_head(*call_.mask, program_.is_truth(*call_.mask) ? own : "(" + own + " != 0)");
  }

 private:
  // A mask that some heads share, for each of them.
  std::string per_head(StageIndex stage, const std::string& text) const {
    const std::size_t stack = graph_.stages[stage].shape.stack, heads = graph_.stages[call_.q].shape.stack;
    if (stack == 1 || stack == heads) return text;
    return text + ".repeat_interleave(" + std::to_string(heads / stack) + ", dim=0)";
  }
  std::string argument(const std::string& text) {
    program_.add("attn_mask = " + text + "\n");
    return ", attn_mask=attn_mask";
  }

  ProgramWriter& program_;
  const Graph& graph_;
  const AttentionCall& call_;
};

// What a query without a key becomes, where the function's 0 is something else: a line for the output and one
// for the weights. A number in place of every score leaves all keys alike.
struct EmptyRows {
  std::string output, weights;
};
EmptyRows empty_rows(ProgramWriter& program, const Graph& graph, const AttentionCall& call) {
  const bool finite = std::isfinite(MaskFill{call.fill}.value()), number = finite && !adds(call.fill);
  if (!call.mask || (finite && !number) || (!number && call.empty_row == EmptyRow::zeros)) return {};
  const bool alike = number || call.empty_row == EmptyRow::uniform;
  const Shape &q = graph.stages[call.q].shape, &k = graph.stages[call.k].shape;
  const std::string output = program.name(call.output);
  std::string mean = program.name(call.v) + ".mean(-2, keepdim=True)";
  if (k.stack != q.stack) mean += ".repeat_interleave(" + std::to_string(q.stack / k.stack) + ", dim=0)";
  const std::string left = alike ? mean : "float(\"nan\")";
  const std::string share = alike ? "1 / " + std::to_string(k.rows) : "float(\"nan\")";
  program.add("empty = " + CallLines(program, graph, call).hidden() + ".all(-1, keepdim=True)\n");
  return {output + " = torch.where(empty, " + left + ", " + output + ")\n",
          "weights = torch.where(empty, " + share + ", weights)\n"};
}

void add_function(ProgramWriter& program, const Graph& graph, const AttentionCall& call, const Ends& ends) {
  const Shape &q = graph.stages[call.q].shape, &k = graph.stages[call.k].shape;
  std::string words = CallLines(program, graph, call).mask(false) + ", scale=" + shortest(call.scale);
  if (k.stack != q.stack) words += ", enable_gqa=True";
  const std::string keys = program.name(call.q) + ", " + program.name(call.k) + ", ";
  const EmptyRows empty = empty_rows(program, graph, call);
  program.add("# PyTorch 2.5 or newer; a query without a key gets 0\n" + program.name(call.output) + " = " +
              kFunction + "(" + keys + program.name(call.v) + words + ")\n" + empty.output);
  if (!ends.weights) return;
  program.add("# It returns no weights: they are what it makes of the identity.\nidentity = torch.eye(" +
              std::to_string(k.rows) + ").expand(" + std::to_string(k.stack) +
              ", -1, -1)\nweights = " + kFunction + "(" + keys + "identity" + words + ")\n" + empty.weights);
}

// W_Q, W_K, W_V and W_O, with the stages that project by them.
struct Projections {
  std::array<StageIndex, 4> of;

  Projections(const Graph& graph, const AttentionCall& call, StageIndex output)
      : of{*projection_of(graph, call.q), *projection_of(graph, call.k), *projection_of(graph, call.v),
           computing(graph, output)} {}
  bool biased(const Graph& graph) const {
    return std::ranges::any_of(of, [&](StageIndex i) { return graph.stages[i].inputs.size() > 2; });
  }
};

std::string copied(const std::string& name, const std::string& what) {
  return "    attention." + name + ".copy_(" + what + ")\n";
}

void add_parameters(ProgramWriter& program, const Graph& graph, const Projections& p) {
  const auto parameter = [&](std::size_t i, std::size_t input) {
    return program.name(graph.stages[p.of[i]].inputs[input]) + "[0]";
  };
  const std::size_t width = graph.stages[graph.stages[p.of[0]].inputs[1]].shape.columns;
  const auto bias = [&](std::size_t i) {
    return graph.stages[p.of[i]].inputs.size() > 2 ? parameter(i, 2) + "[0]"
                                                   : "torch.zeros(" + std::to_string(width) + ")";
  };
  std::string lines = "with torch.no_grad():  # out × in; heads are rows\n";
  const std::size_t keys = graph.stages[graph.stages[p.of[1]].inputs[0]].shape.columns;
  if (keys == width)
    lines += copied("in_proj_weight", "torch.cat([" + parameter(0, 1) + ".T, " + parameter(1, 1) + ".T, " +
                                          parameter(2, 1) + ".T])");
  else
    for (std::size_t i = 0; i < 3; ++i)
      lines += copied(std::string(1, "qkv"[i]) + "_proj_weight", parameter(i, 1) + ".T");
  lines += copied("out_proj.weight", parameter(3, 1) + ".T");
  if (p.biased(graph)) {
    lines += copied("in_proj_bias", "torch.cat([" + bias(0) + ", " + bias(1) + ", " + bias(2) + "])");
    lines += copied("out_proj.bias", bias(3));
  }
  program.add(lines);
}

void add_module(ProgramWriter& program, const Graph& graph, const AttentionCall& call, const Projections& p) {
  const StageIndex x = graph.stages[p.of[0]].inputs[0], memory = graph.stages[p.of[1]].inputs[0];
  const std::size_t width = graph.stages[x].shape.columns, keys = graph.stages[memory].shape.columns;
  std::string made = "attention = torch.nn.MultiheadAttention(" + std::to_string(width) + ", " +
                     std::to_string(graph.stages[call.q].shape.stack) +
                     ", batch_first=True, bias=" + (p.biased(graph) ? "True" : "False");
  if (keys != width) made += ", kdim=" + std::to_string(keys) + ", vdim=" + std::to_string(keys);
  program.add(made + ").eval()\n");
  add_parameters(program, graph, p);
  std::string words = CallLines(program, graph, call).mask(true);
  if (!words.empty() && graph.stages[call.mask.value_or(call.bias.value_or(0))].shape.stack == 1 &&
      (!call.bias || graph.stages[*call.bias].shape.stack == 1))
    words += ".reshape(" + std::to_string(graph.stages[call.scores].shape.rows) + ", -1)";
  program.add("# True in a mask is hidden; a query without a key gets NaN\noutput, weights = attention(" +
              program.name(x) + ", " + program.name(memory) + ", " + program.name(memory) + words +
              ", average_attn_weights=False)\noutput, weights = output.detach(), weights.detach()[0]\n");
}

}  // namespace

ProgramText program_by_function(const Graph& graph) {
  const AttentionCall call = call_of(graph, false);
  Ends ends = ends_of(graph, std::vector<bool>(graph.stages.size(), true));
  ProgramWriter program(graph, ends, kPytorch);
  const std::vector<bool> before = written(graph, with_mask(call, {call.q, call.k, call.v}), {});
  const std::vector<bool> after = written(graph, {*ends.output}, {call.output});
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    if (i == call.output)
      add_function(program, graph, call, ends);
    else if (before[i] || after[i])
      program.write(i);
  }
  return {program.text(), program.names()};
}

ProgramText program_by_module(const Graph& graph) {
  const AttentionCall call = call_of(graph, true);
  const Ends ends = ends_of(graph, std::vector<bool>(graph.stages.size(), true));
  const Projections projections(graph, call, *ends.output);
  ProgramWriter program(graph, ends, kPytorch);
  std::vector<StageIndex> wanted = with_mask(call, {});
  for (const StageIndex i : projections.of)
    for (const StageIndex input : graph.stages[i].inputs)
      if (i != projections.of[3] || input != graph.stages[i].inputs[0]) wanted.push_back(input);
  const std::vector<bool> before = written(graph, wanted, {});
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (before[i]) program.write(i);
  add_module(program, graph, call, projections);
  return {program.text(), program.names()};
}

}  // namespace attn::code
