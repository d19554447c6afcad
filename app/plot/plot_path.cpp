// From samples to lines, in three steps: samples to pixels (of many in one column of pixels the extremes),
// lines cut to the plot, points left out that lie on the line anyway. Pixels are doubles until they are cut:
// zoomed in, the neighbours of what is seen lie millions of pixels away.
#include "app/plot/plot_path.h"

#include <cmath>

#include "app/plot/plot_facts.h"
#include "app/widgets/strokes.h"

namespace attn {
namespace {

constexpr float kMargin = 16;        // pixels around the box: ends of cut lines are out of sight
constexpr std::size_t kCrowded = 2;  // samples a column from which on it is looked at as a whole

struct Place {
  double x, y;  // pixels; NaN: a gap
};

bool is_gap(const Place& place) {
  return !std::isfinite(place.x) || !std::isfinite(place.y);
}

// Of the places in one column of pixels: the lowest and the highest, in order.
class Column {
 public:
  Column(std::vector<Place>& out, float width) : out_(out), width_(width) {}

  void add(const Place& place) {
    if (is_gap(place)) return flush(), out_.push_back(place);
    if (!(place.x >= begin_ && place.x < begin_ + width_)) {
      flush();
      begin_ = std::floor(place.x / width_) * width_;
    }
    if (count_ == 0) lowest_ = highest_ = place;
    if (place.y > lowest_.y) lowest_ = place, lowest_at_ = count_;
    if (place.y < highest_.y) highest_ = place, highest_at_ = count_;
    ++count_;
  }
  void flush() {
    const bool rising = lowest_at_ < highest_at_;
    if (count_ > 0) out_.push_back(rising ? lowest_ : highest_);
    if (count_ > 1) out_.push_back(rising ? highest_ : lowest_);
    count_ = lowest_at_ = highest_at_ = 0;
  }

 private:
  std::vector<Place>& out_;
  double width_, begin_ = 0;
  std::size_t count_ = 0, lowest_at_ = 0, highest_at_ = 0;
  Place lowest_{}, highest_{};
};

// The samples that are seen, with one more on each side.
void seen_samples(const Series& series, const AxisScale& across, bool ordered, std::size_t& begin,
                  std::size_t& end) {
  begin = 0, end = series.count();
  if (!ordered) return;
  begin = first_from(series, across.range().low);
  if (begin > 0) --begin;
  end = std::min(end, first_from(series, across.range().high) + 2);
}

std::vector<Place> places_of(const Series& series, const Samples& y, const AxisScale& across,
                             const AxisScale& up, const PathOptions& options) {
  std::size_t begin = 0, end = 0;
  seen_samples(series, across, options.ordered, begin, end);
  end = std::min(end, y.count);
  std::vector<Place> places;
  const auto columns = static_cast<std::size_t>(options.box.width() / options.column) + 1;
  const bool crowded = options.ordered && end > begin && end - begin > kCrowded * columns;
  places.reserve(crowded ? 2 * columns : end - begin);
  Column column(places, options.column);
  for (std::size_t i = begin; i < end; ++i) {
    const Place place{across.place(series.x_at(i)), up.place(y[i])};
    crowded ? column.add(place) : places.push_back(place);
  }
  column.flush();
  return places;
}

bool is_inside(const Rect& box, const Place& place) {
  return place.x >= static_cast<double>(box.min.x) && place.x <= static_cast<double>(box.max.x) &&
         place.y >= static_cast<double>(box.min.y) && place.y <= static_cast<double>(box.max.y);
}

// The part of a … b inside the box; false: there is none.
bool cut(const Rect& box, Place& a, Place& b) {
  if (is_inside(box, a) && is_inside(box, b)) return true;  // nearly always, and without a division
  double from = 0, to = 1;
  const Place by{b.x - a.x, b.y - a.y};
  const auto side = [&](double room, double speed) {  // inside where room + t·speed is not negative
    if (speed == 0) return room >= 0;
    const double t = -room / speed;
    speed > 0 ? from = std::max(from, t) : to = std::min(to, t);
    return true;
  };
  if (!side(a.x - static_cast<double>(box.min.x), by.x) ||
      !side(static_cast<double>(box.max.x) - a.x, -by.x) ||
      !side(a.y - static_cast<double>(box.min.y), by.y) ||
      !side(static_cast<double>(box.max.y) - a.y, -by.y) || !(from <= to))
    return false;
  const Place start = a;
  if (from > 0) a = {start.x + from * by.x, start.y + from * by.y};
  if (to < 1) b = {start.x + to * by.x, start.y + to * by.y};
  return true;
}

ImVec2 to_pixels(const Place& place) {
  return {static_cast<float>(place.x), static_cast<float>(place.y)};
}

class PathWriter {
 public:
  PathWriter(PlotPath& path, float tolerance) : path_(path), tolerance_(tolerance) {}

