// Every command with its options and what --help says of them.
#include "app/cli/program_words.h"

#include <memory>

#include "app/cli/commands.h"
#include "app/cli/describe.h"
#include "app/cli/layer_words.h"
#include "app/cli/lessons.h"
#include "app/cli/options.h"
#include "app/cli/train.h"
#include "app/host/shader_cache.h"
#include "app/program/input.h"
#include "app/words/command_parser.h"
#include "app/words/refuse.h"
#include "app/workspaces/workspaces.h"
#include "core/document/stack_plan.h"
#include "core/opencl/devices.h"
#include "core/system/error.h"

namespace attn {
namespace {

// What works without a command.
void add_lab(CommandParser& parser, LabWords& lab) {
  LabRequest& words = lab.request;
  Options options(parser.app());
  options
      .add("SESSION", words.input, "",
           "open this: a session, a picture that carries one, an .npz, a lesson’s file or a built-in example")
      .add("--lesson", words.lesson, "NAME", "play this lesson, or a lesson’s file, over it")
      .add_device(words.device)
      .add("--language", words.language, "CODE", "of this run: en, de, or a PO file of your own")
      .add(
          "--ui-scale", words.ui_scale, "K",
          "size of letters and cells, from 0.5 to 4: of this run, whatever the monitor and the settings say");
  add_layer_options(parser.app(), lab.layer, "");
  options.end_with_statuses(
      "Without a command the window opens. Without a display, render draws a picture of it.\n"
      "Both take the options of trace about the layer, the window for the SESSION it opens.\n");
}

void add_compare(CommandParser& parser) {
  const auto given = std::make_shared<WithLayer<CompareRequest>>();
  Options options = parser.add(
      "compare", "Two layers stage by stage, or a layer and the numbers another program made of it",
      [given](Console& console) {
        if (any_given(given->layer)) given->request.change = read_layer_options(given->layer);
        return compare(given->request, console) ? kDone : kDifferent;
      });
  CompareRequest& words = given->request;
  options
      .add("A", words.a, "",
           "a layer, as trace takes it, or an .npz with stages by their names, as trace writes it")
      .add("B", words.b, "", "the same; without it, A again with the options of a layer")
      .add("-o,--output", words.output, "DIFF.npz", "write B − A of each stage here")
      .add("--tolerance", words.tolerance, "T",
           "what a number may differ by; 2e-6 + 2e-5·|A| when absent, which rounding explains");
  add_gradient(options, words.gradient, words.upstream);
  parser.add_device(options, words.device);
  add_layer_options(options.command(), given->layer);
  options.end_with_statuses();
}

void add_check(CommandParser& parser) {
  const auto given = std::make_shared<WithLayer<CheckRequest>>();
  Options options = parser.add(
      "check",
      "Find out why your attention differs: your own numbers, stage by stage, and the line that mends them",
      [given](Console& console) {
        if (given->request.input.empty())
          throw Error("check needs a FILE with your numbers: an .npz with weights, output or other stages",
                      Fault::option);
        if (any_given(given->layer)) given->request.change = read_layer_options(given->layer);
        return check(given->request, console) ? kDone : kDifferent;
      });
  CheckRequest& words = given->request;
  options
      .add("FILE", words.input, "",
           "your inputs and stages by the names that your code has, or a session with them")
      .add("--names", words.names, "NAME=MEANING,…",
           "what arrays are, in place of what their names say: attn.W=w_q.T (transposed), q1=q:nhd (its "
           "axes), "
           "h0= (not needed)")
      .add("--batch", words.batch, "I", "which one of a batch; 0 when absent")
      .add("--absolute", words.absolute, "T", "equal: |yours − ours| ≤ this + the relative·|ours|; 2e-6")
      .add("--relative", words.relative, "T", "2e-5 when absent")
      .add("--alone", words.alone, "try one mistake at a time, no pairs")
      .add("--three", words.three, "try three mistakes at once too: this takes a while")
      .add("--json", words.json, "as JSON");
  parser.add_device(options, words.device);
  add_layer_options(options.command(), given->layer);
  options.end_with_statuses("Status 0: equal; 1: something differs.\n");
}

// Without a workspace an input opens where it was left, a stack in its own: what the options are of is known
// when it is read.
void read_render_change(WithLayer<RenderRequest>& given) {
  RenderRequest& request = given.request;
  if (!request.workspace.empty()) return given.read_change();
  request.stack_change = read_options(read_workspace(kStackPlan.name), given.layer, given.stack);
  if (!given.stack.any()) return given.read_change();
  request.change = [layer = given.layer, stack = given.stack](Document& document) {
    read_options(read_workspace(""), layer, stack)(document);
  };
}

void add_render(CommandParser& parser) {
  const auto given = std::make_shared<WithLayer<RenderRequest>>();
  Options options = parser.add(
      "render",
      "Draw a picture of the window or a part of it, without a display; without INPUT, of the open work",
      [given](Console& console) {
        use_shader_cache_if_safe();
        if (given->request.output.empty())
          throw Error("render needs -o OUT.png, the picture to write", Fault::option);
        read_render_change(*given);
        render(given->request, console);
        return kDone;
      });
  RenderRequest& words = given->request;
  add_input(parser, options, words.input, words.device, words.workspace);
  std::string places = "look at a place of the workspace";
  for (const Workspace& workspace : workspaces())
    if (workspace.place.look_at)
      places += "; of " + std::string(workspace.name) + ": " + std::string(workspace.place.says);
  options
      .add("-o,--output", words.output, "OUT.png|.svg|.apng",
           "write the picture here; opening it restores its session")
      .add("--format", words.format, "png|svg|apng",
           "what is written, apng being an animation of all steps; by OUT's ending when absent")
      .add("--steps", words.steps, "a picture of each step: OUT-1.png, OUT-2.png …")
      .add("--present", words.present, "draw the window as it presents the step: large, for a projector")
      .add("--matrix", words.matrix, "STAGE", "draw this matrix alone, as in scores")
      .add("--plot", words.plot, "NAME", "draw this plot alone; a wrong name lists those that are shown")
      .add("--numbers", words.numbers, "FILE.csv|.npz",
           "write the numbers of that matrix or plot here, besides: a matrix with the labels of its rows and "
           "columns, x and y of each curve")
      .add("--panel", words.panel, "NAME", "draw this panel alone: bar, controls, canvas, inspector or steps")
      .add("--background", words.background, "theme|white|transparent", "what stands behind it")
      .add("--compare", words.compare, "FILE", "compare with the layer of this second input")
      .add("--look", words.look, "WORDS",
           "look at this, as in \"heads: map mean, large_head 4; positions: p 18\": fields of workspaces, "
           "step STAGE, pinned STAGE HEAD ROW COLUMN")
      .add("--stage", words.stage, "STAGE", "show the step that computes this stage, as in scores")
      .add("--lesson", words.lesson, "NAME", "play this lesson, or a lesson’s file")
      .add("--step", words.step, "K", "its step, counted from 1; the first when absent")
      .add("--page", words.page, "K", "with --present: the page of that step; the first when absent")
      .add("--size", words.size, "WxH", "pixels; 1600x1000 times the scale when absent")
      .add("--scale", words.scale, "K", "size of letters and cells, from 0.5 to 4")
      .add("--theme", words.theme, "dark|light|high-contrast", "colours")
      .add("--language", words.language, "CODE", "en, de, or a PO file of your own; English when absent")
      .add("--at", words.at, "PLACE", places)
      .add("--pin", words.pin, "STAGE:HEAD,ROW,COLUMN",
           "open this number in the inspector, as in scores:0,3,0")
      .add_hidden("--settings", words.settings);
  add_stack_options(options, given->stack);
  add_layer_options(options.command(), given->layer);
}

void add_encode(CommandParser& parser) {
  const auto request = std::make_shared<EncodeRequest>();
  Options options =
      parser.add("encode", "Write the numbers of a position encoding", [request](Console& console) {
        encode(*request, console);
        return kDone;
      });
  EncodeRequest& words = *request;
  options
      .add("KIND", words.kind, "",
           "which one, as trace's --position takes it: sinusoidal, learned:SEED, rope …")
      .add("--length", words.length, "N", "positions")
      .add("--width", words.width, "D", "features of a row; of alibi and t5 the heads")
      .add("--base", words.base, "B", "wavelengths grow up to 2π times this; 10000 when absent")
      .add("--shift", words.shift, "S", "the first position; 0 when absent")
      .add("-o,--output", words.output, "OUT.npy", "write the array here");
  parser.add_device(options, words.device);
  options.end_with_statuses();
}

void add_devices(CommandParser& parser) {
  const auto request = std::make_shared<DevicesRequest>();
  parser
      .add("devices", "List devices: verdict, error and speed of each",
           [request](Console& console) {
             list_devices(*request, console);
             return kDone;
           })
      .add("--json", request->json, "as JSON")
      .add("--retest", request->retest,
           "test every device again, those too that failed or whose driver crashed or hung");
}

void add_bench(CommandParser& parser) {
  const auto request = std::make_shared<BenchRequest>();
  Options options = parser.add("bench", "Measure how fast the program answers", [request](Console& console) {
    use_shader_cache_if_safe();
    run_bench(*request, console);
    return kDone;
  });
  BenchRequest& words = *request;
  options
      .add("WHAT", words.what, "",
           "frames, which is all that has a target (" + listed(frame_bench_names()) + "), or one of them; " +
               listed(own_bench_names()) +
               ": at the sizes that they are made for (training: a step, the products in it, and frames "
               "meanwhile); trace: packing an .npz; large: layers of which not everything is kept; "
               "attention: its time over n, compared with Eigen's")
      .add_device(words.device)
      .add("--json", words.json, "as JSON")
      .add("--quick", words.quick, "a few samples only, to see that it runs")
      .add("--n", words.n, "N,N…",
           "attention: these numbers of tokens; else 16, 32, 64 … as far as memory and time go")
      .add("--heads", words.heads, "H", "attention: heads (8)")
      .add("--d", words.d, "D", "attention: width of the layer (512)")
      .add("--mechanism", words.mechanism, "WORD[,WORD…]",
           "attention: rows of these alone (" + listed(attention_bench_mechanisms()) + ")")
      .add_hidden("--number", words.number);
}

// Runs in a child process of its own, so that a crashing driver takes nothing else along.
void add_probe(CommandParser& parser) {
  const auto word = std::make_shared<std::string>();
  parser.add("probe", "", [word](Console&) { return opencl::probe(*word); })
      .add("WHAT", *word, "", "list, or a device's number")
      .hide();
}

}  // namespace

void add_commands(CommandParser& parser, LabWords& lab) {
  add_lab(parser, lab);
  add_trace(parser);
  add_compare(parser);
  add_check(parser);
  add_render(parser);
  add_code(parser);
  add_encode(parser);
  add_train(parser);
  add_lessons(parser);
  for (const Workspace& workspace : workspaces())
    if (workspace.command_line) workspace.command_line(parser);
  add_devices(parser);
  add_bench(parser);
  add_probe(parser);
  add_describe(parser);
}

}  // namespace attn
