// Application: history + engine + view, and one frame of the program: the same in every host.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/frame/look.h"
#include "app/program/commands.h"
#include "app/program/file_watch.h"
#include "app/program/input.h"
#include "app/program/later.h"
#include "app/program/native_dialog.h"
#include "app/program/recovery_writer.h"
#include "app/program/store.h"
#include "app/render/textures.h"
#include "app/workspaces/workspaces.h"
#include "core/io/session.h"
#include "core/measure/measure_job.h"
#include "core/system/budget.h"

namespace attn {

// A picture that the person asked for: of the window, or of one panel.
struct Capture {
  std::optional<Rect> area;
};

// How devices are measured: where it is kept, for which version of the program, and by which clock.
struct MeasureSetup {
  MeasureStore store = {};
  std::string program = {};
  MeasureSurroundings surroundings = this_machine();
};

class Application {
 public:
  // What is to become of the work that the windows that ended have left: nothing, when it was read before the
  // window stands.
  enum class Left { none, to_open, to_set_aside };
  struct Setup {
    Document document;
    std::string path;        // of the session it came from; empty: none yet
    FileMark mark = {};      // of that file, as it was read or written
    std::string name;        // without one: of the archive or example it was made from; may be empty
    bool changed = false;    // since it was saved there (restored work)
    bool held = false;       // not to be computed before it is asked for
    std::string dropped;     // a file that is opened then, as if it were dropped on the window
    Left left = Left::none;  // read then, when nothing else is
    std::string look = {};   // what is looked at first, as a session has it
    std::string said;        // on the status line: what became of other work
    bool trouble = false;    // that is bad news
    Store store;             // a default one remembers nothing
    std::shared_ptr<Budget> budget = std::make_shared<Budget>();  // shared with the backends
    BackendFactory backend;
    std::optional<std::string> device = {};  // that `backend` was chosen by, where not by the settings
    std::function<BackendFactory(const std::string& choice)>
        backend_for;  // for changing device; may be empty
    std::function<std::vector<DeviceChoice>(bool again)>
        survey;  // lists the devices, on the worker, tested again where asked; may be empty
    std::function<void()>
        wake;  // called from other threads when there is something new to show; may be empty
    MeasureSetup measures = {};
    std::chrono::milliseconds recovery_period = kRecoveryPeriod, look_period = kLookPeriod;
    std::chrono::milliseconds patience{10};  // a file that was read by then is opened without another frame
    bool opengl = false;
    bool native_dialogs = false;                                 // zenity or kdialog where there is one
    std::span<const Workspace> workspaces = attn::workspaces();  // those that there are; never none
  };
  explicit Application(Setup setup);
  ~Application();

  // One frame, between ImGui::NewFrame() and ImGui::Render(), on the whole display.
  void frame(const Fonts& fonts, float scale);

  // The last frame changed the document: what follows from it is being computed.
  bool awaiting() const { return awaiting_; }
  // Waits at most `limit` for it. A host then draws a second pass, so that input and effect share one
  // picture.
  void wait_for_results(std::chrono::microseconds limit) { engine_.wait_idle_for(limit); }

  // Animation or playback: the host should draw the next frame without waiting for input.
  bool animating() const;

  // What a host shows and obeys.
  std::string title() const;  // "● the cat.json – Attention Lab"; the mark means unsaved changes
  bool quit_requested() const { return quit_; }
  std::optional<Capture> take_capture();  // to be written after the frame has been drawn
  void dropped(const std::vector<std::string>& paths);

  // Runs a command of the table, with the document and the view as they are. What it changes of the document
  // is one step of the history; an Error that it throws changes nothing and becomes the status line's
  // message.
  void run(const Command& command);
  // Hands over a desk as a command would find it; what is changed of its draft is forgotten.
  void at_desk(const std::function<void(Desk&)>& use);