  // Continues the line if it starts where that ended.
  void add(ImVec2 from, ImVec2 to) {
    if (line_.empty() || line_.back().x != from.x || line_.back().y != from.y) {
      finish();
      line_.push_back(from);
    }
    line_.push_back(to);
  }
  void finish() {
    if (line_.size() > 1) {
      const std::vector<ImVec2> kept = simplified(line_, tolerance_);
      path_.points.insert(path_.points.end(), kept.begin(), kept.end());
      path_.ends.push_back(path_.points.size());
    }
    line_.clear();
  }

 private:
  PlotPath& path_;
  float tolerance_;
  std::vector<ImVec2> line_;
};

float cross(ImVec2 a, ImVec2 b) {
  return a.x * b.y - a.y * b.x;
}

}  // namespace

PlotPath plot_path(const Series& series, const Samples& y, const AxisScale& across, const AxisScale& up,
                   const PathOptions& options) {
  const std::vector<Place> places = places_of(series, y, across, up, options);
  const Rect box{{options.box.min.x - kMargin, options.box.min.y - kMargin},
                 {options.box.max.x + kMargin, options.box.max.y + kMargin}};
  PlotPath path;
  PathWriter writer(path, options.tolerance);
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    Place a = places[i], b = places[i + 1];
    if (is_gap(a) || is_gap(b) || !cut(box, a, b)) continue;
    writer.add(to_pixels(a), to_pixels(b));
  }
  writer.finish();
  return path;
}

// From the last point kept, a cone of directions passes all points since within the tolerance; a point
// outside of it ends the piece at the one before.
std::vector<ImVec2> simplified(const std::vector<ImVec2>& line, float tolerance) {
  std::vector<ImVec2> kept{line.front()};
  ImVec2 left{}, right{};  // the cone's sides; equal: every direction is allowed
  float reach = 0;         // how far the points since lie from the last one kept
  for (std::size_t i = 1; i < line.size(); ++i) {
    ImVec2 from = kept.back();
    ImVec2 to{line[i].x - from.x, line[i].y - from.y};
    float distance = stroke_length(to);
    const bool open = reach == 0;
    if (!open && (distance < reach || cross(right, to) < 0 || cross(to, left) < 0)) {
      kept.push_back(line[i - 1]);
      from = line[i - 1];
      to = {line[i].x - from.x, line[i].y - from.y};
      distance = stroke_length(to);
      reach = 0;
    }
    if (distance <= tolerance) continue;
    const float aside = tolerance / distance;
    const ImVec2 l{to.x - aside * to.y, to.y + aside * to.x}, r{to.x + aside * to.y, to.y - aside * to.x};
    if (reach == 0 || cross(l, left) > 0) left = l;
    if (reach == 0 || cross(right, r) > 0) right = r;
    reach = distance;
  }
  if (line.size() > 1) kept.push_back(line.back());
  return kept;
}

}  // namespace attn
