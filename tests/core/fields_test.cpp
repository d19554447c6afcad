// The visitors: every member of a part is listed, and what is derived from the list knows every one of them.
#include <doctest/doctest.h>

#include <set>

#include "core/document/document_fields.h"
#include "core/document/history.h"
#include "tests/core/edit_documents.h"
#include "tests/graphs.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Members of an aggregate: as many as it takes braces with so many initialisers.
struct Anything {
  template <class T>
  operator T() const;
};
template <class T, class... Given>
constexpr std::size_t members_of() {
  if constexpr (requires { T{Given()..., Anything()}; })
    return members_of<T, Given..., Anything>();
  else
    return sizeof...(Given);
}

// Another value of a field's type, unlike the one it has.
void change(Tensor& tensor) {
  tensor = Tensor({1, 1, 2}, {7, tensor.empty() ? 1.0f : 9.0f});
}
void change(std::vector<std::string>& labels) {
  labels.push_back("new");
}
void change(std::vector<std::size_t>& numbers) {
  numbers.push_back(1000 + numbers.size());
}
void change(std::vector<MaskTerm>& rules) {
  rules.push_back({.rule = CausalRule()});
}
void change(bool& on) {
  on = !on;
}
void change(double& number) {
  number += 0.25;
}
void change(std::size_t& number) {
  ++number;
}
void change(Position& position) {
  position = position_at((position.index() + 1) % kPositions.size());
}
void change(std::vector<Position>& positions) {
  positions.erase(positions.begin());
}
void change(std::vector<Kernel>& kernels) {
  kernels.erase(kernels.begin());
}
void change(std::vector<Weighting>& weightings) {
  weightings.erase(weightings.begin());
}
void change(std::vector<MechanismKind>& mechanisms) {
  mechanisms.erase(mechanisms.begin());
}
void change(std::vector<double>& numbers) {
  numbers.push_back(2);
}
void change(Scaling& scale) {
  scale = {ScaleMode::number, scale.number + 1};
}
template <class Choice>
requires std::is_enum_v<Choice>
void change(Choice& choice) {
  choice = static_cast<Choice>(static_cast<int>(choice) + 1);
}

}  // namespace

TEST_CASE("every member of a layer is in its visitor, each once, with a key of its own") {
  std::size_t count = 0;
  std::set<std::string_view> keys;
  visit_fields(of<LayerSpec>, [&](const auto& field, auto) { ++count, keys.insert(text_of(field).key); });
  CHECK(count == members_of<LayerSpec>());
  CHECK(keys.size() == count);
}

TEST_CASE("every member of a document but its layers, its stack and its overrides is a part") {
  std::size_t parts = 0;
  visit_parts([&](std::string_view, auto) { ++parts; });
  CHECK(parts + 3 == members_of<Document>());
}

TEST_CASE("a change of any field makes another document and another step with a name") {
  visit_fields(of<LayerSpec>, [&](const auto& field, auto member) {
    const Document before = projected_document();
    Document after = before;
    change(after.layer().*member);
    INFO(text_of(field).key);
    CHECK(!(after == before));
    CHECK(!describe(before, after).empty());
    CHECK(describe(before, after) != describe(before, before));
  });
}

TEST_CASE("every member of the positions is in their visitor and names the step that changes it") {
  std::size_t count = 0;
  visit_fields(of<PositionsSpec>, [&](const auto& field, auto member) {
    ++count;
    const Document before = projected_document();
    Document after = before;
    change(after.positions.*member);
    INFO(text_of(field).key);
    CHECK(!(after == before));
    CHECK(describe(before, after) != describe(before, before));
  });
  CHECK(count == members_of<PositionsSpec>());
}

TEST_CASE("every member of a stack is in the visitor of its part") {
  const auto count = []<class Part>(std::type_identity<Part>) {
    std::size_t fields = 0;
    visit_fields(of<Part>, [&](const auto&, auto) { ++fields; });
    return fields;
  };
  CHECK(count(of<StackSpec>) + 2 == members_of<StackSpec>());  // its sides
  CHECK(count(of<StackSide>) + 2 == members_of<StackSide>());  // its norm and its blocks
  CHECK(count(of<NormWeights>) == members_of<NormWeights>());
  CHECK(count(of<Affine>) == members_of<Affine>());
}

TEST_CASE("every member of the kernels is in their visitor and names the step that changes it") {
  std::size_t count = 0;
  visit_fields(of<KernelsSpec>, [&](const auto& field, auto member) {
    ++count;
    const Document before = projected_document();
    Document after = before;
    change(after.kernels.*member);
    INFO(text_of(field).key);
    CHECK(!(after == before));
    CHECK(describe(before, after) != describe(before, before));
  });
  CHECK(count == members_of<KernelsSpec>());
}

