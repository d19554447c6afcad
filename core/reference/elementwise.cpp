// Scaling, adding, multiplying and replacing: what is instantiated of them.
#include "core/reference/elementwise.h"

namespace attn::reference {

template struct Reference<Scale>;
template struct Reference<Add>;
template struct Reference<Multiply>;
template struct Reference<Override>;

}  // namespace attn::reference
