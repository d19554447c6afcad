// What trace and code take, and what other commands take of it.
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/layer_words.h"
#include "app/program/input.h"
#include "app/workspaces/workspaces.h"
#include "core/system/error.h"

namespace attn {

void add_layer_file(Options& options, std::string& input, std::string& workspace) {
  options
      .add("INPUT", input, "",
           "session (.json), picture that carries one (.png, .svg), .npz, .safetensors, or a built-in "
           "example: " +
               example_names())
      .add("--workspace", workspace, "NAME", "which one: " + workspace_names());
}

void add_input(CommandParser& parser, Options& options, std::string& input, std::string& device,
               std::string& workspace) {
  add_layer_file(options, input, workspace);
  parser.add_device(options, device);
  options.end_with_statuses();
}

void add_gradient(Options& options, bool& gradient, std::string& upstream) {
  options
      .add("--gradient", gradient,
           "also a loss, and its gradient by every stage, input and parameter: loss, d_output, d_weights, "
           "d_x, …")
      .add(
          "--upstream", upstream, "LOSS",
          "with --gradient: ones (the sum of the output), cell:ROW,COLUMN, FILE.npy (the gradient of the "
          "output), mse:FILE.npy (NaN there: not asked) or cross-entropy:L0,L1,… (a column for each row; −1: "
          "not asked)");
}

namespace {

void add_road(Options& options, TraceRequest& words) {
  options.add(
      "--mechanism", words.mechanism, "full|flash[:ROWS,KEYS]|linear[:elu|relu|random:R:SEED]",
      "with every stage; by flash attention (in tiles of so many queries and keys): head_output, log_sum "
      "and output, without scores; weights with --only weights; or by linear attention, with features "
      "elu(x) + 1, ReLU or R random ones: phi_q, phi_k, state, state_sum, head_output and output");
  add_gradient(options, words.gradient, words.upstream);
}

}  // namespace

void add_code(CommandParser& parser) {
  const auto given = std::make_shared<WithLayer<CodeRequest>>();
  TraceRequest& words = given->request.of;
  Options options = parser.add(
      "code", "A layer, or a stack of them, as a program of another language", [given](Console& console) {
        TraceRequest& request = given->request.of;
        if (request.input.empty())
          throw Error("code needs an INPUT: a file, or a built-in example: " + example_names(),
                      Fault::option);
        request.change = read_options(read_workspace(request.workspace), given->layer, given->stack);
        code_program(given->request, console);
        return kDone;
      });
  add_layer_file(options, words.input, words.workspace);
  options
      .add("--as", given->request.as, code_words().c_str(),
           "the language or library of a program that runs by itself: it has the input and every parameter "
           "in it, "
           "and ends with weights (heads × queries × keys) and output; latex and markdown show every number")
      .add("-o,--output", words.output, "FILE", "write it here; without it, print it")
      .add("--only", words.only, "STAGE,…", "these stages alone, with what they are made of");
  add_road(options, words);
  add_stack_options(options, given->stack);
  add_layer_options(options.command(), given->layer);
  options.end_with_statuses();
}

void add_trace(CommandParser& parser) {
  const auto given = std::make_shared<WithLayer<TraceRequest>>();
  Options options =
      parser.add("trace", "Compute every stage of a layer, or of a stack of them", [given](Console& console) {
        TraceRequest& request = given->request;
        if (request.input.empty())
          throw Error("trace needs an INPUT: a file, or a built-in example: " + example_names(),
                      Fault::option);
        given->read_change();
        return trace(request, console) ? kDone : kDifferent;
      });
  TraceRequest& words = given->request;
  add_input(parser, options, words.input, words.device, words.workspace);
  options.add("-o,--output", words.output, "OUT.npz", "write the stages here; without it, print them")
      .add("--only", words.only, "STAGE,…",
           "write or print these stages alone; by flash attention where it computes them all")
      .add("--rows", words.rows, "I:J",
           "rows I to J − 1 of every stage that has one for each query: nothing else of them is computed");
  add_road(options, words);
  options.add(
      "--check", words.check,
      "with --gradient: compare the gradient of every input number with central differences in double; "
      "status 1 where one differs");
  add_stack_options(options, given->stack);
  add_layer_options(options.command(), given->layer);
  options.end_with_statuses();
}

}  // namespace attn
