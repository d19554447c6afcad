// The arithmetic of a step for one number of the parameters, in double.
#pragma once

#include "core/learning/groups.h"
#include "core/learning/run_log.h"

namespace attn {

// Kingma, Ba 2015; Loshchilov, Hutter 2019; of SGD, m, v and what is made of them are 0.
struct StepArithmetic {
  std::size_t t = 0;    // the step's number, from 1 on
  double gradient = 0;  // as the device made it
  double decayed = 0;   // of Adam with a decay: gradient + decay·θ; else the gradient
  double m_before = 0, v_before = 0, m = 0, v = 0;
  double m_hat = 0, v_hat = 0;
  double rate = 0;    // with the warm-up
  double shrunk = 0;  // of AdamW: what its decay alone takes off θ; of SGD rate·decay·θ
  double step = 0;    // what the rest adds: −rate·m̂ ÷ (√v̂ + ε), of SGD −rate·g
  double before = 0, after = 0;
  double stored = 0;  // what the device has behind the step
  double difference() const { return stored - after; }
};
StepArithmetic step_arithmetic(const ParameterStep& optimizer, const StepTaken& taken, ParameterCell cell);

}  // namespace attn
