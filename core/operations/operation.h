// The closed set of operations. Adding one means a family header, a line here, and an error of the build
// until its family has said its traits and every backend has it. Whoever else works with operations asks
// these functions, never for an alternative (tests/quality/operation_types.py).
#pragma once

#include <optional>
#include <variant>

#include "core/operations/activation.h"
#include "core/operations/block_summary.h"
#include "core/operations/compared.h"
#include "core/operations/cross_entropy.h"
#include "core/operations/decode.h"
#include "core/operations/dropout.h"
#include "core/operations/elementwise.h"
#include "core/operations/embedding.h"
#include "core/operations/features.h"
#include "core/operations/flash.h"
#include "core/operations/flash_gradient.h"
#include "core/operations/head_maps.h"
#include "core/operations/heads.h"
#include "core/operations/kernel.h"
#include "core/operations/linear_attention.h"
#include "core/operations/local.h"
#include "core/operations/mask.h"
#include "core/operations/matmul.h"
#include "core/operations/mean_square.h"
#include "core/operations/norm.h"
#include "core/operations/offset.h"
#include "core/operations/optimizer.h"
#include "core/operations/position.h"
#include "core/operations/precision.h"
#include "core/operations/random.h"
#include "core/operations/regression.h"
#include "core/operations/repeated_rows.h"
#include "core/operations/rotary.h"
#include "core/operations/row_norm.h"
#include "core/operations/scoring.h"
#include "core/operations/scoring_gradient.h"
#include "core/operations/sequence_attention.h"
#include "core/operations/softmax.h"
#include "core/operations/source.h"
#include "core/operations/sums.h"
#include "core/operations/task_rows.h"
#include "core/operations/weighting.h"
#include "core/operations/weighting_gradient.h"

namespace attn {

using OperationVariant = std::variant<
    Source, MatMul, Project, Scale, Add, Override, Mask, MaskFill, RowMaximum, Exponential, RowSum, Normalize,
    Dropout, Concat, SinusoidalEncoding, LearnedTable, Rotate, DistanceBias, ByOffset, SumByOffset,
    KernelDistance, KernelValue, KernelExponent, NeighbourWidth, LinearWeights, KernelEstimate, LeaveOneOut,
    RowStatistic, ByRow, RowSumWithOne, PickRow, Transpose, RandomProducts, Round, FormatSum, Tanh,
    SquaredDistance, TakeColumns, PairSum, PairProduct, AdditiveScore, RowLength, ByLength, RowNorm,
    RowNormGradient, ColumnSum, CrossEntropy, CrossEntropyGradient, LocalCentre, LocalMask, LocalDecay,
    PatternShare, AcrossHeads, HeadDifference, HeadLikeness, PartLength, Compared, FlashAttention,
    FlashGradient, PutRows, CachedAttention, BlockSummary, Multiply, SplitHeads, HeadSum, Reshape, TileHeads,
    SumProduct, WeightsGradient, FigureGradient, MeanSquare, MeanSquareGradient, TanhGradient, PutColumns,
    DistanceGradient, PairSumGradient, PairProductGradient, AdditiveGradient, CentreGradient, DecayGradient,
    FeatureMap, FeatureMapGradient, LinearAttention, LinearState, LinearGradient, Activation,
    ActivationGradient, Embedding, EmbeddingGradient, AddRepeated, SumRepeated, SequenceAttention,
    SequenceGradient, Increment, GradientMoments, ParameterStep, TaskRows>;

// One of them. Nearly every file moves stages about, and with them operations: what copies, moves and ends
// one is compiled once, in operation.cpp, instead of in each (a third of all that was compiled).
struct Operation : OperationVariant {
  using OperationVariant::OperationVariant;
  Operation();
  Operation(const Operation& other);
  Operation(Operation&& other) noexcept;
  Operation& operator=(const Operation& other);
  Operation& operator=(Operation&& other) noexcept;
  ~Operation();
};

const char* name(const Operation& operation);

// The shape of the result for inputs of these shapes; throws Error when they do not fit.
Shape result_shape(const Operation& operation, Shapes inputs);

// The terms behind one number of the result, from the operation and its inputs alone.
Explanation explain(const Operation& operation, Inputs inputs, Cell cell);

// The cells of the result that read `cell` of input number `input`.
Regions reach(const Operation& operation, Shapes inputs, std::size_t input, Cell cell);

// What it is like, on inputs of these shapes.
Traits traits(const Operation& operation, Shapes inputs, const Shape& result);

// The operation that makes these rows of its result alone, from the same rows of some inputs and all of
// others; none where its result is made as a whole.
struct CutOperation {
  Operation operation;
  std::vector<RowsRead> reads;  // by input
};
std::optional<CutOperation> cut(const Operation& operation, Shapes inputs, const RowRange& rows);

// Whether a −∞ in a cell of the result stands for "masked"; of most operations never.
MaskOrigin mask_origin(const Operation& operation, Inputs inputs, Cell cell);

// How large the terms are that cancel in a number near 0; 0 where none do.
double size_of_terms(const Operation& operation, Inputs inputs);

// The matrix that it gives, where it computes nothing; else null.
const Tensor* given_tensor(const Operation& operation);

// Whether it puts a typed number over the computed one of this cell.
bool is_typed(const Operation& operation, Cell cell);

// Of a bias by distance and a causal mask, all that their numbers depend on; none of others.
std::optional<Slopes> slopes(const Operation& operation);
std::optional<long> causal_diagonal(const Operation& operation);

}  // namespace attn
