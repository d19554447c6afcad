// The softmax: what is instantiated of it.
#include "core/reference/softmax.h"

namespace attn::reference {

template BasicTensor<float> run<float>(const RowMaximum&, TensorsOf<float>);
template BasicTensor<double> run<double>(const RowMaximum&, TensorsOf<double>);
template BasicTensor<float> run<float>(const Exponential&, TensorsOf<float>);
template BasicTensor<double> run<double>(const Exponential&, TensorsOf<double>);
template BasicTensor<float> run<float>(const RowSum&, TensorsOf<float>);
template BasicTensor<double> run<double>(const RowSum&, TensorsOf<double>);
template BasicTensor<float> run<float>(const Normalize&, TensorsOf<float>);
template BasicTensor<double> run<double>(const Normalize&, TensorsOf<double>);

}  // namespace attn::reference