  // What commands do. Errors become the status line's message; the document stays.
  void new_document();
  void open_points(const std::string& text);  // pasted rows of x and values
  // A file: when it has been read, on a thread of its own. `beside`: into the open work, beside its layer.
  void open(const std::string& path_or_example, bool beside = false);
  // Whether it was; else the status line says why not. The work's own file is not written over where it was
  // changed on the disk meanwhile, unless `overwrite` says so: what to do is asked above the canvas.
  bool save(const std::string& path, bool overwrite = false);
  void save_beside();                     // under another name than its own, which is proposed
  void change(const Document& document);  // one step of the history, named by what changed
  void undo();
  void redo();
  void jump(std::size_t step);
  void stop_reading();   // the file
  void stop();           // the computation
  void compute_again();  // the document, after it was stopped or held
  void use_device(const std::string& choice);
  void survey_devices();  // the badge's menu and the palette show them once they are known
  void retest_devices();  // the same, all tested again; then the choice is made anew
  // Of the device in use, behind everything else that it computes; then it is kept.
  void measure(const MeasureSpec& spec);
  void stop_measuring();
  // `name`: proposed to save under; empty: the work's own.
  void ask_for_file(bool saving, bool then_quit = false, bool beside = false, const std::string& name = {});
  void request_capture(bool panel);
  // Unless work would be lost that can be kept nowhere: then it is asked for first.
  void request_quit();
  void save_and_quit();
  void quit_unsaved() { quit_ = true; }
  void say(const std::string& message, bool error = false);
  // Saves settings and the open work, as closing does.
  void remember();
  // The open work as it is known to be on the disk.
  std::optional<Recovery> remembered() const { return recovery_writer_.written(); }

  const Document& document() const { return history_.current(); }
  const History& history() const { return history_; }
  const std::string& path() const { return works_[history_.work()].path; }
  bool changed() const { return !(document() == works_[history_.work()].saved); }
  const Store& store() const { return store_; }
  Measuring measuring() const { return measure_.now(); }
  EngineState engine_state() const { return engine_.state(); }
  bool stopped() const { return held() || engine_.state().stopped; }  // the document waits to be asked for
  Engine& engine() { return engine_; }
  // A file is being read; waits at most `limit` for it, and for a text that was pasted.
  bool reading() const { return opening_.running(); }
  void wait_for_reading(std::chrono::milliseconds limit) const;
  View& view() { return view_; }
  const View& view() const { return view_; }
  std::span<const Workspace> workspaces() const { return workspaces_; }
  const Workspace& workspace() const { return *view_.workspace; }
  void show(const Workspace& workspace);
  // The document with what is looked at, as a file holds both.
  std::string session() const { return write_session(document(), look_of(view_, workspaces_)); }
  // Looks at what the words say (app/frame/look.h). Throws Error, and then nothing has changed.
  void look(const std::string& words);
  // The same as a file has it, of a view as new: where that is no longer possible, the status line says why.
  void look_again(const std::string& words);
  // The steps of the workspace on screen.
  std::vector<StepChip> steps() const;
  Textures& textures() { return textures_; }
  // What is on screen: the results of the workspace there, and what was worked out of them.
  const EngineState& shown() const { return made_.engine; }
  Memos& memos() { return memos_; }

