// OnScreen: what a frame is made from besides the draft and the view. Kept from frame to frame, as each part
// costs more than a frame at rest may; made again when what it was made from is another.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/frame/frame.h"
#include "app/program/commands.h"
#include "core/measure/measure_job.h"

namespace attn {

class OnScreen {
 public:
  // Of the workspace on screen.
  const EngineState& engine() const { return engine_; }
  const Measuring& measuring() const { return measuring_; }
  // The graph of the document as it is now, in that workspace; of one that makes none what is given of it.
  const std::shared_ptr<const Graph>& given() const { return given_; }
  // Of the results, where there are any.
  const Graph& graph() const { return engine_.results ? engine_.results->graph : *given_; }
  const Links& links() const { return links_; }
  const std::vector<Command>& table() const { return table_; }

  void update(EngineState engine, Measuring measuring, const Document& document, const Workspace& workspace);
  void update_table(Application& application);
  void update_links(const View& view);
  // Makes given() of that document; null where it makes no graph.
  std::shared_ptr<const Built> build(const Document& document, const Workspace& workspace);

 private:
  EngineState engine_;
  Measuring measuring_ = {};
  std::shared_ptr<const Graph> given_ = std::make_shared<Graph>();  // of document_ in workspace_
  std::optional<Document> document_;
  const Workspace* workspace_ = nullptr;
  std::vector<Command> table_;
  std::optional<TableKey> table_key_;
  Links links_;
  std::shared_ptr<const Results> linked_;  // the results, the number and what was open when links were made
  std::optional<Spot> linked_spot_;
  LayerView linked_view_;
};

}  // namespace attn
