// What the parts of the workspace of heads share: the head and the row that are looked at, what is known of
// each head, and where each part lies. Private to app/workspaces/heads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/fitted_grid.h"
#include "app/canvas/shelf.h"
#include "app/workspaces/heads/view.h"
#include "core/heads/groups.h"
#include "core/heads/plan.h"
#include "core/heads/rules.h"

namespace attn {

// Where the parts lie, from the content's top left corner.
struct HeadsAreas {
  Rect chooser, grid, large, entropy, alike, without, groups, table;
  ImVec2 content{};
};

// The layer with so many key/value heads.
struct Grouping {
  std::size_t kv_heads = 0;
  std::size_t parameters = 0, cache = 0;  // numbers; bytes a token
  std::optional<double> distance = {};    // of its output from the layer's, relative; none: not known yet
};

// What is the same until the results change.
struct HeadsMemo {
  std::vector<HeadFigures> figures = {};  // of each head; empty: too many cells to name heads by
  std::vector<HeadName> names = {};
  std::vector<double> entropy = {};      // of each head, mean of its rows
  std::vector<std::size_t> order = {};   // heads, as they are laid out
  std::vector<double> change = {};       // of the output without each head, relative to its length
  std::vector<std::size_t> moved = {};   // the query whose output each head moves most
  double most_entropy = 0;               // that a head could have; 0: not known
  Labels queries = {}, keys = {};        // their names
  std::vector<Grouping> groupings = {};  // the layer's own first
  std::size_t pieces_taken = 0;          // of the rest of the results
  std::size_t bytes() const {
    return bytes_of_all(figures, names, entropy, order, change, moved, queries, keys, groupings);
  }
};
HeadsMemo& heads_memo(Memos& memos, const std::shared_ptr<const Results>& results);

// Of results: what is drawn belongs together, even while newer numbers are on their way.
struct HeadsScene {
  Frame& frame;
  const Results& results;
  const HeadsSpec& spec;
  HeadsMemo& memo;
  std::size_t head = 0, row = 0;  // shown large; whose weights are listed

  const HeadsPlaces& places() const { return *results.places.as<HeadsPlaces>(); }
  const Tensor& numbers(StageIndex stage) const { return results.outputs[stage].whole(); }
  const Tensor& weights() const { return numbers(places().weights); }
  std::size_t heads() const { return places().heads; }
  bool muted(std::size_t which) const;
  // What the maps show: of each head, or one map of all.
  StageIndex map() const;
  // On a canvas without room for all parts the large map comes first, as large as it can be.
  bool small() const { return frame.area.width() < frame.theme.px(kRoomyScene + 2 * kSceneMargin); }
  bool one_map() const { return numbers(map()).stack() < heads(); }
  // A length relative to the output's: of head and query.
  double change_at(std::size_t which, std::size_t query) const;
  ImU32 colour(std::size_t which) const { return series_colour(which); }
};
// None before the first results.
std::optional<HeadsScene> heads_scene(Frame& frame);

// Of a head, in lines: its name, its entropy, what the output loses without it.
std::string about_head(const HeadsScene& scene, std::size_t head);
// "previous token 0.97", "no rule fits".
std::string name_and_number(const HeadsScene& scene, std::size_t head);
// Four decimals, as shares are read; "–" of what is not a number.
std::string share_text(double value, int decimals = 4);
// Key/value heads that are looked at: the choice, or the layer's own.
std::size_t looked_at_groups(const HeadsSpec& spec, const LayerSpec& layer);

void draw_head_chooser(HeadsScene& scene, Rect area);
void draw_head_maps(HeadsScene& scene, Rect area);
// What the map that is large takes at least, with numbers to be read.
ImVec2 least_large_map(const HeadsScene& scene);
void draw_large_head(HeadsScene& scene, Rect area);
void draw_head_entropies(HeadsScene& scene, Rect area);
void draw_likeness(HeadsScene& scene, Rect area);
void draw_without_head(HeadsScene& scene, Rect area);
void draw_groups(HeadsScene& scene, Rect area);
void draw_groups_table(HeadsScene& scene, Rect area);

}  // namespace attn
