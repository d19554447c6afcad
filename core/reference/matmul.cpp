// Matrix products by Eigen: what is instantiated of them.
#include "core/reference/matmul.h"

namespace attn::reference {

template BasicTensor<float> run<float>(const MatMul&, TensorsOf<float>);
template BasicTensor<double> run<double>(const MatMul&, TensorsOf<double>);
template BasicTensor<float> run<float>(const Project&, TensorsOf<float>);
template BasicTensor<double> run<double>(const Project&, TensorsOf<double>);

}  // namespace attn::reference
