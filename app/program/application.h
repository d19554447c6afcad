// Application: works, what is computed of them and the view, and one frame of the program: the same in every
// host.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/frame/look.h"
#include "app/lesson/lesson_view.h"
#include "app/program/commands.h"
#include "app/program/computing.h"
#include "app/program/language_in_use.h"
#include "app/program/lesson_play.h"
#include "app/program/native_dialog.h"
#include "app/program/number_files.h"
#include "app/program/on_screen.h"
#include "app/program/reading.h"
#include "app/program/step_pictures.h"
#include "app/program/works.h"
#include "app/render/textures.h"
#include "app/workspaces/workspaces.h"
#include "core/io/session.h"
#include "core/system/budget.h"

namespace attn {

class Application {
 public:
  // What is to become of the work that the windows that ended have left: nothing, when it was read before the
  // window stands.
  enum class RecoveredUse { none, to_open, to_set_aside };
  struct Setup {
    Document document;
    std::string path;      // of the session it came from; empty: none yet
    FileMark mark = {};    // of that file, as it was read or written
    std::string name;      // without one: of the archive or example it was made from; may be empty
    bool changed = false;  // since it was saved there (restored work)
    bool held = false;     // not to be computed before it is asked for
    std::string dropped;   // a file that is opened then, as if it were dropped on the window
    RecoveredUse recovered = RecoveredUse::none;  // read then, when nothing else is
    std::string look = {};                        // what is looked at first, as a session has it
    std::string said;                             // on the status line: what became of other work
    bool trouble = false;                         // that is bad news
    Store store;                                  // a default one remembers nothing
    std::shared_ptr<Budget> budget = std::make_shared<Budget>();  // shared with the backends
    DeviceSource devices;
    std::optional<std::string> device =
        {};  // that `devices.backend` was chosen by, where not by the settings
    std::optional<std::string> language = {};  // for this run: in place of the settings'
    std::string usual_language = "en";         // where the settings say none
    std::function<void()>
        wake;  // called from other threads when there is something new to show; may be empty
    MeasureSetup measures = {};
    std::chrono::milliseconds recovery_period = kRecoveryPeriod, look_period = kLookPeriod;
    std::chrono::milliseconds patience{10};  // a file that was read by then is opened without another frame
    std::string program = "/proc/self/exe";  // this one, which draws pictures of steps
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
  void wait_for_results(std::chrono::microseconds limit) { engine().wait_idle_for(limit); }

  // Animation or playback: the host should draw the next frame without waiting for input.
  bool animating() const;

  // What a host shows and obeys.
  std::string title() const;  // "● the cat.json – Attention Lab"; the mark means unsaved changes
  bool quit_requested() const { return quit_; }
  // To be written after the frame has been drawn, which was drawn for it, as if the pointer were elsewhere.
  std::optional<SavePicture> take_capture();
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
  // A file: when it has been read, on a thread of its own. `as_compared`: into the open work.
  void open(const std::string& path_or_example, bool as_compared = false);
  // Whether it was; else the status line says why not. The work's own file is not written over where it was
  // changed on the disk meanwhile, unless `overwrite` says so: what to do is asked above the canvas.
  bool save(const std::string& path, bool overwrite = false);
  void keep_both();                       // under another name than its own, which is proposed
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
  void ask_for_file(bool saving, bool then_quit = false, bool as_compared = false,
                    const std::string& name = {});
  void request_capture(bool panel, bool svg = false);
  // Pictures of all steps of the workspace on screen, as it is.
  StepSize step_size() const;
  void save_steps(bool animation);
  void stop_saving_steps() { step_pictures_.stop(); }
  bool saving_steps() const { return step_pictures_.running(); }
  // Unless work would be lost that can be kept nowhere: then it is asked for first.
  void request_quit();
  void save_and_quit();
  void quit_unsaved() { quit_ = true; }
  void say(const std::string& message, bool error = false);
  // Saves settings and the open work, as closing does.
  void remember();
  // The open work as it is known to be on the disk.
  std::optional<Recovery> remembered() const { return works_.kept(); }

  const Document& document() const { return works_.document(); }
  const History& history() const { return works_.history(); }
  const std::string& path() const { return works_.work().path; }
  // Of the example or archive that the open work was made from; empty: of none.
  const std::string& made_from() const { return works_.work().name; }
  bool changed() const { return works_.changed(); }
  const Store& store() const { return works_.store(); }
  Measuring measuring() const { return computing_.measuring(); }
  EngineState engine_state() const { return computing_.engine().state(); }
  bool stopped() const {
    return computing_.holds(document()) || engine_state().stopped;
  }  // the document waits to be asked for
  Engine& engine() { return computing_.engine(); }
  // A file is being read; waits at most `limit` for it, and for a text that was pasted.
  bool reading() const { return reading_.running(); }
  void wait_for_reading(std::chrono::milliseconds limit) const { reading_.wait_for(limit); }
  View& view() { return view_; }
  const View& view() const { return view_; }
  std::span<const Workspace> workspaces() const { return workspaces_; }
  const Workspace& workspace() const { return *view_.workspace; }
  void show(const Workspace& workspace);
  // The document with what is looked at, as a file holds both.
  std::string session() const { return write_session(document(), look()); }
  std::string look() const { return look_of(view_, workspaces_); }
  // Looks at what the words say (app/frame/look.h). Throws Error, and then nothing has changed.
  void look(const std::string& words);
  // The same as a file has it, of a view as new: where that is no longer possible, the status line says why.
  void look_again(const std::string& words);
  // Plays a lesson (a name, or a file) from a step on, else from where it was left. What is open stays as it
  // is, and comes back as it is when the lesson is left. What is wrong with the lesson is said.
  void play_lesson(const std::string& lesson, std::optional<std::size_t> step = {});
  // The lesson that was played last, else the first of the course.
  void go_on_with_lessons();
  LanguageInUse& language() { return language_; }
  bool plays_lesson() const { return lesson_.has_value(); }
  // Forwards to the step as the file has it, back to what was left there.
  void go_to_lesson_step(std::size_t step);
  // Behind the last one to the next lesson of the course, and out of the last lesson.
  void next_lesson_step();
  // While the window presents: page by page (+1 on, −1 back) through each step; else as the two above.
  void turn_lesson_page(int direction);
  void leave_lesson();
  // Looks at the person's own document as the step looks at its own, and back.
  void turn_lesson();
  // Shows what the person has answered to an exercise; or makes its fault.
  void show_lesson_answer(std::size_t exercise);
  // The next hint of the step, the last of which does it.
  void show_lesson_hint();
  // The document of the step, as it is now, becomes a work of the person's own, and the lesson is left.
  void go_on_from_lesson();
  // A fault that is known beside the layer without it, in Compare; from there back to the step as it was.
  bool can_compare_fault() const;
  void compare_fault();
  LessonView& lesson() { return view_.of<LessonView>(); }
  const LessonView& lesson() const { return view_.of<LessonView>(); }

