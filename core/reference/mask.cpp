// Masks: what is instantiated of them.
#include "core/reference/mask.h"

namespace attn::reference {

template BasicTensor<float> run<float>(const Mask&, TensorsOf<float>);
template BasicTensor<double> run<double>(const Mask&, TensorsOf<double>);
template BasicTensor<float> run<float>(const MaskFill&, TensorsOf<float>);
template BasicTensor<double> run<double>(const MaskFill&, TensorsOf<double>);

}  // namespace attn::reference
