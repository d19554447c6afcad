// Layers whose masks are made wrong.
#include <algorithm>
#include <functional>

#include "core/diagnosis/mistake_forms.h"

namespace attn::mistake_forms {
namespace {

constexpr float kHidden = 1, kSeen = 0;

// What the rules and the painted mask hide together: a matrix, or one for each that is painted.
Tensor hidden_pairs(const LayerSpec& layer) {
  const std::size_t n = query_count(layer), m = key_count(layer);
  const Shape shape{layer.mask.empty() ? 1 : layer.mask.stack(), n, m};
  std::vector<float> values;
  values.reserve(shape.size());
  const std::ptrdiff_t first = first_place(layer.masks, n, m);
  for (std::size_t s = 0; s < shape.stack; ++s)
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<char> rules = MaskRow(layer.masks, {n, m, i, 0, first}).masked();
      for (std::size_t j = 0; j < m; ++j) {
        const bool painted = !layer.mask.empty() && layer.mask[{s, i, j}] != 0;
        values.push_back(rules[j] || painted ? kHidden : kSeen);
      }
    }
  return {shape, std::move(values)};
}

Tensor inverted(const Tensor& mask) {
  std::vector<float> values;
  values.reserve(mask.shape().size());
  for (const float value : mask.values()) values.push_back(value != 0 ? kSeen : kHidden);
  return {mask.shape(), std::move(values)};
}

bool hides_rows(const LayerSpec& layer) {
  const Tensor hidden = hidden_pairs(layer);
  const std::size_t m = hidden.columns();
  const auto row = [&](std::size_t i) { return hidden.values().subspan(i * m, m); };
  for (std::size_t i = 0; i < hidden.stack() * hidden.rows(); ++i)
    if (std::ranges::find(row(i), kSeen) == row(i).end()) return true;
  return false;
}

bool has_nan(const GivenNumbers& numbers) {
  return std::ranges::any_of(numbers.yours, [](const GivenStage& stage) {
    return std::ranges::any_of(stage.numbers.values(), [](float x) { return x != x; });
  });
}

// A row without a key is what code makes of it: zeros where it takes care, alike weights where the fill is a
// number, NaN where it is −∞.
void add_empty_rows(Forms& forms, const GivenNumbers& numbers) {
  const std::size_t count = forms.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!hides_rows(forms[i].layer)) continue;
    const auto with = [&](EmptyRow empty, const std::string& says) {
      if (forms[i].layer.empty_row == empty) return;
      MistakenLayer form = forms[i];
      form.layer.empty_row = empty;
      form.detail += (form.detail.empty() ? "" : ", ") + says;
      forms.push_back(std::move(form));
    };
    with(EmptyRow::uniform, "rows with no key uniform");
    if (has_nan(numbers)) with(EmptyRow::nan, "rows with no key NaN");
  }
}

bool has_mask(const LayerSpec& layer) {
  return !layer.masks.empty() || !layer.mask.empty();
}
bool masks_scores(const LayerSpec& layer) {
  return has_mask(layer) && layer.mask_at == MaskAt::before;
}

bool is_global(const MaskTerm& term) {
  return std::holds_alternative<GlobalRule>(term.rule);
}

// Not (a or b) is not a and not b. Global tokens free cells of rules whether negated or not, and a painted
// mask is joined by OR alone: with those the inverse is painted, behind rules that hide nothing and still say
// where the queries stand.
void invert_whole(LayerSpec& layer) {
  if (layer.mask.empty() && std::ranges::none_of(layer.masks, is_global)) {
    for (MaskTerm& term : layer.masks) {
      term.negated = !term.negated;
      term.join = term.join == Join::any ? Join::all : Join::any;
    }
    return;
  }
  layer.mask = inverted(hidden_pairs(layer));
  if (!layer.masks.empty())
    layer.masks.push_back({.rule = PaddingRule{{key_count(layer)}}, .join = Join::all});
}

}  // namespace

Forms mask_inverted(const LayerSpec& layer, const GivenNumbers& numbers) {
  if (!has_mask(layer)) return {};
  Forms forms{changed(layer, invert_whole)};
  const auto rules = static_cast<std::size_t>(std::ranges::count_if(layer.masks, std::not_fn(is_global)));
  if (rules + !layer.mask.empty() > 1) {
    for (std::size_t t = 0; t < layer.masks.size(); ++t)
      if (!is_global(layer.masks[t]))
        forms.push_back(changed(
            layer, [&](LayerSpec& l) { l.masks[t].negated = !l.masks[t].negated; },
            std::string(name(layer.masks[t].rule)) + " alone"));
    if (!layer.mask.empty())
      forms.push_back(changed(
          layer, [&](LayerSpec& l) { l.mask = inverted(l.mask); }, "painted alone"));
  }
  add_empty_rows(forms, numbers);
  return forms;
}

