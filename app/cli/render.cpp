// render: a picture of the window, drawn without a display.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/canvas/presenting.h"
#include "app/canvas/steps.h"
#include "app/cli/commands.h"
#include "app/cli/measured_store.h"
#include "app/cli/render_write.h"
#include "app/frame/look.h"
#include "app/frame/visible_stages.h"
#include "app/host/offscreen.h"
#include "app/program/input.h"
#include "app/words/refuse.h"
#include "app/words/table.h"
#include "app/words/watched_device.h"
#include "app/workspaces/workspaces.h"
#include "core/document/stack_plan.h"
#include "core/io/png.h"
#include "core/opencl/watched.h"
#include "core/system/error.h"
#include "core/text/numbers.h"

namespace attn {
namespace {

constexpr float kUsualWidth = 1600, kUsualHeight = 1000;  // pixels at scale 1
constexpr int kLeastSide = 64, kLargestSide = 16384;
constexpr float kLeastScale = 0.5f, kLargestScale = 4;

float read_scale(const std::string& word) {
  if (word.empty()) return 1;
  const auto scale = parse_number<float>(word);
  if (!scale || !(*scale >= kLeastScale && *scale <= kLargestScale))
    refuse("--scale", word, "a number from 0.5 to 4");
  return *scale;
}

ImVec2 read_size(const std::string& word, float scale) {
  if (word.empty()) return {std::round(kUsualWidth * scale), std::round(kUsualHeight * scale)};
  const std::vector<std::string> sides = split(word, 'x');
  const auto side = [&](std::size_t i) {
    const auto pixels = i < sides.size() ? parse_number<int>(sides[i]) : std::nullopt;
    if (sides.size() != 2 || !pixels || *pixels < kLeastSide || *pixels > kLargestSide)
      refuse("--size", word, "pixels from 64 to 16384 a side, as in 1600x1000");
    return static_cast<float>(*pixels);
  };
  return {side(0), side(1)};
}

ThemeName read_theme(const std::string& word) {
  const std::array<std::string, 3> names{"dark", "light", "high-contrast"};
  const auto found = std::ranges::find(names, word);
  if (word.empty()) return ThemeName::dark;
  if (found == names.end()) refuse("--theme", word, listed(names), names);
  return static_cast<ThemeName>(found - names.begin());
}

// The step that computes a stage.
std::string read_stage(const std::string& word, const Graph& graph, const std::vector<StepChip>& steps) {
  if (auto step = step_of(word, graph, steps)) return *std::move(step);
  std::vector<std::string> present;
  for (const StepChip& step : steps) {
    if (step.stages.empty()) present.push_back(step.id);
    for (const StageIndex stage : step.stages) present.push_back(graph.stages[stage].id);
  }
  refuse("--stage", word, listed(present), present);
}

// "scores:0,3,0"
Spot read_pin(const std::string& word, const Results& results) {
  constexpr const char* kTakes = "STAGE:HEAD,ROW,COLUMN, counted from 0, as in scores:0,3,0";
  const std::vector<std::string> parts = split(word, ':');
  const std::vector<std::string> numbers = split(parts.back(), ',');
  std::array<std::size_t, 3> place{};
  for (std::size_t i = 0; i < place.size(); ++i) {
    const auto number = i < numbers.size() ? parse_number<std::size_t>(numbers[i]) : std::nullopt;
    if (parts.size() != 2 || numbers.size() != place.size() || !number) refuse("--pin", word, kTakes);
    place[i] = *number;
  }
  const auto stage = results.graph.find(parts[0]);
  if (!stage) {
    std::vector<std::string> stages;
    for (const Stage& s : results.graph.stages) stages.push_back(s.id);
    refuse("--pin", parts[0], "a stage of this layer: " + listed(stages), stages);
  }
  const Shape shape = results.outputs[*stage].shape();
  const Spot spot{parts[0], {place[0], place[1], place[2]}};
  if (spot.cell.head >= shape.stack || spot.cell.row >= shape.rows || spot.cell.column >= shape.columns)
    throw Error("--pin: " + parts[0] + " is " + to_string(shape) + ", so it has no cell " + parts[1] +
                    " (heads, rows and columns are counted from 0)",
                Fault::option);
  return spot;
}

// "17,6", or as many numbers as the workspace has for a place.
std::optional<Spot> read_at(const std::string& word, Application& app, const Results& results) {
  const Workspace& workspace = app.workspace();
  if (!workspace.place.look_at)
    throw Error("--at: the workspace " + std::string(workspace.title) + " has no place of its own to look at",
                Fault::option);
  std::vector<double> place;
  for (const std::string& part : split(word, ','))
    if (const auto number = parse_number<double>(part)) place.push_back(*number);
  if (place.size() != workspace.place.coordinates || split(word, ',').size() != place.size())
    refuse("--at", word, std::string(workspace.place.says));
  Document document = app.document();
  const std::optional<Spot> spot = workspace.place.look_at(document, app.view(), results, place);
  app.change(document);
  return spot;
}

// The layer of another input, for a workspace that shows both.
Document read_compared(const Workspace& workspace, const std::string& input, const LayerSpec& a) {
  if (workspace.takes != ImportKind::layer)
    throw Error("--compare: the workspace " + std::string(workspace.title) +
                    " shows one layer: use --workspace " +
                    std::string(taking(workspaces(), ImportKind::layer)->name),
                Fault::option);
  return open_compared(input, a);
}

// The device is chosen on the worker; an error there ends the command, as it does in trace.
class RequestedDevice {
 public:
  explicit RequestedDevice(WatchedDevice device)
      : budget_(std::make_shared<Budget>()),
        failure_(std::make_shared<std::optional<Error>>()),
        device_(std::move(device)) {}

