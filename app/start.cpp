#include "app/start.h"

#include <filesystem>

#include "app/input.h"

namespace attn {

Application::Setup start_setup(const std::string& input, Store store) {
  Application::Setup setup;
  if (!input.empty()) {
    setup.document = read_document(input);
    build_graph(setup.document.layer);  // what cannot be computed is refused before a window opens
    if (is_session_file(input)) setup.path = std::filesystem::absolute(input).string();
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
