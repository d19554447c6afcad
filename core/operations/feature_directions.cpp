// The directions of random features, drawn.
#include "core/operations/feature_directions.h"

#include "core/tensor/random.h"

namespace attn {

Tensor random_directions(std::size_t width, std::size_t count, std::uint64_t seed) {
  std::vector<float> directions(width * count);
  for (std::size_t e = 0; e < directions.size(); ++e) directions[e] = random_normal(seed, e);
  return {{1, width, count}, std::move(directions)};
}

}  // namespace attn
