// The closed set of operations. Adding one means a family header, a line here, and a compile error in every
// backend until each of them has it.
#pragma once

#include <variant>

#include "core/operations/compared.h"
#include "core/operations/dropout.h"
#include "core/operations/elementwise.h"
#include "core/operations/head_maps.h"
#include "core/operations/heads.h"
#include "core/operations/kernel.h"
#include "core/operations/local.h"
#include "core/operations/mask.h"
#include "core/operations/matmul.h"
#include "core/operations/norm.h"
#include "core/operations/offset.h"
#include "core/operations/position.h"
#include "core/operations/precision.h"
#include "core/operations/random.h"
#include "core/operations/regression.h"
#include "core/operations/rotary.h"
#include "core/operations/scoring.h"
#include "core/operations/softmax.h"
#include "core/operations/source.h"
#include "core/operations/weighting.h"

namespace attn {

using Operation = std::variant<
    Source, MatMul, Project, Scale, Add, Override, Mask, MaskFill, RowMaximum, Exponential, RowSum, Normalize,
    Dropout, Concat, SinusoidalEncoding, LearnedTable, Rotate, DistanceBias, ByOffset, SumByOffset,
    KernelDistance, KernelValue, KernelExponent, NeighbourWidth, LinearWeights, KernelEstimate, LeaveOneOut,
    RowStatistic, ByRow, RowSumWithOne, SoftmaxJacobian, PickRow, RandomProducts, Round, FormatSum, Tanh,
    SquaredDistance, TakeColumns, PairSum, PairProduct, AdditiveScore, RowLength, ByLength, LocalCentre,
    LocalMask, LocalDecay, PatternShare, AcrossHeads, HeadDifference, HeadLikeness, PartLength, Compared>;

const char* name(const Operation& operation);

// The shape of the result for inputs of these shapes; throws Error when they do not fit.
Shape result_shape(const Operation& operation, Shapes inputs);

// The terms behind one number of the result, from the operation and its inputs alone.
Explanation explain(const Operation& operation, Inputs inputs, Cell cell);

// The cells of the result that read `cell` of input number `input`.
Regions reach(const Operation& operation, Shapes inputs, std::size_t input, Cell cell);

}  // namespace attn
