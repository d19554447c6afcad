// A trained model as the program's other documents: a stack, or one of its layers.
#pragma once

#include "core/learning/moment.h"
#include "core/transformer/part.h"

namespace attn {

// The model over one row; StackWeights::trained. Its logits are the model's. A decoder that reads what has
// been written has the right answers but the last before it, and where none are known the start symbol alone.
StackSpec trained_stack(const TrainingSpec& spec, const std::vector<Tensor>& parameters, const TaskRow& row);

// An attention of a moment over one of its rows: X is what it read, behind the norm.
LayerSpec trained_layer(const TrainingSpec& spec, const std::vector<Tensor>& parameters,
                        const MomentAttention& attention, const TaskRow& row, std::size_t number_of_row);

}  // namespace attn
