// The step that is shown, the snapshot of it, and what was worked out of both.
#include "app/workspaces/training/scene.h"

#include <algorithm>
#include <cmath>

#include "app/render/textures.h"

namespace attn {
namespace {

constexpr std::size_t kShownRows = 3;

// Of a branch from where it begins.
RunCurves made_curves(const TrainedRun& run) {
  const TrainingLog& log = run.log;
  RunCurves curves{
      .of = run.runner, .version = run.seen.version, .first = std::max(log.first_step, run.begins)};
  const std::size_t before = std::min(log.losses.size(), curves.first - log.first_step);
  curves.batches = Samples::of({log.losses.begin() + static_cast<std::ptrdiff_t>(before), log.losses.end()});
  const auto floats = [&](auto&& read) {
    std::vector<float> all;
    for (const auto& snapshot : log.snapshots)
      if (snapshot->state.step >= run.begins) all.push_back(static_cast<float>(read(*snapshot)));
    return Samples::of(std::move(all));
  };
  curves.steps = floats([](const TrainingSnapshot& s) { return static_cast<double>(s.state.step); });
  curves.losses = floats([](const TrainingSnapshot& s) { return s.score.loss; });
  curves.accuracies = floats([](const TrainingSnapshot& s) { return s.score.accuracy; });
  for (std::size_t group = 0; group < kParameterGroups; ++group)
    if (!log.snapshots.empty() && log.snapshots.front()->norms[group] >= 0)
      curves.norms[group] = floats([&](const TrainingSnapshot& s) { return s.norms[group]; });
  return curves;
}

// The rows whose answers are shown: held out, or typed by the person.
void keep_rows(const TrainingScene& scene) {
  TrainingMemo& memo = scene.memo;
  const auto& typed = scene.view().typed;
  const auto same_rows = [&] {
    return memo.rows_of && (memo.rows_of == scene.run.spec || (memo.rows_of->task == scene.run.spec->task &&
                                                               memo.rows_of->seed == scene.run.spec->seed));
  };
  if (memo.typed == typed && same_rows()) {
    memo.rows_of = scene.run.spec;
    return;
  }
  auto rows = std::make_shared<std::vector<TaskRow>>(held_out_rows(*scene.run.spec, kShownRows));
  for (const auto& [place, text] : typed) {
    if (place >= rows->size()) continue;
    try {
      (*rows)[place] = typed_row(scene.task(), symbols_of_row(scene.task(), text));
    } catch (const std::exception&) {  // it was typed for another task
    }
  }
  memo.last = nullptr;  // of other rows
  memo.rows = std::move(rows), memo.rows_of = scene.run.spec, memo.typed = typed;
}

// The state that is shown: of a snapshot, of a visit, or until that has come the last snapshot before.
void find_now(TrainingScene& scene) {
  const RunView& seen = scene.run.seen;
  const auto& visited = seen.visited;
  const bool exact = visited && visited->step == scene.step;
  if (exact) {
    scene.now = std::shared_ptr<const TrainingSnapshot>(visited, &visited->at);
    scene.taken = visited->taken;
  }
  for (const auto& snapshot : scene.log().snapshots)
    if (snapshot->state.step == scene.step || (!exact && snapshot->state.step < scene.step))
      scene.now = snapshot;
  if (!scene.now && !scene.log().snapshots.empty()) scene.now = scene.log().snapshots.front();
  const bool rests = !scene.frame.canvas().playing && !ImGui::IsMouseDown(0) && scene.run.end() > 0 &&
                     scene.step >= seen.log.first_step;
  if (!rests || exact || scene.run.asked == scene.step) return;
  scene.run.asked = scene.step;
  scene.run.runner->visit(scene.step);
}

void want_moments(const TrainingScene& scene) {
  MomentsWanted wanted{.spec = scene.run.spec, .rows = scene.memo.rows};
  if (scene.now) wanted.at.push_back(scene.now);
  for (const auto& snapshot : scene.log().snapshots)
    if (snapshot != scene.now) wanted.at.push_back(snapshot);
  scene.runs.bench->want(wanted);
}

std::shared_ptr<const MomentMaps> made_maps(const TrainingScene& scene,
                                            const std::shared_ptr<const TrainingMoment>& moment) {
  MomentMaps made{.of = moment, .example = std::min(scene.view().example, moment->rows.size() - 1)};
  const TaskRow& row = (*scene.memo.rows)[made.example];
  for (const MomentAttention& attention : moment->attentions) {
    made.maps.push_back(attention.map(made.example));
    std::vector<std::optional<double>> shares;
    for (std::size_t head = 0; head < made.maps.back().stack(); ++head)
      shares.push_back(share_on_right_place(scene.task(), row, attention, made.maps.back(), head));
    made.shares.push_back(std::move(shares));
  }
  return std::make_shared<const MomentMaps>(std::move(made));
}

// The head that has learnt most, as far as the run has come.
void find_best_head(const TrainingScene& scene) {
  TrainingMemo& memo = scene.memo;
  memo.best_attention = memo.best_head = 0;
  const auto last = scene.log().snapshots.empty() ? nullptr : maps_at(scene, *scene.log().snapshots.back());
  double most = 0;
  for (std::size_t attention = 0; last && attention < last->shares.size(); ++attention)
    for (std::size_t head = 0; head < last->shares[attention].size(); ++head)
      if (const auto share = last->shares[attention][head]; share && *share > most + 0.02)
        most = *share, memo.best_attention = attention, memo.best_head = head;
}

// What moments are not there any more left behind.
void drop_old(const TrainingScene& scene) {
  std::erase_if(scene.memo.curves, [&](const RunCurves& curves) {
    const auto is_of = [&](const TrainedRun& run) { return run.runner == curves.of; };
    const auto shown = scene.runs.shown();
    return std::ranges::none_of(shown, [&](const TrainedRun* run) { return is_of(*run); }) &&
           std::ranges::none_of(scene.runs.earlier, is_of);
  });
  const std::size_t most = scene.log().snapshots.size() + 8;
  if (scene.memo.maps.size() > 2 * most)
    scene.memo.maps.erase(scene.memo.maps.begin(), scene.memo.maps.end() - static_cast<std::ptrdiff_t>(most));
}

}  // namespace

ImU32 TrainingScene::colour(const TrainedRun& of) const {
  return of.letter == 'A' ? series_colour(0) : of.letter == 'B' ? series_colour(1) : series_colour(2);
}

std::size_t TrainingScene::attention() const {
  if (!seen || seen->maps.empty()) return 0;
  const bool pinned = view().attention != TrainingView::kNewest;
  return std::min(pinned ? view().attention : memo.best_attention, seen->maps.size() - 1);
}

std::size_t TrainingScene::head() const {
  if (!seen || seen->maps.empty()) return 0;
  const bool pinned = view().attention != TrainingView::kNewest;
  return std::min(pinned ? view().head : memo.best_head, seen->maps[attention()].stack() - 1);
}

Cell TrainingScene::cell() const {
  if (!seen || seen->maps.empty()) return {};
  const Tensor& map = seen->maps[attention()];
  const auto answers = [&](std::size_t query) {
    return right_places(task(), (*memo.rows)[seen->example], seen->of->attentions[attention()], query);
  };
  Cell cell{head(), view().row, view().column};
  if (cell.row >= map.rows()) {  // the second row that an answer stands for: the first is often an end
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < map.rows() && asked.size() < 2; ++i)
      if (!answers(i).empty()) asked.push_back(i);
    cell.row = asked.empty() ? std::min<std::size_t>(1, map.rows() - 1) : asked.back();
  }
  if (cell.column < map.columns()) return cell;
  const auto places = answers(cell.row);
  if (!places.empty()) return {cell.head, cell.row, places.front()};
  const auto row = map.values().subspan((cell.head * map.rows() + cell.row) * map.columns(), map.columns());
  cell.column = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
  return cell;
}

