// Masks: what is instantiated of them.
#include "core/reference/mask.h"

namespace attn::reference {

template struct Reference<Mask>;
template struct Reference<MaskFill>;

}  // namespace attn::reference
