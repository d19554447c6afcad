// The controls of the workspace of training: task, model, optimiser, run, runs.
#include <algorithm>
#include <cmath>

#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/fields/possible_row.h"
#include "app/fields/slider.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/workspaces/training/row.h"
#include "app/workspaces/training/scene.h"
#include "core/system/error.h"
#include "core/text/text.h"
#include "core/training/fields.h"

namespace attn {
namespace {

namespace f = training_field;
constexpr const char* kPart = "training";

// What is to be learnt, what is scored, and what the task needs positions for.
std::string task_tooltip(TrainingTaskKind kind) {
  const TrainingTaskText& text = task_text(kind);
  std::string words = std::string(text.learns) + "; scored: " + std::string(text.scored);
  switch (kind) {
    case TrainingTaskKind::copy:
      return words +
             ". A decoder answers: an encoder with a residual would have it for nothing, since each symbol "
             "is "
             "its own answer";
    case TrainingTaskKind::sort:
      return words + ". No order is needed to know what comes first, but to say where one stands";
    case TrainingTaskKind::recall:
    case TrainingTaskKind::induction:
      return words + ". The model sees no later places, so it can tell the order without positions";
    default:
      return words;
  }
}

void count_field(Frame& frame, Column column, const CountField& field, std::size_t& value) {
  field_row(frame, column, kPart, field, value);
}

void draw_pairs(Frame& frame, Column column) {
  TrainingSettings& settings = frame.draft.training;
  const std::size_t count = settings.pairs.empty() ? example_pairs().size() : settings.pairs.size();
  hint(frame, column,
       settings.pairs.empty()
           ? "English plurals, until you paste your own: a pair each line, as in “cat = cats”"
           : std::to_string(count) + " pairs of your own");
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add(
          {.id = "training.paste",
           .text = "paste pairs",
           .tooltip = "from the clipboard: a pair each line, its two texts apart by a tab, “ = ” or “ -> ”"}))
    frame.commands.emplace_back("training.paste_pairs");
  if (!settings.pairs.empty() &&
      row.add({.id = "training.example_pairs", .text = "the example", .tooltip = "English plurals again"}))
    settings.pairs.clear();
}

void draw_task(Frame& frame, Column column) {
  TrainingSettings& settings = frame.draft.training;
  const std::string state = state_of(f::task, settings.task);
  if (!foldable_section(frame, column, {.title = "Task", .state = state, .open = true})) return;
  {
    ChipRow row(frame.theme, column.left, column.right);
    for (const auto& word : f::task.words)
      if (row.add({.id = "training.task " + std::string(word.word),
                   .text = std::string(word.title),
                   .tooltip = task_tooltip(word.choice),
                   .on = settings.task == word.choice}) &&
          settings.task != word.choice)
        settings = settings_for(settings, word.choice);
  }
  switch (settings.task) {
    case TrainingTaskKind::modular:
      count_field(frame, column, f::modulus, settings.modulus);
      field_row(frame, column, kPart, f::train_share, settings.train_share);
      return;
    case TrainingTaskKind::own:
      field_row(frame, column, kPart, f::train_share, settings.train_share);
      return draw_pairs(frame, column);
    case TrainingTaskKind::dates:
      return;
    default:
      count_field(frame, column, f::length, settings.length);
      count_field(frame, column, f::symbols, settings.symbols);
  }
}

// Heads that divide the width, each no wider than a kernel takes.
std::vector<std::size_t> possible_heads(const TrainingSettings& settings) {
  std::vector<std::size_t> possible;
  for (std::size_t heads = 1; heads <= std::min(settings.width, f::heads.most); ++heads)
    if (settings.width % heads == 0 && settings.width / heads <= SequenceAttention::kMostWidth)
      possible.push_back(heads);
  return possible;
}

void check_heads(const TrainingSettings& settings) {
  if (std::string why = model_refusal(planned_run(settings).spec.model, planned_run(settings).spec.task);
      !why.empty())
    throw Error(why);
}

void draw_model(Frame& frame, Column column) {
  TrainingSettings& settings = frame.draft.training;
  const std::string state = states({std::to_string(settings.layers) + " × " + std::to_string(settings.heads),
                                    "d " + std::to_string(settings.width)});
  if (!foldable_section(frame, column, {.title = "Model", .state = state, .open = true})) return;
  count_field(frame, column, f::layers, settings.layers);
  const auto use = [&](std::size_t TrainingSettings::*member) {
    return [&settings, member](std::size_t value) {
      TrainingSettings changed = settings;
      changed.*member = value;
      check_heads(changed);
      settings = changed;
    };
  };
  possible_row(frame, column, row_in(kPart, f::heads.text),
               {.value = settings.heads, .least = f::heads.least, .most = f::heads.most},
               among(possible_heads(settings)), use(&TrainingSettings::heads));
  possible_row(frame, column, row_in(kPart, f::width.text),
               {.value = settings.width, .least = f::width.least, .most = f::width.most},
               multiples_of(settings.heads, f::width.most), use(&TrainingSettings::width));
  count_field(frame, column, f::inner, settings.inner);
  field_row(frame, column, kPart, f::position, settings.position);
  if (task_text(settings.task).sides == TrainingSides::both)
    field_row(frame, column, kPart, f::decoder, settings.decoder);
  ChipRow row(frame.theme, column.left, column.right);
  const auto chip = [&](const SwitchField& field, bool& on) {
    switch_chip(row,
                {.id = "training." + std::string(field.text.key),
                 .text = std::string(field.text.title),
                 .tooltip = std::string(field.text.sentence)},
                on);
  };
  chip(f::scale, settings.scale);
  chip(f::residual, settings.residual);
}

void draw_optimiser(Frame& frame, Column column) {
  TrainingSettings& settings = frame.draft.training;
  const std::string state = states({state_of(f::optimizer, settings.optimizer), brief(settings.rate)});
  if (!foldable_section(frame, column, {.title = "Optimiser", .state = state, .open = true})) return;
  field_row(frame, column, kPart, f::optimizer, settings.optimizer);
  field_row(frame, column, kPart, f::rate, settings.rate);
  if (const auto wanted =
          number_track(frame, column, "training.rate slider", f::rate, settings.rate, 1e-5, 0.1, true))
    settings.rate = *wanted;
  count_field(frame, column, f::batch, settings.batch);
  count_field(frame, column, f::warm_up, settings.warm_up);
  count_field(frame, column, f::seed, settings.seed);
}

// What few people change.
void draw_moments(Frame& frame, Column column) {
  TrainingSettings& settings = frame.draft.training;
  const bool moments = settings.optimizer != OptimizerKind::sgd;
  const std::string state =
      states({moments ? "β " + brief(settings.beta1) + ", " + brief(settings.beta2) : "",
              settings.decay > 0 ? "decay " + brief(settings.decay) : ""});
  if (!foldable_section(frame, column, {.title = "Betas and decay", .state = state})) return;
  if (moments) {
    field_row(frame, column, kPart, f::beta1, settings.beta1);
    field_row(frame, column, kPart, f::beta2, settings.beta2);
  }
  field_row(frame, column, kPart, f::decay, settings.decay);
}

std::string speed_words(double speed) {
  return speed >= training_view_field::kMostSpeed ? "as fast as it goes" : brief(speed) + " steps/s";
}

// "300 of 300 steps, 31 snapshots", in a bar as long as the run has come.
void draw_reached(Frame& frame, Column column, const TrainingRuns& runs) {
  const Theme& theme = frame.theme;
  const std::size_t steps = frame.draft.training.steps, end = runs.a->end(),
                    count = runs.a->log.snapshots.size();
  const std::string words = std::to_string(std::min(end, steps)) + " of " + std::to_string(steps) +
                            " steps, " + std::to_string(count) + (count == 1 ? " snapshot" : " snapshots");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = theme.px(20),
              share = std::min(1.0f, static_cast<float>(end) / static_cast<float>(steps));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({column.left, at.y}, {column.right, at.y + height}, theme.chip, theme.px(3));
  if (share > 0)
    list.AddRectFilled({column.left, at.y},
                       {column.left + (column.right - column.left) * share, at.y + height}, theme.accent_soft,
                       theme.px(3));
  const ImFont* font = theme.fonts.small;
  draw_text(list, font, {column.left + theme.px(8), at.y + (height - font_size(font)) / 2}, theme.text,
            elided(font, words, column.right - column.left - theme.px(12)));
  ImGui::SetCursorScreenPos({column.left, at.y + height + theme.px(8)});
}

void draw_run(Frame& frame, Column column) {
  TrainingView& view = frame.view.of<TrainingView>();
  const std::string state = std::to_string(frame.draft.training.steps) + " steps";
  if (!foldable_section(frame, column, {.title = "Run", .state = state, .open = true})) return;
  {
    ChipRow row(frame.theme, column.left, column.right);
    const bool playing = frame.canvas().playing;
    const auto command = [&](const char* name, const char* text, const char* tooltip, bool on = false) {
      if (row.add({.id = name, .text = text, .tooltip = tooltip, .on = on}))
        frame.commands.emplace_back(name);
    };
    command("training.play", playing ? "pause" : "play",
            "trains on; from an earlier step with another rate or batch it branches off as run C (Space)",
            playing);
    command("training.step", "step", "a single step (Shift+→)");
    command("training.reset", "reset", "from step 0 again; what was trained stays as a faint curve (R)");
  }
  count_field(frame, column, f::steps, frame.draft.training.steps);
  const auto speed = slider_row(frame, column, row_in(kPart, training_view_field::speed.text),
                                {.value = view.speed,
                                 .least = 1,
                                 .most = training_view_field::kMostSpeed,
                                 .log = true,
                                 .shown = speed_words(view.speed)});
  if (speed) view.speed = *speed;
  if (view.runs && view.runs->a) draw_reached(frame, column, *view.runs);
}

// A line for each run; a click shows its maps.
void run_line(Frame& frame, Column column, const TrainedRun& run, bool seen, ImU32 colour) {
  const Theme& theme = frame.theme;
  TrainingView& view = frame.view.of<TrainingView>();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = theme.px(21), middle = at.y + height / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({column.left, middle - theme.px(1.5f)},
                     {column.left + theme.px(16), middle + theme.px(1.5f)}, colour, theme.px(1.5f));
  const ImFont *body = theme.fonts.body, *bold = theme.fonts.bold, *small = theme.fonts.small;
  const std::string letter(1, run.letter), state = seen ? "seen" : "faint";
  float x = column.left + theme.px(24);
  draw_text(list, bold, {x, middle - font_size(bold) / 2}, read_colour(theme, colour, theme.panel), letter);
  x += text_width(bold, letter) + theme.px(8);
  const float right = column.right - text_width(small, state);
  draw_text(list, body, {x, middle - font_size(body) / 2}, theme.text,
            elided(body, run.name, right - x - theme.px(8)));
  draw_text(list, small, {right, middle - font_size(small) / 2}, seen ? theme.text : theme.dim, state);
  const std::string id = "training.run " + letter;
  if (press_area(theme, id.c_str(), {{column.left, at.y}, {column.right, at.y + height}},
                 "maps, examples and weights of run " + letter))
    view.other = run.letter == 'B', view.branch = run.letter == 'C';
  ImGui::SetCursorScreenPos({column.left, at.y + height});
}

void draw_runs(Frame& frame, Column column) {
  TrainingSettings& settings = frame.draft.training;
  TrainingView& view = frame.view.of<TrainingView>();
  const std::string state = state_of(f::beside, settings.beside);
  if (!foldable_section(frame, column, {.title = "Runs", .state = state, .open = true})) return;
  if (view.runs)
    for (const TrainedRun* run : view.runs->shown())
      run_line(frame, column, *run, run == view.runs->seen(view),
               series_colour(run->letter == 'A'   ? 0
                             : run->letter == 'B' ? 1
                                                  : 2));
  ImGui::SetCursorScreenPos({column.left, ImGui::GetCursorScreenPos().y + frame.theme.px(4)});
  ChipRow row(frame.theme, column.left, column.right);
  for (const auto& word : f::beside.words) {
    if (word.choice == RunDifference::none) continue;
    const std::string why = difference_refusal(settings, word.choice);
    const bool on = settings.beside == word.choice;
    if (row.add({.id = "training.beside " + std::string(word.word),
                 .text = std::string(word.title),
                 .tooltip = !why.empty() ? why : "run B is A with this one change; again: no run B",
                 .on = on && why.empty(),
                 .faint = !why.empty()}) &&
        why.empty())
      settings.beside = on ? RunDifference::none : word.choice;
  }
}

}  // namespace

void draw_training_controls(Frame& frame, Column column) {
  draw_task(frame, column);
  draw_model(frame, column);
  draw_optimiser(frame, column);
  draw_run(frame, column);
  draw_runs(frame, column);
  draw_moments(frame, column);
}

}  // namespace attn
