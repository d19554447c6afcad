// What a plot works out of its data and keeps as long as the data and the axes stay the same.
#pragma once

#include "app/frame/memos.h"
#include "app/plot/plot_facts.h"
#include "app/plot/plot_path.h"
#include "app/plot/plot_pool.h"

namespace attn {

class PlotMemo {
 public:
  // Of the series at that place in the plot; valid until the next call for it.
  const SeriesFacts& facts(std::size_t index, const Series& series, bool log_x, bool log_y);
  const PlotPath& path(std::size_t index, const Series& series, const AxisScale& across, const AxisScale& up,
                       const PathOptions& options);
  // Of the other edge of a band.
  const PlotPath& second_path(std::size_t index, const Series& series, const AxisScale& across,
                              const AxisScale& up, const PathOptions& options);
  std::shared_ptr<const Textures::Pixels> pool(std::size_t index, const Series& series,
                                               const AxisScale& across, const AxisScale& up,
                                               const Theme& theme, PoolOptions options);
  std::size_t bytes() const { return bytes_of(entries_); }

 private:
  template <class T>
  struct Keyed {
    std::uint64_t key = 0;
    T value = {};
  };
  struct Entry {
    Keyed<SeriesFacts> facts;
    Keyed<PlotPath> path, second;
    Keyed<std::shared_ptr<const Textures::Pixels>> pool;
    std::size_t bytes() const {
      return bytes_of_all(path.value, second.value) +
             (pool.value ? bytes_of_all(pool.value->colours, pool.value->strips) : 0);
    }
  };
  Entry& entry(std::size_t index) {
    if (index >= entries_.size()) entries_.resize(index + 1);
    return entries_[index];
  }
  std::vector<Entry> entries_;
};

}  // namespace attn
