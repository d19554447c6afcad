// Edits of numbers, in any workspace: of the document where a stage shows one of its tensors, else as an
// override of what is computed. What is edited is named by a plan and a stage of its graph.
#pragma once

#include <span>
#include <string_view>

#include "core/document/plan.h"

namespace attn {

// The document's tensor of this name ("layer.x"); null when there is none or it is empty.
const Tensor* tensor_of(const Document& document, std::string_view field);
Tensor* tensor_of(Document& document, std::string_view field);

// What a compared layer begins as: A with a causal mask, without masks where A is causal, and of another
// temperature where a single query has no later key to be hidden.
LayerSpec default_compared_layer(const LayerSpec& a);
// A layer that is not there yet begins, with what is typed over A; so do those before it.
void begin_layer(Document& document, Address address);

// As a document holds it: every NaN is the one that a session keeps.
float kept(float value);
Tensor kept(const Tensor& tensor);

// Sets one number, or many with one new tensor. Throws Error when the plan's graph has no such stage or the
// stage no such cell, or there are more overrides than a document may have; the document stays as it was.
// A layer that is not there yet, and was shown as A, begins with it.
void set_number(Document& document, const Plan& plan, std::string_view stage, Cell cell, float value);
void set_numbers(Document& document, const Plan& plan, std::string_view stage,
                 std::span<const CellValue> cells);
// The same where the plan's graph of the document is at hand.
void set_numbers(Document& document, const Plan& plan, const Graph& graph, std::string_view stage,
                 std::span<const CellValue> cells);
// Of a stage that is named as an override names it, and that is known to have these cells: needs no graph.
void set_overrides(Document& document, const StageOverride& name, std::span<const CellValue> cells);

// Whether they differ at most in numbers of tensors and in what is typed over computed ones: their graphs
// have the same stages and shapes.
bool same_structure(const Document& a, const Document& b);

bool is_overridden(const Document& document, const Plan& plan, std::string_view stage, Cell cell);
void remove_override(Document& document, const Plan& plan, std::string_view stage, Cell cell);

// Of one layer: drops the overrides of stages and cells that the plan's graph no longer has, or that show the
// document's own numbers now. Throws what building throws.
void settle_overrides(Document& document, const Plan& plan, Address address = kLayerA);

}  // namespace attn
