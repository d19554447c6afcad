// Matrix products by Eigen: what is instantiated of them.
#include "core/reference/matmul.h"

namespace attn::reference {

template struct Reference<MatMul>;
template struct Reference<Project>;

}  // namespace attn::reference