const RunCurves& curves_of(TrainingMemo& memo, const TrainedRun& run) {
  for (RunCurves& curves : memo.curves)
    if (curves.of == run.runner) {
      if (curves.version != run.seen.version) curves = made_curves(run);
      return curves;
    }
  memo.curves.push_back(made_curves(run));
  return memo.curves.back();
}

std::shared_ptr<const MomentMaps> maps_at(const TrainingScene& scene, const TrainingSnapshot& at) {
  const auto moment = scene.runs.bench->moment(&at);
  if (!moment) return nullptr;
  const std::size_t example = std::min(scene.view().example, moment->rows.size() - 1);
  for (const auto& maps : scene.memo.maps)
    if (maps->of == moment && maps->example == example) return maps;
  scene.memo.maps.push_back(made_maps(scene, moment));
  return scene.memo.maps.back();
}

std::string head_name(const TrainingScene& scene, std::size_t attention, std::size_t head) {
  if (!scene.seen) return {};
  const MomentAttention& of = scene.seen->of->attentions[attention];
  const std::string layer = (of.cross     ? "cross L"
                             : of.decoder ? "decoder L"
                                          : "L") +
                            std::to_string(of.layer);
  return layer + " H" + std::to_string(head);
}

const std::vector<std::int32_t>& placed_symbols(const MomentMaps& seen, std::size_t attention, bool asks) {
  const MomentRow& row = seen.of->rows[seen.example];
  const MomentAttention& of = seen.of->attentions[attention];
  return of.decoder && (asks || !of.cross) ? row.written : row.input;
}