Forms mask_after_softmax(const LayerSpec& layer, const GivenNumbers&) {
  if (!masks_scores(layer)) return {};
  return {changed(layer, [](LayerSpec& l) { l.mask_at = MaskAt::after; })};
}

Forms mask_adds_1(const LayerSpec& layer, const GivenNumbers&) {
  if (!masks_scores(layer)) return {};
  return {changed(layer, [](LayerSpec& l) { l.fill = Fill::add_one; })};
}

Forms causal_sees_ahead(const LayerSpec& layer, const GivenNumbers&) {
  const auto* causal = find_rule<CausalRule>(layer);
  if (!causal) return {};
  CausalRule ahead = *causal;
  ++ahead.ahead;
  return {changed(layer, [&](LayerSpec& l) { set_rule<CausalRule>(l, ahead); })};
}

// A rule cannot see less far than its place: the last key that it leaves is painted away, where rules are
// joined by OR alone as that is.
Forms causal_hides_itself(const LayerSpec& layer, const GivenNumbers& numbers) {
  const auto* causal = find_rule<CausalRule>(layer);
  const auto is_plain = [](const MaskTerm& term) { return !term.negated && term.join == Join::any; };
  if (!causal || !std::ranges::all_of(layer.masks, is_plain)) return {};
  const std::size_t n = query_count(layer), m = key_count(layer);
  const Shape shape{layer.mask.empty() ? 1 : layer.mask.stack(), n, m};
  std::vector<float> values(shape.size(), kSeen);
  if (!layer.mask.empty()) std::ranges::copy(layer.mask.values(), values.begin());
  for (std::size_t row = 0; row < shape.stack * n; ++row) {
    const long last = last_key(*causal, {n, m, row % n, 0, first_place(layer.masks, n, m)});
    if (last >= 0 && last < static_cast<long>(m)) values[row * m + static_cast<std::size_t>(last)] = kHidden;
  }
  Forms forms{changed(layer, [&](LayerSpec& l) { l.mask = Tensor(shape, std::move(values)); })};
  add_empty_rows(forms, numbers);
  return forms;
}

Forms causal_alignment(const LayerSpec& layer, const GivenNumbers& numbers) {
  const auto* causal = find_rule<CausalRule>(layer);
  if (!causal || query_count(layer) == key_count(layer)) return {};
  CausalRule other = *causal;
  other.align = causal->align == CausalAlign::top_left ? CausalAlign::lower_right : CausalAlign::top_left;
  Forms forms{changed(
      layer, [&](LayerSpec& l) { set_rule<CausalRule>(l, other); },
      other.align == CausalAlign::top_left ? "yours: top left" : "yours: lower right")};
  const Mistake& mistake = *find_mistake("causal-alignment");
  if (other.align == CausalAlign::lower_right)
    forms[0].fix = Fix{std::string(mistake.right), std::string(mistake.wrong)};
  add_empty_rows(forms, numbers);
  return forms;
}

Forms padding_forgotten(const LayerSpec& layer, const GivenNumbers&) {
  if (!find_rule<PaddingRule>(layer)) return {};
  return {changed(layer, [](LayerSpec& l) { set_rule<PaddingRule>(l, std::nullopt); })};
}

Forms padding_of_queries(const LayerSpec& layer, const GivenNumbers& numbers) {
  const auto* padding = find_rule<PaddingRule>(layer);
  const std::size_t n = query_count(layer), m = key_count(layer);
  if (!padding || padding->lengths.size() != 1 || n != m) return {};
  PaddingRule rows{std::vector<std::size_t>(n, m)};
  std::fill(rows.lengths.begin() + static_cast<std::ptrdiff_t>(std::min(padding->lengths[0], n)),
            rows.lengths.end(), std::size_t{0});
  Forms forms{changed(layer, [&](LayerSpec& l) { set_rule<PaddingRule>(l, std::move(rows)); })};
  add_empty_rows(forms, numbers);
  return forms;
}

Forms window_off_by_one(const LayerSpec& layer, const GivenNumbers&) {
  const auto* window = find_rule<WindowRule>(layer);
  if (!window) return {};
  const auto of_width = [&](std::size_t width, std::string detail) {
    MistakenLayer made = changed(
        layer, [&](LayerSpec& l) { set_rule<WindowRule>(l, WindowRule{width}); }, std::move(detail));
    const std::string apart = find_rule<CausalRule>(layer) ? "i - j > " : "(i - j).abs() > ";
    made.fix = Fix{"mask = " + apart + std::to_string(width) + "  # True: is hidden",
                   "mask = " + apart + std::to_string(window->width) + "  # True: is hidden"};
    return made;
  };
  Forms forms{of_width(window->width + 1, "one key more")};
  if (window->width > 0) forms.push_back(of_width(window->width - 1, "one key less"));
  return forms;
}

}  // namespace attn::mistake_forms
