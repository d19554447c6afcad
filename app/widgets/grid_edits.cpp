// What every stage takes: numbers. Whoever shows a matrix adds what else can be done to it.
#include "app/widgets/grid_edits.h"

namespace attn {

GridEdits number_edits(const Plan& plan, const std::string& stage) {
  return {.set = [&plan, stage](Document& document, std::span<const CellValue> cells) {
    set_numbers(document, plan, stage, cells);
  }};
}

}  // namespace attn
