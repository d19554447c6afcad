// Dumps of other programs: whatever arrays are called, they make the layer and the stages that were put in.
#include "tests/io/dump_arrays.h"

#include "core/compare/check.h"
#include "core/system/error.h"

namespace attn::tests::dumps {

TEST_CASE("a dump by our own names is read as it is") {
  const Dump dump = read_dump(plain());
  check_plain(dump);
  CHECK(dump.batches == 1);
  CHECK(dump.notes.empty());
}

TEST_CASE("names of other tools mean the same layer") {
  SUBCASE("short ones in capitals") {
    check_plain(read_dump(renamed(plain(), {{"x", "X"},
                                            {"w_q", "WQ"},
                                            {"w_k", "W_k"},
                                            {"w_v", "Wv"},
                                            {"w_o", "Wo"},
                                            {"b_q", "bq"},
                                            {"weights", "A"},
                                            {"output", "y"}})));
  }
  SUBCASE("Linear of PyTorch, below a path") {
    NamedArrays arrays = renamed(plain(), {{"x", "hidden_states"},
                                           {"weights", "attn_probs"},
                                           {"output", "attn_output"},
                                           {"b_q", "model.layers.3.self_attn.q_proj.bias"}});
    for (const char* letter : {"q", "k", "v", "o"}) {
      const std::string name = std::string("w_") + letter;
      arrays["model.layers.3.self_attn." + std::string(letter) + "_proj.weight"] =
          transposed(arrays.at(name));
      arrays.erase(name);
    }
    const Dump dump = read_dump(std::move(arrays));
    check_plain(dump);
    CHECK(meaning_of(dump, "model.layers.3.self_attn.q_proj.weight").transposed);
    CHECK(name_words(choice_of(meaning_of(dump, "model.layers.3.self_attn.q_proj.weight"))) ==
          "model.layers.3.self_attn.q_proj.weight=w_q.T");
  }
  SUBCASE("a weight of another shape than its name says is turned by its shape") {
    NamedArrays arrays = plain();
    arrays["w_k"] = transposed(arrays.at("w_k"));
    const Dump dump = read_dump(std::move(arrays));
    check_plain(dump);
    CHECK(meaning_of(dump, "w_k").transposed);
  }
  SUBCASE("kernels of Flax, with an axis for the heads") {
    NamedArrays arrays = renamed(plain(), {{"w_q", "attn/query/kernel"},
                                           {"w_k", "attn/key/kernel"},
                                           {"w_v", "attn/value/kernel"},
                                           {"w_o", "attn/out/kernel"},
                                           {"b_q", "attn/query/bias"}});
    arrays["attn/query/kernel"].shape = {8, 4, 2}, arrays["attn/key/kernel"].shape = {8, 2, 2};
    arrays["attn/value/kernel"].shape = {8, 2, 2}, arrays["attn/out/kernel"].shape = {4, 2, 6};
    arrays["attn/query/bias"].shape = {4, 2};
    check_plain(read_dump(std::move(arrays)));
  }
}

TEST_CASE("packed weights are cut into queries, keys and values") {
  const Array x = made({5, 6}), q = made({6, 6}, 1), k = made({6, 6}, 2), v = made({6, 6}, 3);
  Array in_out{.shape = {6, 18}, .values = {}};
  for (std::size_t row = 0; row < 6; ++row)
    for (const Array* part : {&q, &k, &v})
      in_out.values.insert(in_out.values.end(), part->values.begin() + static_cast<std::ptrdiff_t>(row * 6),
                           part->values.begin() + static_cast<std::ptrdiff_t>(row * 6 + 6));
  const Array bias = made({18}, 9), weights = made({2, 5, 5}, 4);
  const auto check_parts = [&](NamedArrays arrays) {
    arrays["x"] = x, arrays["weights"] = weights;
    const Dump dump = read_dump(std::move(arrays));
    CHECK(holds(dump.layer.w_q, q));
    CHECK(holds(dump.layer.w_k, k));
    CHECK(holds(dump.layer.w_v, v));
    CHECK(dump.layer.heads == 2);
    CHECK(dump.layer.b_k.values()[0] == bias.values[6]);
    CHECK(dump.names.size() == 4);
  };
  check_parts({{"in_proj_weight", transposed(in_out)}, {"in_proj_bias", bias}});
  check_parts({{"attn.qkv.weight", transposed(in_out)}, {"attn.qkv.bias", bias}});
  check_parts({{"h.0.attn.c_attn.weight", in_out}, {"h.0.attn.c_attn.bias", bias}});
  // nanoGPT's c_attn is a Linear.
  check_parts({{"c_attn.weight", transposed(in_out)}, {"c_attn.bias", bias}});
}

TEST_CASE("c_proj is turned as c_attn is") {
  const Array square = made({6, 6}, 8);
  NamedArrays arrays{
      {"x", made({5, 6})}, {"c_attn.weight", made({6, 18})}, {"c_proj.weight", square}, {"y", made({5, 6})}};
  CHECK(holds(read_dump(arrays).layer.w_o, square));
  arrays["c_attn.weight"] = made({18, 6});
  CHECK(holds(read_dump(arrays).layer.w_o, transposed(square)));
}

TEST_CASE("of two attentions in a file the first is read, and said so") {
  NamedArrays arrays = renamed(plain(), {{"w_q", "layers.2.attn.w_q.weight"},
                                         {"w_k", "layers.2.attn.w_k.weight"},
                                         {"w_v", "layers.2.attn.w_v.weight"},
                                         {"w_o", "layers.2.attn.o_proj.weight"},
                                         {"b_q", "layers.2.attn.w_q.bias"}});
  for (const char* name : {"layers.2.attn.w_q.weight", "layers.2.attn.w_k.weight", "layers.2.attn.w_v.weight",
                           "layers.2.attn.o_proj.weight"})
    arrays[name] = transposed(arrays.at(name));
  arrays["layers.10.attn.w_q.weight"] = made({8, 8}, 70);
  arrays["layers.2.mlp.out_proj.weight"] = made({8, 8}, 70);
  arrays["layers.2.norm.weight"] = made({8}, 70);
  const Dump dump = read_dump(std::move(arrays));
  check_plain(dump);
  CHECK(notes_have(dump, "layers.2.attn"));
  for (const char* name :
       {"layers.10.attn.w_q.weight", "layers.2.mlp.out_proj.weight", "layers.2.norm.weight"})
    CHECK(meaning_of(dump, name).meaning.empty());
}

TEST_CASE("query is what a module is given where it has projections") {
  NamedArrays arrays = renamed(plain(), {{"x", "query"}});
  check_plain(read_dump(arrays));
  arrays["key"] = arrays["value"] = arrays["query"];
  check_plain(read_dump(arrays));
  // batch_first=False: tokens first.
  arrays["query"].shape = arrays["key"].shape = arrays["value"].shape = {5, 1, 8};
  check_plain(read_dump(arrays));
  arrays["key"] = arrays["value"] = made({5, 8}, 80);
  CHECK(holds(read_dump(arrays).layer.memory, made({5, 8}, 80)));
}

TEST_CASE("an array of a wrong shape is refused by name, and the rest goes on") {
  NamedArrays arrays = plain();
  arrays["scaled"] = made({4, 5, 6});
  arrays["concat"] = made({4, 8});
  arrays["b_v"] = made({7});
  arrays["step"] = of({}, {12});
  arrays["wieghts"] = made({2, 2});
  const Dump dump = read_dump(std::move(arrays));
  check_plain([&] {
    Dump rest = dump;
    std::erase_if(rest.names, [](const ArrayMeaning& name) { return !name.refused.empty(); });
    return rest;
  }());
  CHECK(mentions(meaning_of(dump, "scaled").refused, {"4×5×6", "5 rows"}));
  CHECK(mentions(meaning_of(dump, "concat").refused, {"4×8", "8 columns"}));
  CHECK(mentions(meaning_of(dump, "b_v").refused, {"7 numbers"}));
  CHECK(meaning_of(dump, "step").meaning.empty());
  CHECK(meaning_of(dump, "step").refused.empty());
  CHECK(mentions(meaning_of(dump, "wieghts").refused, {"did you mean weights?"}));
}

TEST_CASE("what a person says of an array stands over its name, and is said again in the same words") {
  NamedArrays arrays = renamed(plain(), {{"w_q", "first"}, {"weights", "mystery"}});
  arrays["first"] = transposed(arrays.at("first"));
  arrays["q"] = made({4, 5, 2});
  const DumpRequest request{.names = {"first=w_q.T", "mystery=weights", "q="}};
  const Dump dump = read_dump(arrays, request);
  check_plain(dump);
  CHECK(stage_of(dump, "q") == nullptr);
  DumpRequest again;
  for (const ArrayMeaning& name : dump.names) again.names.push_back(name_words(choice_of(name)));
  const Dump second = read_dump(arrays, again);
  check_plain(second);
  for (const ArrayMeaning& name : dump.names)
    CHECK(name_words(choice_of(meaning_of(second, name.name))) == name_words(choice_of(name)));

  CHECK(mentions(reason([&] { read_dump(arrays, {.names = {"nothing=q"}}); }), {"nothing"}));
  CHECK(mentions(reason([&] { read_dump(arrays, {.names = {"q=wieghts"}}); }), {"did you mean weights?"}));
  CHECK(mentions(reason([&] { read_dump(arrays, {.names = {"q=q:xyz"}}); }), {"nhd"}));
  CHECK(mentions(reason([&] { read_dump(arrays, {.names = {"q"}}); }), {"NAME=MEANING"}));
}

TEST_CASE("there is no layer without inputs") {
  CHECK(mentions(reason([] { read_dump({{"weights", made({2, 3, 3})}}); }), {"neither x nor q"}));
  CHECK(mentions(reason([] {
                   read_dump({{"q", made({3, 2})}, {"weights", made({3, 3})}});
                 }),
                 {"k is missing"}));
}

TEST_CASE("every stage that a check can hold can be given") {
  const std::vector<std::string> meanings = dump_meanings(), ids = given_stage_ids();
  REQUIRE(meanings.size() > ids.size());
  CHECK(std::equal(ids.begin(), ids.end(), meanings.begin()));
}

TEST_CASE("an output behind W_O is not held against a layer of q, k and v") {
  NamedArrays arrays{{"q", made({2, 5, 2})}, {"k", made({2, 5, 2}, 1)}, {"v", made({2, 5, 2}, 2)}};
  arrays["concat"] = made({5, 4}, 3), arrays["output"] = made({5, 4}, 4);
  const Dump dump = read_dump(arrays);
  CHECK(stage_of(dump, "concat") != nullptr);
  CHECK(stage_of(dump, "output") == nullptr);
  CHECK(mentions(meaning_of(dump, "output").refused, {"W_O"}));
  arrays["output"] = arrays["concat"];
  CHECK(stage_of(read_dump(arrays), "output") != nullptr);
}

}  // namespace attn::tests::dumps
