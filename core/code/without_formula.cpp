// Operations that have no formula, and why.
#include "core/code/family.h"

namespace attn::code {
namespace {

template <class Op>
[[noreturn]] void refuse(const Op& op, const char* why) {
  throw Error(std::string(op.kName) + " has no code: " + why);
}

constexpr const char* kRecomputes = "it makes scores again that --mechanism full keeps; use that";
constexpr const char* kInPlace = "it changes a matrix where it stands, step after step";
constexpr const char* kFormat = "languages round to this format in different ways";
constexpr const char* kDrawn = "its numbers are drawn at random where they are computed";
constexpr const char* kPicture = "it sums up a picture, and makes no number of the computation";

}  // namespace

Formula formula(const FlashGradient& op, const Given&) {
  refuse(op, kRecomputes);
}
Formula formula(const SequenceAttention& op, const Given&) {
  refuse(op, kRecomputes);
}
Formula formula(const SequenceGradient& op, const Given&) {
  refuse(op, kRecomputes);
}
Formula formula(const CachedAttention& op, const Given&) {
  refuse(op, kRecomputes);
}
Formula formula(const PutRows& op, const Given&) {
  refuse(op, kInPlace);
}
Formula formula(const Increment& op, const Given&) {
  refuse(op, kInPlace);
}
Formula formula(const GradientMoments& op, const Given&) {
  refuse(op, kInPlace);
}
Formula formula(const ParameterStep& op, const Given&) {
  refuse(op, kInPlace);
}
Formula formula(const Round& op, const Given&) {
  refuse(op, kFormat);
}
Formula formula(const FormatSum& op, const Given&) {
  refuse(op, kFormat);
}
Formula formula(const RandomProducts& op, const Given&) {
  refuse(op, kDrawn);
}
Formula formula(const TaskRows& op, const Given&) {
  refuse(op, kDrawn);
}
Formula formula(const BlockSummary& op, const Given&) {
  refuse(op, kPicture);
}

template struct CodeOf<FlashGradient>;
template struct CodeOf<SequenceAttention>;
template struct CodeOf<SequenceGradient>;
template struct CodeOf<CachedAttention>;
template struct CodeOf<PutRows>;
template struct CodeOf<Increment>;
template struct CodeOf<GradientMoments>;
template struct CodeOf<ParameterStep>;
template struct CodeOf<Round>;
template struct CodeOf<FormatSum>;
template struct CodeOf<RandomProducts>;
template struct CodeOf<TaskRows>;
template struct CodeOf<BlockSummary>;

}  // namespace attn::code
