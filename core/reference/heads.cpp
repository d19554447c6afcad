// Merging, splitting, adding up, viewing and repeating heads: what is instantiated of it.
#include "core/reference/heads.h"

namespace attn::reference {

template struct Reference<Concat>;
template struct Reference<SplitHeads>;
template struct Reference<HeadSum>;
template struct Reference<PickRow>;
template struct Reference<Reshape>;
template struct Reference<TileHeads>;
template struct Reference<Transpose>;

}  // namespace attn::reference
