// Tries an edit on a copy of the document, which takes its place unless the edit is refused.
#include "app/canvas/edits.h"

#include <utility>

#include "core/system/error.h"

namespace attn {

bool attempt(Frame& frame, const std::function<void(LayerAt)>& edit) {
  Document document = frame.draft;
  try {
    edit({document, frame.address});
  } catch (const Error& error) {
    frame.view.say(error.what(), true);
    return false;
  }
  frame.draft = std::move(document);
  return true;
}

bool attempt(Frame& frame, const RefusedAt& at, const std::function<void(LayerAt)>& edit) {
  return attempt_in_row(frame.view, at, [&] {
    Document document = frame.draft;
    edit({document, frame.address});
    frame.draft = std::move(document);
  });
}

}  // namespace attn
