// What is spelled alike nearly everywhere.
#include "core/code/language.h"

namespace attn::code {

Spellings with_operators(Spellings own) {
  using enum Binding;
  own.merge(Spellings{{Fn::add, operation("%0 + %1", sum)},
                      {Fn::subtract, operation("%0 - %1", sum)},
                      {Fn::multiply, operation("%0 * %1", factor)},
                      {Fn::divide, operation("%0 / %1", factor)},
                      {Fn::above, compared("%0 > %1")},
                      {Fn::at_least, compared("%0 >= %1")},
                      {Fn::equal, compared("%0 == %1")},
                      {Fn::differs, compared("%0 != %1")},
                      {Fn::both, logic("%0 & %1")},
                      {Fn::either, logic("%0 | %1")},
                      {Fn::exp, call("exp(%0)")},
                      {Fn::log, call("log(%0)")},
                      {Fn::root, call("sqrt(%0)")},
                      {Fn::tanh, call("tanh(%0)")},
                      {Fn::sine, call("sin(%0)")},
                      {Fn::cosine, call("cos(%0)")},
                      {Fn::size, call("abs(%0)")},
                      {Fn::erf, call("erf(%0)")}});
  return own;
}

}  // namespace attn::code
