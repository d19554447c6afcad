#include <algorithm>
#include <cmath>

#include "core/attention/layer.h"
#include "core/text.h"

namespace attn {
namespace {

using Inputs = std::vector<StageIndex>;

// Builds the graph stage by stage; the members are the axes that the stages share.
class Builder {
 public:
  explicit Builder(const LayerSpec& layer) : layer_(layer) {
    const auto tokens = std::make_shared<const Labels>(layer.tokens);
    const bool own_keys = layer.direct || !layer.memory.empty();
    const bool shared = !own_keys || (layer.memory_tokens.empty() && key_count(layer) == query_count(layer));
    queries_ = {"query", tokens};
    keys_ = {"key", shared ? tokens : std::make_shared<const Labels>(layer.memory_tokens)};
  }

  Graph build() {
    layer_.direct ? direct() : projected();
    const StageIndex weights = softmax(masked(biased(scaled(scores()))));
    const StageIndex kept = dropped(weights);
    merge(add("head_output", "head output", "weights · V", MatMul{}, {kept, v_}, queries_, feature_));
    return std::move(graph_);
  }

 private:
  // Appends a stage. A stage with overridden cells becomes two: as computed, and as overridden.
  StageIndex add(std::string id, std::string title, std::string formula, Operation op, Inputs inputs,
                 Axis rows, Axis columns, bool traced = true) {
    Override override;
    for (const StageOverride& o : layer_.overrides)
      if (o.stage == id) override.cells.push_back(o.value);
    Stage stage{.id = id,
                .title = title,
                .formula = formula,
                .operation = std::move(op),
                .inputs = std::move(inputs),
                .rows = rows,
                .columns = columns,
                .shape = {},
                .traced = traced};
    if (override.cells.empty()) return graph_.add(std::move(stage));
    stage.id += "_computed";
    stage.title += " as computed";
    stage.traced = false;
    const StageIndex computed = graph_.add(std::move(stage));
    return graph_.add({.id = std::move(id),
                       .title = std::move(title),
                       .formula = std::move(formula),
                       .operation = std::move(override),
                       .inputs = {computed},
                       .rows = rows,
                       .columns = columns,
                       .shape = {},
                       .traced = traced});
  }

  StageIndex parameter(const char* id, const char* title, const Tensor& tensor) {
    return add(id, title, "given", Source{tensor}, {}, feature_, feature_, false);
  }

  void direct() {
    q_ = add("q", "Q", "given", Source{layer_.q}, {}, queries_, feature_);
    k_ = add("k", "K", "given", Source{layer_.k}, {}, keys_, feature_);
    v_ = add("v", "V", "given", Source{layer_.v}, {}, keys_, feature_);
  }

  StageIndex project(std::string id, std::string title, std::string formula, StageIndex from, const Tensor& w,
                     const Tensor& b, std::size_t heads, Axis rows) {
    const std::string suffix = id == "output" ? "o" : id, letter = id == "output" ? "O" : title;
    Inputs inputs{from, parameter(("w_" + suffix).c_str(), ("W_" + letter).c_str(), w)};
    if (!b.empty()) {
      inputs.push_back(parameter(("b_" + suffix).c_str(), ("b_" + letter).c_str(), b));
      formula += " + b";
    }
    return add(std::move(id), std::move(title), std::move(formula), Project{heads}, std::move(inputs), rows,
               feature_);
  }

  void projected() {
    StageIndex x = add("x", "X", "tokens", Source{layer_.x}, {}, queries_, feature_);
    const StageIndex tokens = x;
    if (layer_.sinusoidal_base) {
      const SinusoidalEncoding encoding{layer_.x.rows(), layer_.x.columns(), *layer_.sinusoidal_base};
      const StageIndex pe =
          add("encoding", "PE", "sin(p·ω), cos(p·ω)", encoding, {}, queries_, feature_, false);
      x = add("position", "X + PE", "tokens + position", Add{}, {tokens, pe}, queries_, feature_);
    }
    StageIndex from = x;
    std::string source = "X";
    if (!layer_.memory.empty()) {
      from = add("memory", "M", "memory", Source{layer_.memory}, {}, keys_, feature_, false);
      source = "M";
    }
    q_ = project("q", "Q", "X·W_Q", x, layer_.w_q, layer_.b_q, layer_.heads, queries_);
    k_ = project("k", "K", source + "·W_K", from, layer_.w_k, layer_.b_k, layer_.kv_heads, keys_);
    v_ = project("v", "V", source + "·W_V", from, layer_.w_v, layer_.b_v, layer_.kv_heads, keys_);
  }

