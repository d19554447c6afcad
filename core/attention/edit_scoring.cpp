// The scoring function, local attention, and the sizes of their parameters.
#include "core/attention/edit.h"
#include "core/attention/edit_shapes.h"
#include "core/attention/scoring_parameters.h"
#include "core/error.h"

namespace attn {

namespace {

void check_hidden(std::size_t width) {
  if (width == 0 || width > kMostHidden)
    throw Error("hidden features must be from 1 to " + std::to_string(kMostHidden), Fault::option);
}

}  // namespace

void set_scoring(Document& document, Scoring scoring) {
  Document changed = document;
  changed.layer.scoring = scoring;
  make_score_parameters(changed.layer);
  settle(document, std::move(changed));
}

void set_hidden_width(Document& document, std::size_t width) {
  const Scoring scoring = document.layer.scoring;
  if (scoring != Scoring::concat && scoring != Scoring::additive)
    throw Error("a " + std::string(scoring_text(scoring).word) + " score has no hidden features",
                Fault::option);
  check_hidden(width);
  Document changed = document;
  make_score_parameters(changed.layer);
  const Order order = resized(changed.layer.score_v.columns(), width);
  changed.layer.score_v = rearranged(changed.layer.score_v, {.columns = &order, .sd = kNewWeight, .seed = 5});
  settle(document, std::move(changed));
}

void set_local(Document& document, Local local) {
  Document changed = document;
  changed.layer.local = local;
  make_score_parameters(changed.layer);
  settle(document, std::move(changed));
}

void set_local_width(Document& document, std::size_t width) {
  if (document.layer.local != Local::predictive)
    throw Error("only centres that are predicted have hidden features: choose local predictive",
                Fault::option);
  check_hidden(width);
  Document changed = document;
  make_score_parameters(changed.layer);
  Tensor& v = changed.layer.local_v;
  const Order order = resized(v.columns(), width);
  v = rearranged(v, {.columns = &order, .sd = kNewWeight, .seed = 6});
  settle(document, std::move(changed));
}

}  // namespace attn