 private:
  struct Work {
    std::string path = {};  // of its session; empty: none yet
    FileMark mark = {};     // of that, as it was read or written
    std::string name = {};  // without one: of what it was made from; empty: untitled
    Document saved = {};    // as in that file
    std::string lost = {};  // why it could not be set aside when another took its place; empty: it is kept
    std::map<const Workspace*, Sight> sights = {};  // of its canvases, while another work is open
  };
  // A file that was read: its document, or why there is none.
  struct Opened {
    std::string input, error;
    std::string file = {};  // to save back to: the session's
    Document document = {};
    FileNotes notes = {};
    std::optional<Tensor> points = {};  // of a file that holds points alone: they go into the open work
    std::optional<LeftWork> left = {};  // no file, but what was left
    bool beside = false;                // so does the layer
  };
  // What became of the unsaved changes of a work whose place another takes.
  struct SetAside {
    bool kept = false;
    std::string lost;  // why not; empty: they are kept, or there were none
  };
  // What a frame is made from beside the draft and the view. Kept from frame to frame, as each costs more
  // than a frame at rest may; made again when what it was made from is another.
  struct Made {
    EngineState engine;  // of the workspace on screen
    Measuring measuring = {};
    std::shared_ptr<const Graph> given = std::make_shared<Graph>();  // of `document` in `workspace`
    std::optional<Document> document = {};
    const Workspace* workspace = nullptr;
    std::vector<Command> table;
    std::optional<TableKey> table_key = {};
    Links links;
    std::shared_ptr<const Results> linked =
        {};  // the results, the number and what was open when links were made
    std::optional<Spot> linked_spot = {};
    LayerView linked_view = {};
  };
  void begin_frame();
  void escape();
  void update_engine_state();
  void update_given();
  std::shared_ptr<const Built> build_given();
  void update_table();
  void update_links();
  const Graph& shown_graph() const;
  void run(const std::vector<std::string>& names);
  void answer(const std::vector<Ask>& asks);
  void answer(const OpenFile& file) { open(file.path, file.beside); }
  void answer(const SaveFile& file) { save_chosen(file.path, file.overwrite); }
  void answer(const ChooseFile& file) { ask_for_file(false, false, file.beside); }
  void answer(const ReadPoints& points) { open_points(points.text); }
  void answer(const StartMeasuring& start) { measure(start.spec); }
  void answer(const StopMeasuring&) { stop_measuring(); }
  void answer(const ShowWorkspace& chosen) { show(*chosen.workspace); }
  void draw(Frame& frame);
  void drop_lost_paste();
  void recall_measured(const std::optional<MeasureShape>& shape);
  void settle(Document& draft);
  void settle_all(Document& draft);
  void keep_within_limits(Document& draft);
  // `done`: what is said.
  void take_up(Document document, const std::string& step, Work work, const std::string& done);
  SetAside set_aside();
  void document_replaced();
  void look_at_work(std::size_t before);
  void forget_refusal();
  void keep_for_next_start();
  void compute();
  bool held() const { return held_ == history_.current(); }
  std::optional<std::size_t> step_to_save(bool kept) const;
  void take_native_choice();
  void save_chosen(const std::string& path, bool overwrite);
  bool would_lose(const std::string& file, const std::string& text) const;
  void look_at_file();
  void read(const std::string& what, const std::function<void(Opened&, const OnTheWay&)>& reader);
  void read_left_work();
  void take_what_was_read();
  void say_reading();
  void take_up_opened(const Opened& opened);
  void take_in(const Opened& opened);
  void take_left_work(const LeftWork& left);
  bool stands_in() const;
  Recovery recovery() const;

  std::shared_ptr<Budget> budget_;
  Memos memos_{*budget_};
  Textures textures_;
  Store store_;
  std::function<BackendFactory(const std::string&)> backend_for_;
  std::function<std::vector<DeviceChoice>(bool again)> survey_;
  History history_;
  std::vector<Work> works_;  // by History::work(): undoing the opening of a file goes back to the one before
  Document remembered_;      // as last handed to recovery_writer_
  View view_;
  Settings saved_settings_;
  std::vector<Rect> panels_;  // of the last frame, for pictures of one panel
  std::optional<Capture> capture_;
  bool awaiting_ = false, quit_ = false, computing_ = false;
  std::optional<Document> settled_;  // what is typed over it has its cells, all of it
  std::optional<Document> held_;     // what is not computed before it is asked for
  RecoveryWriter recovery_writer_;
  std::span<const Workspace> workspaces_;
  Made made_;
  bool native_dialogs_ = false;
  std::function<void()> wake_;
  std::chrono::milliseconds patience_;
  bool left_, stands_in_;          // left work waits to be read; the first document stands in for it
  std::string reading_;            // what opening_ reads
  std::string reading_line_ = {};  // that was said of it last
  Later<Opened> opening_;
  Later<ParsedBlock> pasted_;
  FileWatch file_watch_;
  std::atomic<bool> retested_ = false;  // all devices: the choice is made anew
  Engine engine_;                       // its thread calls wake
  MeasureJob measure_;                  // goes before the engine, which keeps what is measured until then
  std::optional<std::pair<MeasureShape, std::string>> recalled_;  // the shape and the device
  NativeDialog native_dialog_;  // last: it is closed even where a driver keeps the engine from its end
};

}  // namespace attn
