// The way back through flash attention on processors: dQ = scale·dS·K, or dK = scale·dSᵀ·Q beside dV = Pᵀ·dO, tile by
// tile, with no weight that outlives its tile. Formulas: core/operations/flash_gradient.h. Shapes: Q h×n×d, K g×m×d, V
// g×m×c, dO h×n×c, result h×n×d or g×m×(d + c). Includes flash_gradient_row.cl, flash_tiles.cl.
//
// Rows are in ROWS × WIDE vectors of sums as in flash.cl; lanes come in panels of PANEL. All sums are in float.
//
// A work-group is one item.
//   lay            a matrix in panels of PANEL rows, feature by feature, and in panels of PANEL columns, row by row, with
//                  a mark for each panel of rows where it is not finite; grid: panels of rows × matrices
//   flash_back     an item computes up to `most` rows of a matrix; grid: blocks of rows × matrices

#include "flash_gradient_row.cl"
#include "flash_tiles.cl"

#define SPAN 64  // a multiple of PANEL: lanes between one look at the sums and the next

__kernel void lay(__global const float* restrict x, __global float* restrict across, __global float* restrict along,
                  __global uint* restrict special, const uint rows, const uint width) {
  const uint panel = get_global_id(0), panels = get_global_size(0), first = panel * PANEL;
  const uint used = first < rows ? min(rows - first, (uint)PANEL) : 0;
  const size_t matrix = get_global_id(1), laid = (size_t)panels * PANEL;
  const __global float* from = x + (matrix * rows + first) * width;
  pack_panel(from, across + (matrix * laid + first) * width, used, width);
  special[matrix * panels + panel] =
      !pack_columns(from, along + matrix * laid * PANELS_OF(width) * PANEL, first, used, width, laid);
}

// A vector of numbers that lie `step` apart, with zeros from the `left`th on.
static inline Lanes load_apart(const __global float* x, long step, uint left) {
  if (step == 1 && left >= LANES) return LOAD(0, x);
  float lanes[LANES];
  for (uint i = 0; i < LANES; ++i) lanes[i] = i < left ? x[i * step] : 0.0f;
  return LOAD(0, lanes);
}

// What the softmax reads of LANES scores, and by how much it grows with them; which pairs are hidden.
static inline Lanes dressed(const Queries* a, Lanes s, Lanes* slope, Ints* hidden, uint row, uint lane,
                            uint of_keys) {
  const uint i = of_keys ? lane : row, j = of_keys ? row : lane, lanes = of_keys ? a->n : a->m;
  const uint left = lanes - min(lane, lanes);
  const size_t pair = (size_t)i * a->m + j;
  const long step = of_keys ? a->m : 1;
  if (a->what & CAPPED) {
    const Lanes part = tanh(s / a->cap);
    s = a->cap * part, *slope = 1 - part * part;
  }
  if (a->what & BY_OFFSET && left > 0)
    s += load_apart(a->by_offset + (a->n - 1 - i + j), of_keys ? -1 : 1, left);
  if (a->what & BIASED) s += load_apart(a->bias + pair, step, left);
  int numbers[LANES];
  for (uint e = 0; e < LANES; ++e) numbers[e] = (int)(j + (of_keys ? 0 : e));
  const Ints key = LOAD(0, numbers);
  const Ints from = of_keys ? LOAD(0, a->from + lane) : (Ints)(a->from[row]);
  const Ints to = of_keys ? LOAD(0, a->to + lane) : (Ints)(a->to[row]);
  *hidden = (key < from) | (key >= to);
  if (a->what & MASKED) *hidden |= load_apart(a->mask + pair, step, left) != (Lanes)(0);
  return a->what & DRESSED ? s * TO_POWER : s;
}

