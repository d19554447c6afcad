// Measured: what a benchmark of attention found on one device. A plain value, shown, kept and written; how it
// is taken: measure.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Of the layer that is measured: n comes with each point, in float32 and a batch of 1.
struct MeasureShape {
  std::size_t d = 512, heads = 8, kv_heads = 8;
  std::size_t feed_forward = 2048;  // its inner width
  std::size_t d_k() const { return d / heads; }
  bool operator==(const MeasureShape&) const = default;
};
// Throws Error(Fault::option) unless the heads divide d and the key/value heads the heads.
void check_measurable(const MeasureShape& shape);

// The same thing measured again and again, in turn with the others.
struct Timings {
  std::vector<double> values = {};  // as they were taken

  bool empty() const { return values.empty(); }
  // The value below which this share of them lies, between two of them linearly; 0 of none.
  double quantile(double share) const;
  double median() const { return quantile(0.5); }
  double least() const { return quantile(0); }
  double most() const { return quantile(1); }
  // The standard error of the median by itself, from the quartiles as of a normal distribution: IQR ÷ 1.349
  // · √(π/2) ÷ √count ÷ median. 0 of fewer than three.
  double relative_error() const;
  bool operator==(const Timings&) const = default;
};

// The time of one subject at one n.
struct MeasuredPoint {
  std::string subject;  // a name of measure_subjects(), or of what was measured alongside
  std::size_t n = 0;
  double operations = 0, bytes = 0;  // of one run: counted, and read and written by its stages at least
  Timings seconds = {};
  bool operator==(const MeasuredPoint&) const = default;
};

// One stage of a layer at MeasuredStages::n: a point of the roofline.
struct MeasuredStage {
  std::string name, title;  // "head_output", "weights · V"
  double operations = 0, bytes = 0;
  Timings seconds = {};

  double intensity() const { return bytes > 0 ? operations / bytes : 0; }  // operations a byte
  double rate() const { return seconds.empty() ? 0 : operations / seconds.median(); }
  bool operator==(const MeasuredStage&) const = default;
};

// What measurements are of: they hold for it alone.
struct MeasuredDevice {
  std::string name, version;  // Backend::name(), DeviceFacts::version
  std::string program;        // the version of this program
  bool operator==(const MeasuredDevice&) const = default;
};

// What was left out, and why, in words for a person.
struct NotMeasured {
  std::string subject;
  std::size_t n = 0;  // from this one on; 0: all
  std::string why;
  bool operator==(const NotMeasured&) const = default;
};

// Below this steadiness times are longer than they would be alone, and not all alike.
inline constexpr double kSteady = 0.85;

enum class MeasureState {
  waiting,  // nothing yet
  running,
  done,
  stopped,  // by whoever wanted it
  ended,    // the device was lost or changed, or memory ran out: `why`
};

struct Measured {
  MeasuredDevice device = {};
  MeasureShape shape = {};
  Timings operations_per_second = {};  // of the multiply-add kernel, the best of each round
  Timings bytes_per_second = {};       // of the copy kernel
  std::vector<MeasuredPoint> points = {};
  std::size_t stages_n = 0;
  std::vector<MeasuredStage> stages = {};
  std::vector<NotMeasured> not_measured = {};
  MeasureState state = MeasureState::waiting;
  std::string why = {};

  // The best that was seen: what else happens on the machine only takes from it. 0: not known.
  double peak() const { return operations_per_second.most(); }
  double bandwidth() const { return bytes_per_second.most(); }
  // The worst round's rate of multiply-adds by the best's; 1: nothing else took from the device meanwhile.
  double steadiness() const { return peak() > 0 ? operations_per_second.least() / peak() : 1; }
  // What a stage of so many operations a byte can reach: the roofline.
  double roof(double intensity) const;
  const MeasuredPoint* find(std::string_view subject, std::size_t n) const;
  // With the shortest n first.
  std::vector<const MeasuredPoint*> of(std::string_view subject) const;
  bool operator==(const Measured&) const = default;
};

// How far it is, for whoever watches.
struct MeasureProgress {
  std::string doing;                  // "full, n = 1024"
  std::size_t done = 0, planned = 0;  // samples
  double seconds_left = 0;
  double share() const { return planned > 0 ? static_cast<double>(done) / static_cast<double>(planned) : 0; }
};

}  // namespace attn
