// Scaling, adding and replacing: what is instantiated of them.
#include "core/reference/elementwise.h"

namespace attn::reference {

template BasicTensor<float> run<float>(const Scale&, TensorsOf<float>);
template BasicTensor<double> run<double>(const Scale&, TensorsOf<double>);
template BasicTensor<float> run<float>(const Add&, TensorsOf<float>);
template BasicTensor<double> run<double>(const Add&, TensorsOf<double>);
template BasicTensor<float> run<float>(const Override&, TensorsOf<float>);
template BasicTensor<double> run<double>(const Override&, TensorsOf<double>);

}  // namespace attn::reference
