// Merging heads: what is instantiated of it.
#include "core/reference/heads.h"

namespace attn::reference {

template struct Reference<Concat>;
template struct Reference<PickRow>;
template struct Reference<Transpose>;

}  // namespace attn::reference
