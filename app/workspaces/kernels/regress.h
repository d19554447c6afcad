// The command regress: kernel regression of points in a file.
#pragma once

#include <string>

#include "app/words/console.h"

namespace attn {

// Words as given; absent ones are empty.
struct RegressRequest {
  std::string input, kernel, width, query, output;
  std::string device = "auto";
  bool weights = false, local = false;
};

// Estimates the values of points in a file by a kernel and writes them with the leave-one-out errors of many
// widths: the arrays query, estimate, line and weights (where asked for), loo_width, loo_error. What does not
// fit into memory or on the disk is refused before it is computed.
void regress(const RegressRequest& request, Console& console);

}  // namespace attn
