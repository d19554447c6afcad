// Axes of dumps: heads, tokens, batches and layers in every order that frameworks have.
#include "tests/io/dump_arrays.h"

namespace attn::tests::dumps {

TEST_CASE("queries, keys and values are read in every layout that frameworks have") {
  // 3 heads of 2 features; 5 queries, 4 keys.
  const Array q = made({3, 5, 2}), k = made({3, 4, 2}, 1), v = made({3, 4, 2}, 2),
              weights = made({3, 5, 4}, 3);
  const auto check_heads = [&](const std::function<Array(const Array&)>& laid, const std::string& layout) {
    const Dump dump =
        read_dump({{"query", laid(q)}, {"key", laid(k)}, {"value", laid(v)}, {"attn", weights}});
    CHECK(dump.layer.direct);
    CHECK(holds(dump.layer.q, q));
    CHECK(holds(dump.layer.k, k));
    CHECK(holds(dump.layer.v, v));
    CHECK(meaning_of(dump, "query").layout == layout);
    CHECK(dump.stages.size() == 1);
  };
  check_heads([](const Array& a) { return a; }, "");
  check_heads([](const Array& a) { return turned(a, {1, 0, 2}); }, "nhd");
  check_heads([](const Array& a) { return reshaped(a, {1, a.shape[0], a.shape[1], a.shape[2]}); }, "");
  check_heads(
      [](const Array& a) {
        return reshaped(turned(a, {1, 0, 2}), {1, a.shape[1], a.shape[0], a.shape[2]});
      },
      "bnhd");
}

TEST_CASE("stages are read in every layout too, and repeated keys once") {
  NamedArrays arrays = plain();
  const Array q = made({4, 5, 2}, 1), k = made({2, 5, 2}, 2);
  const auto wide = [](const Array& a) {
    return reshaped(turned(a, {1, 0, 2}), {a.shape[1], a.shape[0] * a.shape[2]});
  };
  arrays["q"] = wide(q);
  arrays["k"] = reshaped(turned(k, {1, 0, 2}), {1, 5, 2, 2});
  Dump dump = read_dump(arrays);
  CHECK(holds(stage_of(dump, "q"), q));
  CHECK(holds(stage_of(dump, "k"), k));
  Array repeated{.shape = {4, 5, 2}, .values = {}};
  for (const std::size_t head : {0, 0, 1, 1})
    repeated.values.insert(repeated.values.end(), k.values.begin() + static_cast<std::ptrdiff_t>(head * 10),
                           k.values.begin() + static_cast<std::ptrdiff_t>(head * 10 + 10));
  arrays["k"] = repeated, arrays["q"] = reshaped(wide(q), {5, 1, 8});
  dump = read_dump(arrays);
  CHECK(holds(stage_of(dump, "q"), q));
  CHECK(holds(stage_of(dump, "k"), k));
  repeated.values.back() += 1;
  arrays["k"] = repeated;
  dump = read_dump(arrays);
  CHECK(stage_of(dump, "k") == nullptr);
  CHECK_FALSE(meaning_of(dump, "k").refused.empty());
  CHECK(stage_of(dump, "weights") != nullptr);
}

// As they are where they lie in a file.
NamedArrays in_place(const NamedArrays& arrays) {
  NamedArrays mapped;
  for (const auto& [name, array] : arrays) {
    const auto keeper = std::make_shared<const std::vector<float>>(array.values);
    mapped[name] = {.shape = array.shape, .values = {}, .mapped = *keeper, .keeper = keeper};
  }
  return mapped;
}

TEST_CASE("arrays that lie in their file are read as those that are copied") {
  NamedArrays arrays = plain();
  const Array q = made({4, 5, 2}, 1), k = made({2, 5, 2}, 2);
  Array repeated{.shape = {4, 5, 2}, .values = {}};
  for (const std::size_t head : {0, 0, 1, 1})
    repeated.values.insert(repeated.values.end(), k.values.begin() + static_cast<std::ptrdiff_t>(head * 10),
                           k.values.begin() + static_cast<std::ptrdiff_t>(head * 10 + 10));
  arrays["q"] = reshaped(turned(q, {1, 0, 2}), {5, 8}), arrays["k"] = repeated;
  std::vector<float>& weights = arrays.at("weights").values;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = i % 5 > i / 5 % 5 ? 0 : 1;  // causal
  const Dump copied = read_dump(arrays), mapped = read_dump(in_place(arrays));
  CHECK(copied.stages.size() == 4);
  CHECK(mapped.stages == copied.stages);
  CHECK(mapped.layer == copied.layer);
  CHECK_FALSE(copied.layer.masks.empty());
  // Of a layer that is open, a stage alone.
  std::erase_if(arrays, [](const auto& array) { return array.first != "weights"; });
  const Dump alone = read_dump(in_place(arrays), {.layer = copied.layer});
  CHECK(alone.stages == read_dump(arrays, {.layer = copied.layer}).stages);
  CHECK(alone.layer == copied.layer);
}

TEST_CASE("of a batch and of several layers one is read") {
  const NamedArrays one = plain();
  const auto twice = [](const Array& first, const Array& second) {
    Array both = first;
    both.shape.insert(both.shape.begin(), 2);
    both.values.insert(both.values.end(), second.values.begin(), second.values.end());
    return both;
  };
  NamedArrays arrays = one;
  for (const char* name : {"x", "weights", "output"})
    arrays[name] = twice(made(one.at(name).shape, 50), one.at(name));
  arrays["lengths"] = of({2}, {5, 3});
  const Dump dump = read_dump(arrays, {.batch = 1});
  check_plain(dump);
  CHECK(dump.batches == 2);
  REQUIRE(find_rule<PaddingRule>(dump.layer));
  CHECK(find_rule<PaddingRule>(dump.layer)->lengths == std::vector<std::size_t>{3});
  CHECK(find_rule<PaddingRule>(read_dump(arrays).layer) == nullptr);  // 5 of 5
  CHECK(mentions(reason([&] { read_dump(arrays, {.batch = 2}); }), {"batch", "2"}));

  NamedArrays layers = one;
  layers["weights"] = reshaped(twice(one.at("weights"), made({4, 5, 5}, 50)), {2, 1, 4, 5, 5});
  const Dump first = read_dump(layers);
  check_plain(first);
  CHECK(notes_have(first, "the first is read"));
}

TEST_CASE("weights averaged over heads are no weights of theirs") {
  NamedArrays arrays = plain();
  arrays["weights"] = made({1, 5, 5});
  arrays["q"] = made({4, 5, 2});
  const Dump dump = read_dump(std::move(arrays));
  CHECK(dump.layer.heads == 4);
  CHECK(mentions(meaning_of(dump, "weights").refused, {"average_attn_weights=False"}));
}

TEST_CASE("a layout is taken where two fit as the person says") {
  const Array q = made({4, 4, 2});  // heads or tokens
  const auto read = [&](const std::string& words) {
    DumpRequest request;
    if (!words.empty()) request.names = {words};
    return read_dump({{"q", q}, {"k", q}, {"v", q}, {"weights", made({4, 4, 4})}}, request);
  };
  CHECK(holds(read("").layer.q, q));
  CHECK(holds(read("q=q:nhd").layer.q, turned(q, {1, 0, 2})));
  CHECK(name_words(choice_of(meaning_of(read("q=q:nhd"), "q"))) == "q=q:nhd");
}

TEST_CASE("with as many heads as tokens the projection tells which axis is which") {
  // Two heads of one feature, two tokens: x·W_q by hand.
  const NamedArrays arrays{{"x", of({2, 2}, {1, 2, 3, 4})},
                           {"w_q", of({2, 2}, {1, 10, 100, 1000})},
                           {"w_k", made({2, 2})},
                           {"w_v", made({2, 2})},
                           {"weights", made({2, 2, 2})}};
  const std::vector<float> by_head{201, 403, 2010, 4030};
  for (const std::vector<float>& given : {by_head, std::vector<float>{201, 2010, 403, 4030}}) {
    NamedArrays with_q = arrays;
    with_q["query_states"] = of({2, 2, 1}, given);
    const Dump dump = read_dump(with_q);
    REQUIRE(stage_of(dump, "q"));
    CHECK(std::ranges::equal(stage_of(dump, "q")->values(), by_head));
    CHECK(notes_have(dump, "tokens before heads") == (given != by_head));
  }
}

TEST_CASE("beside the output that of the attention is what comes before W_O") {
  NamedArrays arrays = plain();
  arrays["attn_output"] = made({5, 8}, 60);
  const Dump dump = read_dump(arrays);
  check_plain(dump);
  CHECK(holds(stage_of(dump, "concat"), made({5, 8}, 60)));
}

}  // namespace attn::tests::dumps
