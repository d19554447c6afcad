// The softmax: what is instantiated of it.
#include "core/reference/softmax.h"

namespace attn::reference {

template struct Reference<RowMaximum>;
template struct Reference<Exponential>;
template struct Reference<RowSum>;
template struct Reference<Normalize>;

}  // namespace attn::reference
