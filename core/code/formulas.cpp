// From the variant to the family of its alternative.
#include "core/code/formula.h"

namespace attn::code {

Formula formula_of(const Operation& operation, const Given& in) {
  return std::visit([&]<class Op>(const Op& op) { return CodeOf<Op>::formula(op, in); },
                    static_cast<const OperationVariant&>(operation));
}

}  // namespace attn::code