// Of `tall` rows' pairs with a vector of lanes, in place of scores `s` and of what passes to weights `g`: weights, and
// what passes to scores.
static inline void weigh_lanes(const Queries* a, float* s, float* g, uint first, uint tall, uint rows, uint lane,
                               uint of_keys) {
  Lanes log_sum, mean;
  if (of_keys) log_sum = LOAD(0, a->log_sum + lane), mean = LOAD(0, a->mean + lane);
  for (uint r = 0; r < tall; ++r, s += SPAN, g += SPAN) {
    const uint row = min(first + r, rows - 1);
    Lanes slope = (Lanes)(1);
    Ints hidden;
    const Lanes score = dressed(a, LOAD(0, s), &slope, &hidden, row, lane, of_keys);
    if (!of_keys) log_sum = (Lanes)(a->log_sum[row]), mean = (Lanes)(a->mean[row]);
    const Lanes weight = power_below(score - log_sum);
    STORE(select(weight, (Lanes)(HIDDEN), hidden), 0, s);
    STORE(select(weight * (LOAD(0, g) - mean) * slope, (Lanes)(0), hidden), 0, g);
  }
}

static inline __attribute__((always_inline)) void multiply_tile(Lanes sums[ROWS][WIDE], const float* x,
                                                               const __global float* across, uint depth) {
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    for (uint w = 0; w < WIDE; ++w) sums[r][w] = (Lanes)(0);
  add_products(sums, x, QUERY_STEP, 1, across, PANEL, depth, WIDE);
}

// Products of ROWS rows with a panel, to `s`.
static inline void product_tile(const float* x, const __global float* across, float* s, uint depth) {
  Lanes sums[ROWS][WIDE];
  multiply_tile(sums, x, across, depth);
  store_rows(sums, s, SPAN, WIDE);
}

// What the queries of a tile have, of ROWS rows or of a panel from `lane` on, as vectors: [r·by_row + w·by_lane].
static inline void take_ends(const __global float* of, Lanes* ends, uint first, uint rows, uint lane, uint of_keys) {
  for (uint i = 0; i < (of_keys ? WIDE : ROWS); ++i)
    ends[i] = of_keys ? LOAD(i, of + lane) : (Lanes)(of[min(first + i, rows - 1)]);
}

// Of ROWS rows and a panel from `lane` on, where nothing is done to scores and nothing is hidden, weights `s` and what
// passes to scores `g`, as they come out of registers.
static inline void plain_tile(const Queries* a, const float* x, const float* z, const __global float* x_across,
                              const __global float* z_across, float* s, float* g, uint d, uint c, uint first,
                              uint rows, uint lane, uint of_keys) {
  const uint by_row = of_keys ? 0 : 1, by_lane = of_keys ? 1 : 0;
  Lanes ends[ROWS], sums[ROWS][WIDE];
  multiply_tile(sums, x, x_across, d);
  take_ends(a->log_sum, ends, first, rows, lane, of_keys);
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    for (uint w = 0; w < WIDE; ++w)
      STORE(power_below(sums[r][w] - ends[r * by_row + w * by_lane]), w, s + r * SPAN);
  multiply_tile(sums, z, z_across, c);
  take_ends(a->mean, ends, first, rows, lane, of_keys);
#pragma unroll
  for (uint r = 0; r < ROWS; ++r)
#pragma unroll
    for (uint w = 0; w < WIDE; ++w)
      STORE((sums[r][w] - ends[r * by_row + w * by_lane]) * LOAD(w, s + r * SPAN), w, g + r * SPAN);
}

// Of `count` queries from `first` on: whether one of them sees one of the keys from `key` to `end`, and whether each
// sees them all.
static inline bool sees_any(const Queries* a, uint first, uint count, uint key, uint end, bool* all) {
  bool any = false;
  *all = true;
  for (uint i = first; i < first + count; ++i) {
    any |= a->from[i] < (int)end && a->to[i] > (int)key;
    *all &= a->from[i] <= (int)key && a->to[i] >= (int)end;
  }
  return any && !(a->what & MASKED && !leaves_any(a->mask, first, min(first + count, a->n), key, min(end, a->m), a->m));
}

// `tall` rows from `first` on, times a factor; those beyond the last are the last.
static inline void take_rows(const __global float* matrix, float* x, uint first, uint tall, uint rows, uint width,
                             float factor) {
  for (uint r = 0; r < tall; ++r, x += QUERY_STEP) {
    const __global float* from = matrix + (size_t)min(first + r, rows - 1) * width;
    uint i = 0;
    for (; i + LANES <= width; i += LANES) STORE(LOAD(0, from + i) * factor, 0, x + i);
    for (; i < width; ++i) x[i] = from[i] * factor;
  }
}