  // A lesson is recorded while somebody works: each step is the document and the look of then
  // (app/program/lesson_recorder.h). At the end words are asked for, and a file.
  void record_lesson();
  void add_recorded_step();
  void undo_recorded_step();
  void finish_recording();
  void discard_recording();
  void ask_for_lesson_file();

  // The steps of the workspace on screen.
  std::vector<StepChip> steps() const;
  Textures& textures() { return textures_; }
  // What is on screen: the results of the workspace there, and what was worked out of them.
  const EngineState& shown() const { return shown_.engine(); }
  Memos& memos() { return memos_; }

 private:
  void begin_frame();
  void escape();
  void run(const std::vector<std::string>& names);
  void answer(const std::vector<Ask>& asks);
  void answer(const OpenFile& file) { open(file.path, file.as_compared); }
  void answer(const PreviewFile& file) { reading_.preview(file.path, file.choices, document().layer()); }
  void answer(const TakePreview& taken) { take_preview(taken.check); }
  void answer(const SaveFile& file) { save_chosen(file.path, file.overwrite); }
  void answer(const ChooseFile& file) { ask_for_file(false, false, file.as_compared); }
  void answer(const ReadPoints& points) { open_points(points.text); }
  void answer(const StartMeasuring& start) { measure(start.spec); }
  void answer(const StopMeasuring&) { stop_measuring(); }
  void pin_for_all();
  void answer(const ShowWorkspace& chosen) { show(*chosen.workspace); }
  void answer(const SavePicture& picture) { wanted_ = picture; }
  void answer(const SaveNumbers& numbers) { number_files_.save(numbers); }
  void answer(const PlayLesson& played) { play_lesson(played.lesson, played.step); }
  void answer(const ShowAnswer& asked) { show_lesson_answer(asked.exercise); }
  std::string own_look() const { return lesson_ ? lesson_->own_look() : look(); }
  void save_lesson_chosen(const std::string& path);
  void save_recorded_lesson(const std::string& path);
  void begin_course();
  void follow_language();
  void put_lesson_step(std::size_t step, LessonScene scene);
  void look_at_own();
  void throw_fault(const LessonExercise& exercise, LessonAnswer& answer);
  void recall_replies();
  void follow_replies();
  void show_reply(std::size_t exercise);
  void end_comparing();
  void forget_compared();
  void tab_through_lit();
  void draw(Frame& frame);
  void drop_lost_paste();
  bool edit(const Document& draft, bool gesture);
  bool in_gesture() const;
  void take_canvas_edit(Document& draft);
  void take_up(Document document, const std::string& step, OpenWork work, const std::string& done);
  void document_replaced();
  void look_at_work(std::size_t before);
  void forget_refusal();
  void compute();
  void take_native_choice();
  void take_what_was_saved();
  void save_chosen(const std::string& path, bool overwrite);
  void look_at_file();
  void follow_reading();
  void take_what_was_read();
  void take_up_opened(const ReadFile& opened);
  void take_in(const ReadFile& opened);
  void take_preview(bool check);
  void take_recovered_work(const RecoveredWork& recovered);

  std::shared_ptr<Budget> budget_;
  std::span<const Workspace> workspaces_;
  View view_;
  Settings saved_settings_;
  Works works_;
  FileWatch followed_;  // that a panel follows (app/frame/followed_file.h)
  OnScreen shown_;
  Memos memos_{*budget_};
  Textures textures_;
  std::vector<Rect> panels_;            // of the last frame, for pictures of one panel
  std::optional<SavePicture> wanted_;   // a picture, of the next frame
  std::optional<SavePicture> capture_;  // of the frame just drawn
  bool awaiting_ = false, quit_ = false;
  bool recovered_waits_;           // left work waits to be read
  std::string reading_line_ = {};  // that was said of what is read last
  LanguageInUse language_;
  std::string usual_language_;  // where the settings say none
  std::optional<LessonPlay> lesson_;
  Reading reading_;
  Computing computing_;
  Studies studies_{computing_.engine()};
  float scale_ = 1;  // of the last frame
  NumberFiles number_files_;
  StepPictures step_pictures_;
  NativeDialog native_dialog_;  // last: it is closed even where a driver keeps the engine from its end
};

}  // namespace attn
