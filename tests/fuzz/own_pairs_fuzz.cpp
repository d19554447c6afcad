// Pairs of texts that are pasted to be learnt, and rows of them that are typed.
#include "core/learning/moment.h"
#include "core/text/bytes.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  return tests::refused_or_parsed(data, size, [](Bytes bytes) {
    const TrainingTask task{.kind = TrainingTaskKind::own, .own = pairs_of_text(as_text(bytes))};
    tests::require(task_refusal(task).empty());
    const auto symbols = static_cast<std::int32_t>(symbols_of(task));
    for (const auto& [input, target] : task.own.pairs) {
      tests::require(input.size() == task.own.length && target.size() == task.own.length);
      for (const auto* side : {&input, &target})
        for (const std::int32_t symbol : *side) tests::require(symbol >= 0 && symbol < symbols);
      const TaskRow row = typed_row(task, input);
      tests::require(row.input == input && row.target.size() == input.size());
    }
    symbols_of_row(task, as_text(bytes).substr(0, as_text(bytes).find('\t')));
  });
}