// Whether one of the panels is not finite.
static inline bool any_special(const __global uint* special, uint panels) {
  uint any = 0;
  for (uint i = 0; i < panels; ++i) any |= special[i];
  return any;
}

__kernel void flash_back(__global const float* restrict x, __global const float* restrict z,
                         __global const float* restrict x_across, __global const float* restrict z_across,
                         __global const float* restrict x_along, __global const float* restrict z_along,
                         __global const uint* restrict x_special, __global const uint* restrict z_special,
                         GRADIENT_ARGUMENTS, const uint panels, const uint d_wide, const uint c_wide, const uint most) {
  const uint t = get_global_id(1), rows = of_keys ? m : n, lanes = of_keys ? n : m, first = get_global_id(0) * most;
  const size_t laid = (size_t)panels * PANEL;
  const uint used = min(rows - first, most), tall = (used + ROWS - 1) / ROWS * ROWS, width = of_keys ? d + c : d;
  __attribute__((aligned(64))) float x_rows[MOST_TALL * QUERY_STEP], z_rows[MOST_TALL * QUERY_STEP],
      s[MOST_TALL * SPAN], g[MOST_TALL * SPAN], x_sums[MOST_TALL * MOST], z_sums[MOST_TALL * MOST];
  take_rows(x + (size_t)t * rows * d, x_rows, first, tall, rows, d, what & DRESSED ? scale : scale * TO_POWER);
  take_rows(z + (size_t)t * rows * c, z_rows, first, tall, rows, c, 1);
  for (uint i = 0; i < tall * d_wide; ++i) x_sums[i] = 0;
  for (uint i = 0; i < tall * c_wide; ++i) z_sums[i] = 0;
  for (uint h = HEADS_FIRST(t); h < HEADS_LAST(t); ++h) {
    const Queries a = QUERIES_OF_HEAD;
    const size_t matrix = of_keys ? h : h / group;
    for (uint lane = 0; lane < lanes; lane += SPAN) {
      const uint count = min(lanes - lane, (uint)SPAN), wide = (count + PANEL - 1) / PANEL * PANEL;
      const size_t panel = matrix * panels + lane / PANEL;
      bool plain;
      if (!(of_keys ? sees_any(&a, lane, count, first, first + used, &plain)
                    : sees_any(&a, first, used, lane, lane + wide, &plain)))
        continue;
      plain &= count == wide && !(what & (DRESSED | MASKED));
      for (uint j = 0; j < wide; j += PANEL) {
        const size_t at = panel * PANEL + j;
        for (uint r = 0; r < tall; r += ROWS) {
          const float *x_r = x_rows + r * QUERY_STEP, *z_r = z_rows + r * QUERY_STEP;
          const __global float *x_j = x_across + at * d, *z_j = z_across + at * c;
          float *s_r = s + r * SPAN + j, *g_r = g + r * SPAN + j;
          if (plain)
            plain_tile(&a, x_r, z_r, x_j, z_j, s_r, g_r, d, c, first + r, rows, lane + j, of_keys);
          else
            product_tile(x_r, x_j, s_r, d), product_tile(z_r, z_j, g_r, c);
        }
      }
      for (uint j = 0; !plain && j < wide; j += LANES)
        weigh_lanes(&a, s + j, g + j, first, tall, rows, lane + j, of_keys);
      const bool special = any_special(x_special + panel, wide / PANEL);
      mix_panels(s, g, SPAN, x_along + (matrix * laid * PANELS_OF(d) + lane) * PANEL, laid * PANEL, x_sums, 0, tall,
               d_wide, count, special);
      if (of_keys)
        mix_panels(s, s, SPAN, z_along + (matrix * laid * PANELS_OF(c) + lane) * PANEL, laid * PANEL, z_sums, 0, tall,
                 c_wide, count, any_special(z_special + panel, wide / PANEL));
    }
  }
  for (uint r = 0; r < used; ++r) {
    __global float* y_r = y + ((size_t)t * rows + first + r) * width;
    for (uint i = 0; i < d; ++i) y_r[i] = x_sums[r * d_wide + i] * scale;
    for (uint i = 0; of_keys && i < c; ++i) y_r[d + i] = z_sums[r * c_wide + i];
  }
}