  // The seam for other scoring functions: each is one operation on Q and K (and its own parameters).
  StageIndex scores() {
    switch (layer_.scoring) {
      case Scoring::dot:
        break;
    }
    return add("scores", "scores", "QKᵀ", MatMul{.transpose_right = true}, {q_, k_}, queries_, keys_);
  }

  StageIndex scaled(StageIndex scores) {
    const std::size_t width = graph_.stages[q_].shape.columns;
    Scale scale{.factor = 1, .text = "1"};
    std::string formula = "not scaled";
    if (layer_.scale_mode == ScaleMode::sqrt) {
      scale = {.factor = 1 / std::sqrt(static_cast<double>(width)), .text = "1/√" + std::to_string(width)};
      formula = "÷ √" + std::to_string(width);
    } else if (layer_.scale_mode == ScaleMode::number) {
      scale = {.factor = layer_.scale_number, .text = shortest(static_cast<float>(layer_.scale_number))};
      formula = "× " + scale.text;
    }
    if (layer_.temperature != 1) formula += " · T " + shortest(static_cast<float>(layer_.temperature));
    if (layer_.temperature != 0 &&
        layer_.temperature != 1) {  // at 0 the softmax is hard, the scores keep their scale
      scale.factor /= layer_.temperature;
      scale.text += " ÷ " + shortest(static_cast<float>(layer_.temperature));
    }
    return add("scaled", "scaled", formula, scale, {scores}, queries_, keys_);
  }

  StageIndex biased(StageIndex scaled) {
    if (layer_.bias.empty()) return scaled;
    const StageIndex bias = add("bias", "bias", "given", Source{layer_.bias}, {}, queries_, keys_, false);
    return add("biased", "biased", "scaled + bias", Add{}, {scaled, bias}, queries_, keys_);
  }

  StageIndex masked(StageIndex scores) {
    std::string formula;
    Mask mask{.queries = query_count(layer_),
              .keys = key_count(layer_),
              .causal = layer_.causal,
              .valid_lengths = layer_.padding};
    if (layer_.causal) formula += "causal";
    if (!layer_.padding.empty()) formula += formula.empty() ? "padding" : " or padding";
    Inputs inputs;
    if (!layer_.mask.empty()) {
      formula += formula.empty() ? "painted" : " or painted";
      inputs = {add("user_mask", "painted mask", "given", Source{layer_.mask}, {}, queries_, keys_, false)};
    }
    if (formula.empty()) return scores;
    const StageIndex rule = add("mask", "mask", formula, mask, std::move(inputs), queries_, keys_);
    return add("masked", "masked", formula, MaskFill{layer_.fill}, {scores, rule}, queries_, keys_);
  }

  StageIndex softmax(StageIndex x) {
    const Axis one{"", {}};
    const bool hard = layer_.temperature == 0;
    const StageIndex maximum = add("row_max", "row max", "max over keys", RowMaximum{}, {x}, queries_, one);
    const StageIndex exp = add("exp", "exp", hard ? "1 at the maximum" : "exp(score − row max)",
                               Exponential{hard, layer_.empty_row}, {x, maximum}, queries_, keys_);
    const StageIndex sum = add("row_sum", "row sum", "Σ over keys", RowSum{}, {exp}, queries_, one);
    return add("weights", "weights", "softmax by row", Normalize{}, {exp, sum}, queries_, keys_);
  }

  StageIndex dropped(StageIndex weights) {
    if (layer_.dropout == 0) return weights;
    const std::string p = shortest(static_cast<float>(layer_.dropout));
    return add("dropped", "dropped", "dropout p " + p, Dropout{layer_.dropout, layer_.dropout_seed},
               {weights}, queries_, keys_);
  }

  // Without W_O the output is the heads side by side: the same operation on the same input, found, not
  // repeated.
  void merge(StageIndex head_output) {
    const Concat concat{layer_.muted_heads};
    const StageIndex merged =
        add("concat", "concat", "heads side by side", concat, {head_output}, queries_, feature_);
    if (layer_.direct || layer_.w_o.empty())
      add("output", "output", "the heads' outputs", concat, {head_output}, queries_, feature_);
    else
      project("output", "output", "concat · W_O", merged, layer_.w_o, layer_.b_o, 1, queries_);
  }

  const LayerSpec& layer_;
  Graph graph_;
  Axis queries_, keys_, feature_{"feature", {}};
  StageIndex q_ = 0, k_ = 0, v_ = 0;
};

}  // namespace

Graph build_graph(const LayerSpec& layer) {
  check_layer(layer);
  return Builder(layer).build();
}

}  // namespace attn