  std::shared_ptr<Budget> budget() const { return budget_; }
  BackendFactory factory() const {
    return [device = device_, budget = budget_, failure = failure_](std::vector<std::string>& notes) {
      try {
        return opencl::watched(device.open(*budget, notes), opencl::WhenWrong::refuse);
      } catch (const Error& error) {
        *failure = error;
        throw;
      }
    };
  }
  void check() const {
    if (*failure_) throw **failure_;
  }

 private:
  std::shared_ptr<Budget> budget_;
  std::shared_ptr<std::optional<Error>> failure_;
  WatchedDevice device_;
};

// Throws what the device failed at, in the results or behind them: not even right results are believed then.
void check_device(const EngineState& state) {
  if (state.fault == Fault::device) throw Error(state.error, Fault::device);
  if (state.deferred && state.deferred->fault == Fault::device)
    throw Error(state.deferred->error, Fault::device);
}

// Throws what went wrong on the way to the results.
void check_computed(const EngineState& state) {
  check_device(state);
  if (!state.results || state.fault) throw Error(state.error, state.fault.value_or(Fault::device));
}

void look_as_asked(Application& app, const std::string& words) {
  try {
    app.look(words);
  } catch (const Error& error) {
    throw Error(std::string("--look: ") + error.what(), Fault::option);
  }
}

// The lesson at its step, counted from 1.
void play_as_asked(Application& app, const RenderRequest& request) {
  if (request.lesson.empty()) {
    if (!request.step.empty()) throw Error("--step is of a lesson: --lesson NAME", Fault::option);
    if (!request.page.empty()) throw Error("--page is of a lesson: --lesson NAME --present", Fault::option);
    return;
  }
  const auto step = request.step.empty() ? 1 : parse_number<std::size_t>(request.step).value_or(0);
  app.play_lesson(request.lesson, std::max<std::size_t>(step, 1) - 1);
  if (!app.plays_lesson()) throw Error("--lesson: " + app.view().message, Fault::option);
  const std::size_t steps = app.lesson().lesson->steps.size();
  if (step < 1 || step > steps) refuse("--step", request.step, "a step from 1 to " + std::to_string(steps));
}

// Counted from 0; behind the last one is the last.
std::size_t page_as_asked(const RenderRequest& request) {
  const auto page = request.page.empty() ? 1 : parse_number<std::size_t>(request.page).value_or(0);
  if (page < 1) refuse("--page", request.page, "a page, counted from 1");
  return page - 1;
}

void pin_as_asked(Application& app, const RenderRequest& request, const Results& results) {
  View& view = app.view();
  if (!request.stage.empty()) {
    show_stage(view, results.graph, request.stage);
    view.canvas().step = read_stage(request.stage, results.graph, app.steps());
  }
  if (!request.pin.empty()) {
    view.pinned = read_pin(request.pin, results);
    view.layer.head = view.pinned->cell.head;
    show_stage(view, results.graph, view.pinned->stage);
  }
  if (!request.at.empty())
    if (const auto spot = read_at(request.at, app, results)) view.pinned = spot;
}

// The results on screen.
const Results& results_of(Offscreen& screen, std::ostream& err) {
  const EngineState state = screen.app().engine_state();
  print_lines(err, state.notes);
  check_computed(state);
  return *state.results;  // kept by the application
}

// The work that is open in a window, or was when one was last closed; a lesson plays over any.
Document open_work(std::ostream& err, std::string& look, bool of_lesson) {
  if (of_lesson) return read_document(kStartExample);
  if (auto work = Store::from_environment().load_recovery()) {
    look = std::move(work->look);
    return std::move(work->document);
  }
  err << "no work is open: this is the first example\n";
  return read_document(kStartExample);
}

// The options, of the input as it was left.
void lay_over(const RenderRequest& request, const std::string& look, Document& document) {
  const bool stack = request.workspace.empty() && looks_at(look) == kStackPlan.name;
  if (const DocumentChange& laid = stack && request.stack_change ? request.stack_change : request.change)
    laid(document);
}

}  // namespace

void render(const RenderRequest& request, Console& console) {
  std::ostream& err = console.err;
  check_output(request.output, {request.input, request.compare});
  check_output(request.numbers, {request.input, request.compare, request.output});
  const PictureOptions options = read_picture_options(request);
  const Workspace& workspace = read_workspace(request.workspace);
  FileNotes notes;
  const auto change = [&](Document& read) { lay_over(request, notes.look, read); };
  Document document = request.input.empty() ? open_work(err, notes.look, !request.lesson.empty())
                                            : open_document_in(workspace, request.input, change, &notes);
  if (!notes.left_out.empty()) print_lines(err, std::vector{request.input + ": " + notes.left_out});
  if (request.input.empty()) change(document);
  Settings settings =
      request.settings.empty() ? Settings() : Store(request.settings, request.settings).load_settings();
  settings.ui_scale = 1;  // --scale has it
  if (request.settings.empty() || !request.theme.empty()) settings.theme = read_theme(request.theme);
  settings.reduce_motion = true;
  const float scale = read_scale(request.scale);
  const ImVec2 size = read_size(request.size, scale);
  std::optional<Document> compared;
  if (!request.compare.empty()) compared = read_compared(workspace, request.compare, document.layer());
  const RequestedDevice device(WatchedDevice(request.device, request.output, console));
  Offscreen screen({.document = std::move(document),
                    .settings = settings,
                    .size = size,
                    .scale = scale,
                    .backend = device.factory(),
                    .budget = device.budget(),
                    .measures = measures_of_this_machine()});
  device.check();
  Application& app = screen.app();
  check_device(app.engine_state());
  View& view = app.view();
  view.timeless = true;
  if (!request.language.empty()) read_language(request.language), view.language = request.language;
  app.show(workspace);
  if (request.workspace.empty() || looks_at(notes.look) == workspace.name) app.look_again(notes.look);
  if (!request.look.empty()) look_as_asked(app, request.look);
  if (compared) {
    Document both = app.document();
    workspace.take(both, view, {.other = *compared});
    app.change(both);
  }
  play_as_asked(app, request);
  screen.lab().settle();
  pin_as_asked(app, request, results_of(screen, err));
  if (request.present && app.plays_lesson())
    begin_presenting(view), app.lesson().slide.page = page_as_asked(request);
  else if (request.present)
    begin_presenting(view, results_of(screen, err).graph, app.steps());
  screen.lab().settle();
  check_computed(app.engine_state());
  write_pictures(screen, request, options, console);
}

}  // namespace attn