namespace {

struct BoundKey {
  TrainingTask task;
  TrainingDecoder decoder;
  bool operator==(const BoundKey&) const = default;
};

}  // namespace

std::optional<TrainingBound> known_bound(const TrainingScene& scene) {
  using Found = std::optional<TrainingBound>;
  const BoundKey key{scene.task(), scene.run.spec->model.decoder};
  const auto study = scene.frame.studies.of<Found>("training.bound", key, [&]() -> StudyStep<Found> {
    return [key](Found& found, Backend&) {
      found = bound_without_positions(key.task, key.decoder);
      return true;
    };
  });
  return study.found && !study.stale ? *study.found : std::nullopt;
}

std::optional<TrainingScene> training_scene(Frame& frame) {
  TrainingView& view = frame.view.of<TrainingView>();
  if (!view.runs || !view.runs->a) return std::nullopt;
  TrainingRuns& runs = *view.runs;
  TrainedRun* run = runs.seen(view);
  TrainingScene scene{.frame = frame, .runs = runs, .memo = frame.memos.of<TrainingMemo>(), .run = *run};
  scene.step = shown_step(view, *run);
  scene.last = std::max<std::size_t>(1, frame.draft.training.steps);
  for (const TrainedRun* each : runs.shown()) scene.last = std::max(scene.last, each->end());
  for (const TrainedRun& each : runs.earlier) scene.last = std::max(scene.last, each.end());
  keep_rows(scene);
  drop_old(scene);
  find_now(scene);
  want_moments(scene);
  TrainingMemo& memo = scene.memo;
  if (memo.last && !(memo.last_of->model == run->spec->model)) memo.last = nullptr;
  if (scene.now)
    if (auto maps = maps_at(scene, *scene.now))
      memo.last = std::move(maps), memo.last_of = run->spec, memo.now = scene.now,
      memo.last_step = scene.now->state.step;
  find_best_head(scene);
  scene.seen = scene.memo.last;
  scene.lags = !frame.canvas().playing && scene.memo.last_step != scene.step;
  return scene;
}

void take_step(TrainingScene& scene, double at) {
  const double end = static_cast<double>(scene.run.end());
  double best = 0;
  for (const auto& snapshot : scene.log().snapshots) {
    const auto step = static_cast<double>(snapshot->state.step);
    if (std::abs(step - at) < std::abs(best - at)) best = step;
  }
  if (std::abs(end - at) < std::abs(best - at)) best = end;
  show_step(scene.frame.view, static_cast<std::size_t>(best));
}

void draw_small_map(const TrainingScene& scene, const Tensor& stack, std::size_t head, Rect area,
                    const ColourMap& map) {
  constexpr std::size_t kMostDrawnCells = 512;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::size_t rows = stack.rows(), columns = stack.columns();
  if (rows * columns > kMostDrawnCells) {
    Textures::Heatmap heatmap;
    heatmap.values = stack, heatmap.head = head, heatmap.map = map;
    scene.frame.textures.draw(list, area.min, area.max, heatmap, scene.theme());
    return;
  }
  const auto edge = [](float from, float whole, std::size_t i, std::size_t count) {
    return std::round(from + whole * static_cast<float>(i) / static_cast<float>(count));
  };
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      list.AddRectFilled(
          {edge(area.min.x, area.width(), c, columns), edge(area.min.y, area.height(), r, rows)},
          {edge(area.min.x, area.width(), c + 1, columns), edge(area.min.y, area.height(), r + 1, rows)},
          map_colour(scene.theme(), map, stack[{head, r, c}]));
}

}  // namespace attn