TEST_CASE("every member of the softmax is in its visitor and names the step that changes it") {
  std::size_t count = 0;
  visit_fields(of<SoftmaxSpec>, [&](const auto& field, auto member) {
    ++count;
    const Document before = projected_document();
    Document after = before;
    if constexpr (std::is_same_v<decltype(member), ProductScale SoftmaxSpec::*>)
      after.softmax.products = ProductScale::raw;
    else
      change(after.softmax.*member);
    INFO(text_of(field).key);
    CHECK(!(after == before));
    CHECK(describe(before, after) != describe(before, before));
  });
  CHECK(count == members_of<SoftmaxSpec>());
}

TEST_CASE("every member of the costs is in their visitor and names the step that changes it") {
  std::size_t count = 0;
  visit_fields(of<CostStudy>, [&](const auto& field, auto member) {
    ++count;
    const Document before;
    Document after = before;
    if constexpr (std::is_same_v<decltype(member), Biases CostStudy::*>)
      after.cost.biases = Biases::none;  // the last one is the default
    else
      change(after.cost.*member);
    INFO(text_of(field).key);
    CHECK(!(after == before));
    CHECK(describe(before, after) != describe(before, before));
  });
  CHECK(count == members_of<CostStudy>());
}

TEST_CASE("every setting of every position encoding is in its visitor and names the step that changes it") {
  for (std::size_t kind = 0; kind < kPositions.size(); ++kind) {
    Document before = projected_document();
    before.layer().position = position_at(kind);
    std::visit(
        [&]<class Choice>(const Choice& choice) {
          std::size_t count = 0;
          visit_fields(of<Choice>, [&](const auto& field, auto member) {
            ++count;
            Choice changed = choice;
            change(changed.*member);
            Document after = before;
            after.layer().position = changed;
            INFO(field.text.key);
            CHECK(!(after == before));
            CHECK(describe(before, after).starts_with(std::string(kPositions[kind].title) + " "));
          });
          CHECK(count == members_of<Choice>());
        },
        before.layer().position);
  }
}

TEST_CASE("an edit of a stage or a cell that does not exist is an error and changes nothing") {
  Document document = projected_document();
  const Document before = document;
  CHECK(message_of([&] {
          set_number(document, "scroes", {0, 0, 0}, 1);
        }) == "there is no stage \"scroes\" in pipeline: nothing was changed");
  CHECK(message_of([&] { set_number(document, "memory", {0, 0, 0}, 1); }).find("there is no stage") == 0);
  CHECK(message_of([&] {
          set_number(document, "scores", {2, 0, 0}, 1);
        }).find("lies outside scores") != std::string::npos);
  CHECK(message_of([&] {
          set_number(document, "x", {0, 3, 0}, 1);
        }).find("lies outside X") != std::string::npos);
  CHECK(message_of([&] { attn::set_number(document, kSideBySide, "scores", {}, 1); }) ==
        "there is no stage \"scores\" in side by side: nothing was changed");
  CHECK(document == before);
}

TEST_CASE("a number typed in one workspace is not typed in another") {
  Document document = projected_document();
  attn::set_number(document, kSideBySide, "b.weights", {1, 2, 0}, 0.5f);
  REQUIRE(document.overrides.size() == 1);
  CHECK(document.overrides[0].workspace == kSideBySide.name);
  CHECK(attn::is_overridden(document, kSideBySide, "b.weights", {1, 2, 0}));
  CHECK_FALSE(is_overridden(document, "weights", {1, 2, 0}));
  CHECK(evaluated(document).output("output") == evaluated(projected_document()).output("output"));
  CHECK(evaluated(document, kSideBySide).output("b.weights")[{1, 2, 0}] == 0.5f);
}

TEST_CASE("an input that several workspaces show is edited once for all") {
  Document document = projected_document();
  attn::set_number(document, kSideBySide, "b.x", {0, 1, 1}, 42);
  CHECK(document.layer().x[{0, 1, 1}] == 42);
  CHECK(document.overrides.empty());
  CHECK(evaluated(document).output("x")[{0, 1, 1}] == 42);
}

TEST_CASE("overrides of cells that are gone are dropped in the workspace that is settled") {
  Document document = projected_document();
  attn::set_number(document, kSideBySide, "b.weights", {1, 2, 2}, 0.5f);
  attn::set_number(document, kSideBySide, "b.weights", {1, 1, 0}, 0.25f);
  remove_token(document, 2);
  CHECK(document.overrides.size() == 2);  // the edit settles the Pipeline's
  settle_overrides(document, kSideBySide);
  REQUIRE(document.overrides.size() == 1);
  CHECK(document.overrides[0].value.cell == Cell{1, 1, 0});
}
