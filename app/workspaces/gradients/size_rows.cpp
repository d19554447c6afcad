// What each bar of the sizes stands for.
#include "app/workspaces/gradients/size_rows.h"

#include <algorithm>
#include <cmath>

#include "core/system/error.h"

namespace attn {
namespace {

// What is the same until the results change.
struct GradientSizesMemo {
  GradientSizes sizes = {};
  std::size_t bytes() const { return sizes.bytes(); }
};

void measure_sizes(GradientSizesMemo& memo, const Results& results) {
  const auto& places = *results.places.as<GradientsPlaces>();
  const auto result = [&](StageIndex i) -> const StageResult& { return results.outputs[i]; };
  const auto norm = [&](StageIndex i) {
    return result(i).here() ? norm_of(result(i).whole()) : std::nan("");
  };
  std::vector<double> rows;
  const auto d = places.tokens.empty() ? std::nullopt : places.gradients.find(places.tokens.front());
  if (d && result(*d).here()) rows = row_norms(result(*d).whole());
  memo.sizes = sizes_of(results.graph, places, norm, std::move(rows));
}

std::string size_name_words(const GradientsScene& scene, double part) {
  const GradientsView& view = scene.view();
  switch (size_name(part, view.vanishing, view.exploding)) {
    case SizeName::vanishing:
      return "vanishing: below " + size_text(view.vanishing);
    case SizeName::exploding:
      return "exploding: above " + size_text(view.exploding);
    case SizeName::dead:
      return "dead: every number of it is exactly 0";
    case SizeName::unknown:
      return "not a number";
    case SizeName::usual:
      return {};
  }
  return {};
}

// The largest in magnitude, of the matrix that is shown, or of one row of it.
Cell largest_size_cell(const Tensor& numbers, std::size_t matrix, std::optional<std::size_t> row) {
  Cell most{matrix, row.value_or(0), 0};
  for (std::size_t i = row.value_or(0); i < (row ? *row + 1 : numbers.rows()); ++i)
    for (std::size_t j = 0; j < numbers.columns(); ++j)
      if (std::abs(numbers[{most.head, i, j}]) > std::abs(numbers[most])) most = {most.head, i, j};
  return most;
}

}  // namespace

Study<WhatIfsFound> study_what_ifs(const GradientsScene& scene) {
  const std::vector<WhatIf> asked = what_ifs_of(scene.spec);
  if (asked.empty()) return {};
  const Document about = what_ifs_about(scene.results.document);
  const auto begin = [&]() -> StudyStep<WhatIfsFound> {
    return [about, asked, run = std::shared_ptr<WhatIfRun>()](WhatIfsFound& found, Backend& backend) mutable {
      const WhatIf what = asked[found.all.size()];
      try {
        if (!run) run = std::make_shared<WhatIfRun>(about, what);
        run->step(backend);
        if (!run->done()) return false;
        found.all.push_back(run->sizes());
      } catch (const Error& error) {
        found.all.push_back({.what = what, .error = error.what()});
      }
      run = nullptr;
      return found.all.size() == asked.size();
    };
  };
  return scene.frame.studies.of<WhatIfsFound>("what if", about, begin);
}

const GradientSizes& sizes_on_screen(const GradientsScene& scene) {
  return scene.frame.memos.of<GradientSizesMemo>(scene.frame.engine.results, measure_sizes).sizes;
}

std::string size_text(double part) {
  if (part == 0) return "0";
  const double size = std::abs(part);
  if (!(size >= 0.01 && size < 1000)) return inspector::write_distance(part);
  if (part == 1) return "1";
  return inspector::write(part, {std::max(0, 1 - static_cast<int>(std::floor(std::log10(size)))), false});
}

std::string about_size(const GradientsScene& scene, const SizeRow& row) {
  std::string text = row.about + "\n" + size_text(row.part) + " of the norm of dO";
  if (const std::string words = size_name_words(scene, row.part); !words.empty()) text += "\n" + words;
  for (const auto& [what, part] : row.ticks)
    text += "\n" + std::string(title_of(what)) + ": " + size_text(part);
  return text + "\nclick: pins its largest number";
}

void go_to_largest(GradientsScene& scene, const SizeRow& row) {
  const auto stage = scene.results.graph.find(row.spot.stage);
  if (!stage || !scene.results.outputs[*stage].here()) return;
  const Tensor& numbers = scene.numbers(*stage);
  pin_matrix_cell(scene, *stage, largest_size_cell(numbers, matrix_head(scene, numbers.stack()), row.token));
}

std::vector<SizeRow> stage_rows(const GradientsScene& scene, const GradientSizes& sizes,
                                const std::vector<WhatIfSizes>& what_ifs) {
  const Theme& theme = scene.frame.theme;
  std::vector<SizeRow> rows;
  for (const StageSize& size : sizes.stages) {
    const Stage& of = scene.stage(size.of);
    const Stage& d = scene.stage(*scene.places().gradients.find(size.of));
    const ImU32 hue = role_colour(theme, of.role);
    SizeRow row{.name = d.title,
                .id = d.id,
                .part = size.part,
                .colour = hue == theme.text ? theme.dim : hue,
                .about = d.title + ", the gradient of " + matrix_title(scene, size.of),
                .spot = {scene.stage(*scene.places().beneath(size.of)).id, {}}};
    for (const WhatIfSizes& other : what_ifs)
      for (const auto& [id, part] : other.stages)
        if (id == of.id) row.ticks.emplace_back(other.what, part);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<SizeRow> token_rows(const GradientsScene& scene, const GradientSizes& sizes,
                                const std::vector<WhatIfSizes>& what_ifs, std::size_t most) {
  std::vector<SizeRow> rows;
  if (sizes.tokens.empty() || most == 0) return rows;
  const StageIndex of = scene.places().tokens.front();
  const Stage& stage = scene.stage(of);
  const Labels names = filled_labels(stage.rows.labels ? *stage.rows.labels : Labels(), sizes.tokens.size());
  const std::size_t each = (sizes.tokens.size() + most - 1) / most;
  for (std::size_t first = 0; first < sizes.tokens.size(); first += each) {
    const std::size_t end = std::min(first + each, sizes.tokens.size());
    std::size_t i = first;
    for (std::size_t k = first; k < end; ++k)
      if (sizes.tokens[k] > sizes.tokens[i]) i = k;
    const std::string several =
        each == 1 ? "" : ", the largest of tokens " + std::to_string(first) + " … " + std::to_string(end - 1);
    SizeRow row{.name = names[i],
                .id = "token " + std::to_string(i),
                .part = sizes.tokens[i],
                .colour = scene.frame.theme.dim,
                .about = "d" + stage.title + " of “" + names[i] + "”" + several,
                .spot = {scene.stage(*scene.places().beneath(of)).id, {}},
                .token = i};
    for (const WhatIfSizes& other : what_ifs)
      if (i < other.tokens.size()) row.ticks.emplace_back(other.what, other.tokens[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace attn
