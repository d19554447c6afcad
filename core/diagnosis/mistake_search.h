// Tries known mistakes on ours: each alone, then, where none reproduces yours, in sets of two and three.
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/stage_meter.h"

namespace attn {

class MistakeSearch {
 public:
  // `meter`, which is kept, counts the stages that are to be reproduced; `ours` as it measured it; `first`:
  // the stage of yours that differs first.
  MistakeSearch(const DiagnosisRequest& request, StageMeter& meter, MeasuredLayer ours, std::size_t first);

  // Tries the next set. False: there was none left, everything was tried that can reproduce yours.
  bool step(Backend& backend, Diagnosis& found);

 private:
  // A way in which a mistake can be made in ours, alone.
  struct Form {
    std::size_t mistake = 0;
    MistakenLayer made;
    Tried tried = {};
    bool joins = false;    // it can be part of a set that reproduces yours
    bool touches = false;  // it changes the stage that differs first
  };
  struct Set {
    std::vector<std::size_t> mistakes;
    Tried tried;
    bool touches = false;
  };
  // The sets that a mistake makes with one.
  struct Task {
    std::size_t set = 0, mistake = 0;
    double rank = 0;
    std::size_t expected = 0;
  };
  struct Pending {
    MistakenLayer made;
    const Form* alone = nullptr;  // the same, alone
  };

  void try_alone(Backend& backend, Form& form);
  void end_singles(Diagnosis& found);
  void plan(Diagnosis& found);
  bool next_task(Backend& backend, Diagnosis& found);
  void try_pending(Backend& backend, Diagnosis& found);
  void keep(Diagnosis& found, Tried tried) const;
  void end_level(Diagnosis& found) const;

  DiagnosisRequest request_;
  StageMeter& meter_;
  MeasuredLayer ours_;
  std::size_t first_;
  std::vector<Form> forms_;
  std::vector<std::vector<std::size_t>> forms_of_;  // by mistake
  std::size_t next_form_ = 0, size_ = 1;            // of the sets that are being tried
  std::vector<Set> level_, larger_;                 // sets of one fewer; those that were tried, to go on from
  std::vector<Task> tasks_;                         // the most promising last
  Task task_ = {};
  std::vector<Pending> pending_;  // of the task
};

}  // namespace attn
