#include "app/start.h"

#include <filesystem>

#include "app/input.h"

namespace attn {

Application::Setup start_setup(const std::string& input, Store store) {
  Application::Setup setup;
  if (!input.empty()) {
    setup.document = read_document(input);
    build_graph(setup.document.layer);  // what cannot be computed is refused before a window opens
    if (const auto recovery = store.load_recovery()) store.set_aside(*recovery);
    const std::string file = std::filesystem::absolute(input).string();
    setup.changed = store.was_set_aside(file);
    if (is_session_file(input) && !setup.changed) setup.path = file;
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
