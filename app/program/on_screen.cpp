// Makes a part anew when what it was made from has changed.
#include "app/program/on_screen.h"

#include "app/frame/links.h"
#include "app/frame/workspace.h"
#include "app/program/input.h"
#include "app/widgets/focus.h"
#include "core/system/error.h"

namespace attn {

void OnScreen::update(EngineState engine, Measuring measuring, const Document& document,
                      const Workspace& workspace) {
  engine_ = std::move(engine);
  measuring_ = std::move(measuring);
  if (workspace_ == &workspace && document_ == document) return;
  const auto& results = engine_.results;
  if (!results || !(results->document == document)) return void(build(document, workspace));
  document_ = document;
  workspace_ = &workspace;
  given_ = {results, &results->graph};
}

std::shared_ptr<const Built> OnScreen::build(const Document& document, const Workspace& workspace) {
  document_ = document;
  workspace_ = &workspace;
  try {
    auto built = std::make_shared<const Built>(workspace.build(document, kLayerA));
    given_ = {built, &built->graph};
    return built;
  } catch (const Error&) {  // the engine says what is wrong
    given_ = std::make_shared<const Graph>(workspace.given ? workspace.given(document) : Graph());
    return nullptr;
  }
}

void OnScreen::update_table(Application& application) {
  TableKey key = table_key(application);
  const bool touched = ImGui::IsMouseReleased(0) || ImGui::IsMouseClicked(0) || any_key_pressed();
  // A drag changes the document in every frame, and nobody chooses a command in it: its end is a touch.
  if (table_key_ && ImGui::IsMouseDragging(0)) key.history = table_key_->history, key.busy = table_key_->busy;
  if (!touched && table_key_ == key) return;
  table_ = make_commands(application, key.palette);
  table_key_ = std::move(key);
}

void OnScreen::update_links(const View& view) {
  const auto& focus = view.focus();
  const auto& results = engine_.results;
  if (linked_ == results && linked_spot_ == focus && linked_view_ == view.layer) return;
  linked_ = results;
  linked_spot_ = focus;
  linked_view_ = view.layer;
  links_ = results && focus ? make_links(*results, *focus, view) : Links();
}

}  // namespace attn
