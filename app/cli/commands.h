// The commands behind the words of the command line. They throw Error; command_line turns it into a status,
// and then nothing is printed or written.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/stack_options.h"
#include "app/words/console.h"
#include "core/backend/backend.h"
#include "core/system/budget.h"

namespace attn {

class Application;

struct TraceRequest {
  std::string input;
  std::string output;  // empty: print
  std::string device = "auto";
  std::string workspace = {};  // empty: the first
  // full, flash[:ROWS,KEYS] or linear[:elu|relu|random:R:SEED]; empty: flash where `only` allows it
  std::string mechanism = {};
  std::string rows = {};       // I:J, of queries, the last not included; empty: all
  std::string only = {};       // stages, separated by commas; empty: all
  bool gradient = false;       // and a loss, and what flows back from it
  std::string upstream = {};   // which loss (app/cli/layer_gradients.h); empty: the sum of the output
  bool check = false;          // the gradients, against central differences
  DocumentChange change = {};  // may be empty
};

// Computes every stage, or those asked for; prints them, or writes them to `output`. What does not fit into
// memory or on the disk is refused before it is computed. False: gradients are not what differences say.
bool trace(const TraceRequest& request, Console& console);
// The same of a graph that is there. `budget`: the backend's.
// `only`: ids of the stages that are printed or written, with what they need computed; empty: all.
void trace_stages(Backend& backend, const Budget& budget, const Graph& graph, const std::string& output,
                  Console& console, const std::vector<std::string>& only = {});

struct CodeRequest {
  TraceRequest of;  // what is computed
  std::string as;   // which language
};

// Prints a program that computes the same by itself, or writes it to the output of `of`.
void code_program(const CodeRequest& request, Console& console);
std::string code_words();  // "pytorch|numpy|…"

// Words as given; absent ones are empty.
struct CompareRequest {
  std::string a, b;  // without b, a again with the change
  std::string output, tolerance;
  std::string device = "auto";
  bool gradient = false;  // with a loss and what flows back from it, as trace has them
  std::string upstream = {};
  LayerChange change = {};  // laid over the layer of b; may be empty
};

// Prints how far the stages of B lie from those of A, and the first that differs by more than the tolerance;
// writes B − A to `output`. Either is a layer, or an .npz with the stages of one as arrays. Whether none
// differs. What does not fit into memory is refused before it is computed.
bool compare(const CompareRequest& request, Console& console);

// Words as given; absent ones are empty.
struct CheckRequest {
  std::string input;
  std::string device = "auto";
  std::string names;               // NAME=MEANING, separated by commas (core/io/dump.h)
  std::string batch;               // which one of a batch axis
  std::string absolute, relative;  // what numbers may differ by
  bool alone = false;              // one mistake at a time, no pairs
  bool three = false;              // and three at once
  bool json = false;
  LayerChange change = {};  // laid over the layer that the file tells
};

// Holds another program's numbers against the layer that they should be of, and prints which stage differs
// first and which known mistakes make the difference. Whether none differs.
bool check(const CheckRequest& request, Console& console);

// Words as given; absent ones are empty.
struct EncodeRequest {
  std::string kind, length, width, base, shift, output;
  std::string device = "auto";
};

// Writes the numbers of a position encoding: length×width of what is added to X, or of RoPE's cosines and
// sines; width×length×length of a bias of that many heads; for relative vectors a row for each offset.
void encode(const EncodeRequest& request, Console& console);

// Words as given; absent ones are empty.
struct RenderRequest {
  std::string input;  // empty: the open work, else the first example
  std::string output;
  std::string device = "auto";
  std::string workspace, compare, stage, size, scale, theme, look, pin, at, language;
  std::string matrix, plot, panel;  // one part of the window; all empty: the window
  std::string numbers;              // of that matrix or plot, besides: a .csv or .npz
  std::string format, background;
  // One that is played, which of its steps and, as it is presented, of that step's pages, from 1; empty:
  // none, the first.
  std::string lesson, step, page;
  bool steps = false;    // a picture of each
  bool present = false;  // the window as it presents
  std::string settings =
      {};  // the folder of a window's, for a window that draws its steps; and it is told of each
  DocumentChange change = {};  // may be empty
  // In its place where no workspace is named and the input opens as a stack; may be empty.
  DocumentChange stack_change = {};
};

// Draws the window, or a part of it, without a display and writes it as PNG or SVG that carries the session.
void render(const RenderRequest& request, Console& console);

// Words as given; absent ones are empty.
struct LabRequest {
  std::string input, device, ui_scale, language;
  std::string lesson;                            // that is played first; empty: none
  StartChange change = {};                       // laid over the input; may be empty
  std::function<void(Application&)> drawn = {};  // called after each frame; may be empty
};

// Opens the window and returns when it is closed. Without a display nothing is drawn: the error says what
// draws a picture.
void open_lab(const LabRequest& request, const Console& console);

struct DevicesRequest {
  bool json = false;
  bool retest = false;  // whatever is known of them
};

// Lists every device with its verdict.
void list_devices(const DevicesRequest& request, Console& console);

struct BenchRequest {
  std::string what = "frames";
  std::string device = "auto";
  bool json = false;
  bool quick = false;    // a few samples only: to see that it runs
  long long number = 0;  // what the benchmark gives its own child processes
  // Of attention, as given; absent ones are empty.
  std::string n = {}, heads = {}, d = {}, mechanism = {};
};

// All that `bench` measures by a name.
std::vector<std::string> bench_names();
// The parts of `bench frames`, which can be measured alone.
std::vector<std::string> frame_bench_names();
// Workspaces with a benchmark of their own, at the sizes that they are made for.
std::vector<std::string> own_bench_names();
// What has rows in `bench attention`.
std::vector<std::string> attention_bench_mechanisms();
// Measures how fast the program answers and prints it next to its target.
void run_bench(const BenchRequest& request, Console& console);

}  // namespace attn
