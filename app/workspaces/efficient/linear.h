// What the parts of the recurrent network share: what is found of it behind the results, and the token that
// it has come to. Private to app/workspaces/efficient.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/workspaces/efficient/scene.h"
#include "core/efficient/linear_play.h"

namespace attn {

// As far as it is found: features first, then what is read, then the check.
struct LinearFound {
  std::shared_ptr<const LinearTask> task = {};
  std::shared_ptr<const LinearFeatures> features = {};
  std::shared_ptr<const LinearReadings> readings = {};
  std::optional<PrefixCheck> check = {};
};

// Of one token, as they are drawn.
struct LinearMatrices {
  std::shared_ptr<const LinearFeatures> of = {};
  std::size_t token = 0;
  Tensor before = {}, added = {}, after = {};  // r×c
  Tensor z = {}, key = {}, query = {};         // r×1; no query: empty
  Tensor value = {};                           // 1×c
  std::size_t bytes() const {
    std::size_t bytes = 0;
    for (const Tensor* each : {&before, &added, &after, &z, &key, &query, &value}) bytes += each->bytes();
    return bytes;
  }
};

struct LinearScene {
  const EfficientScene& scene;
  LinearFound found;
  bool stale = false;
  bool causal = false;
  std::size_t token = 0;                  // of the keys
  std::optional<std::size_t> query = {};  // that stands where the token does
  const LinearTask& task() const { return *found.task; }
  float opacity() const { return stale ? kLagging : 1; }
  // The token's key is seen by some query.
  bool is_seen() const { return token < task().last(); }
};

// The road that is played: that of its features.
Road road_played(const EfficientSpec& spec);
// Why linear attention cannot compute the layer that is shown; empty: it can.
std::string linear_refusal(const EfficientScene& scene);
// None: it is refused, or nothing is found yet.
std::optional<LinearScene> linear_scene(const EfficientScene& scene);
LinearMatrices& linear_matrices(const LinearScene& linear);

// Where query 0 stands among the keys.
std::ptrdiff_t place_of_first_query(const EfficientScene& scene);
// "elu + 1", "64 random features".
std::string feature_words(const EfficientSpec& spec);
// The token that is played, of the last there is at most.
std::size_t played_token(const EfficientScene& scene);

// In the area where something is to be drawn: why nothing is.
void draw_linear_words(const EfficientScene& scene, Rect area, const std::string& words, ImU32 colour);

// A matrix in its colours, and its item for the pointer, with an outline around one of its cells. Whether
// the pointer is over it.
struct LinearMap {
  const char* id;
  const Tensor& numbers;
  float range = 1;
  MapKind kind = MapKind::diverging;
};
void draw_linear_map(const LinearScene& linear, const LinearMap& map, Rect cells);
// The cell under the pointer; none: it is elsewhere.
std::optional<Cell> cell_under(Rect cells, const Shape& shape);
// The largest finite magnitude.
float largest_in(const Tensor& tensor);

}  // namespace attn
