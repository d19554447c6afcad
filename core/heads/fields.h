// The fields of the workspace of heads: the one list that sessions, undo steps and controls are made from.
#pragma once

#include "core/graph/fields.h"
#include "core/heads/part.h"

namespace attn {

namespace heads_field {

inline constexpr ChoiceField<HeadMap, 5> map{
    {.key = "map",
     .title = "map",
     .sentence = "the weights of each head, one map of all heads, or each head less one of them",
     .change = "map: "},
    {{{"each", "each", HeadMap::each},
      {"mean", "mean", HeadMap::mean},
      {"maximum", "maximum", HeadMap::maximum},
      {"spread", "spread", HeadMap::spread},
      {"difference", "difference", HeadMap::difference}}}};
inline constexpr CountField against{.text = {.key = "against",
                                             .title = "from head",
                                             .sentence = "the head that is subtracted from each",
                                             .change = "difference from head "}};
inline constexpr ChoiceField<HeadOrder, 3> order{
    {.key = "order",
     .title = "order",
     .sentence =
         "of the maps: by number, by mean entropy, the sharpest first, or each next to what it is most "
         "like",
     .change = "order: "},
    {{{"index", "index", HeadOrder::index},
      {"entropy", "entropy", HeadOrder::entropy},
      {"alike", "alike", HeadOrder::alike}}}};
inline constexpr ChoiceField<HeadLikeness::Measure, 2> measure{
    {.key = "measure",
     .title = "alike",
     .sentence = "how alike two heads are: the cosine of all their weights, or the weight that both give to "
                 "the same cells, Σ min ÷ Σ max",
     .change = "alike: "},
    {{{"cosine", "cosine", HeadLikeness::cosine}, {"overlap", "overlap", HeadLikeness::overlap}}}};
inline constexpr CountField nearby{.text = {.key = "nearby",
                                            .title = "nearby",
                                            .sentence = "tokens at most so far from a query are near it",
                                            .change = "nearby "},
                                   .least = 1,
                                   .most = 64};
inline constexpr CountField kv_heads{
    .text = {.key = "kv_heads",
             .title = "key/value heads",
             .sentence = "how many to show, each the mean of those it replaces; 0: the layer's own",
             .change = "look at key/value heads "}};

}  // namespace heads_field

// In the order of session files.
template <class Visit>
void visit_fields(std::type_identity<HeadsSpec>, Visit&& visit) {
  namespace f = heads_field;
  visit(f::map, &HeadsSpec::map);
  visit(f::against, &HeadsSpec::against);
  visit(f::order, &HeadsSpec::order);
  visit(f::measure, &HeadsSpec::measure);
  visit(f::nearby, &HeadsSpec::nearby);
  visit(f::kv_heads, &HeadsSpec::kv_heads);
}

}  // namespace attn
