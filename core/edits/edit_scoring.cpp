// The scoring function, local attention, and the sizes of their parameters.
#include "core/attention/scoring_parameters.h"
#include "core/edits/edit.h"
#include "core/edits/edit_shapes.h"
#include "core/system/error.h"

namespace attn {

namespace {

void check_hidden(std::size_t width) {
  if (width == 0 || width > kMostHidden)
    throw Error("hidden features must be from 1 to " + std::to_string(kMostHidden), Fault::option);
}

}  // namespace

void set_scoring(LayerAt in, Scoring scoring) {
  Document changed = in.document;
  changed.layer(in.address).scoring = scoring;
  make_score_parameters(changed.layer(in.address));
  settle(in, std::move(changed));
}

void set_hidden_width(LayerAt in, std::size_t width) {
  const Scoring scoring = in.layer().scoring;
  if (scoring != Scoring::concat && scoring != Scoring::additive)
    throw Error("a " + std::string(scoring_text(scoring).word) + " score has no hidden features",
                Fault::option);
  check_hidden(width);
  Document changed = in.document;
  make_score_parameters(changed.layer(in.address));
  const Order order = resized(changed.layer(in.address).score_v.columns(), width);
  changed.layer(in.address).score_v =
      rearranged(changed.layer(in.address).score_v, {.columns = &order, .sd = kNewWeight, .seed = 5});
  settle(in, std::move(changed));
}

void set_local(LayerAt in, Local local) {
  Document changed = in.document;
  changed.layer(in.address).local = local;
  make_score_parameters(changed.layer(in.address));
  settle(in, std::move(changed));
}

void set_local_width(LayerAt in, std::size_t width) {
  if (in.layer().local != Local::predictive)
    throw Error("only centres that are predicted have hidden features: choose local predictive",
                Fault::option);
  check_hidden(width);
  Document changed = in.document;
  make_score_parameters(changed.layer(in.address));
  Tensor& v = changed.layer(in.address).local_v;
  const Order order = resized(v.columns(), width);
  v = rearranged(v, {.columns = &order, .sd = kNewWeight, .seed = 6});
  settle(in, std::move(changed));
}

}  // namespace attn
