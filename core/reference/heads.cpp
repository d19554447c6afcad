// Merging heads: what is instantiated of it.
#include "core/reference/heads.h"

namespace attn::reference {

template BasicTensor<float> run<float>(const Concat&, TensorsOf<float>);
template BasicTensor<double> run<double>(const Concat&, TensorsOf<double>);
template BasicTensor<float> run<float>(const PickRow&, TensorsOf<float>);
template BasicTensor<double> run<double>(const PickRow&, TensorsOf<double>);

}  // namespace attn::reference
