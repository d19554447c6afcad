// The file that was asked for, else the work of last time, else an example. Unsaved work that a file takes
// the place of is set aside first.
#include "app/start.h"

#include "app/input.h"

namespace attn {

Application::Setup start_setup(const std::string& input, Store store) {
  Application::Setup setup;
  if (!input.empty()) {
    setup.document = open_document(input);  // what cannot be computed is refused before a window opens
    if (const auto recovery = store.load_recovery()) store.set_aside(*recovery);
    const std::string file = session_path(input);
    setup.changed = store.was_set_aside(file);
    if (!setup.changed) setup.path = file;
  } else if (auto recovery = store.load_recovery()) {
    setup.document = std::move(recovery->document);
    setup.path = std::move(recovery->path);
    setup.changed = recovery->changed;
  } else {
    setup.document = read_document(kStartExample);
  }
  setup.store = std::move(store);
  return setup;
}

}  // namespace attn
