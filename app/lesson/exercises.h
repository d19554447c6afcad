// Exercises of a step: what is asked, answered and shown.
#pragma once

#include "app/lesson/lesson_words.h"

namespace attn {

// Where an exercise is drawn: its place among those of the step, and what is known of it.
struct ExercisePart {
  inspector::Flow& flow;
  const LessonExercise& exercise;
  LessonAnswer& answer;
  std::size_t index;
  LiveNumbers asked, live;                      // of the question, and of its answer
  std::shared_ptr<const Results> results = {};  // book: what its rows are held against; may be null

  const Theme& theme() const { return flow.theme(); }
};

// Those that are on screen.
void draw_exercises(inspector::Flow& flow);

// The parts, each in a file of its own.
void draw_choices(ExercisePart& part);
void draw_slider(ExercisePart& part);
void draw_curve(ExercisePart& part);
void draw_click(ExercisePart& part);
void draw_goal(ExercisePart& part);
void draw_fault(ExercisePart& part);
void draw_book(ExercisePart& part);
void draw_own_row(ExercisePart& part);  // of the same

// The numbers that a printed row stands for, as they are computed; empty where they are not.
std::vector<double> computed_row(const Results* results, const PrintedRow& row);
// A row of numbers in columns that are wide enough, below each other where one line is too short.
void put_row(inspector::Flow& flow, const char* name, const std::vector<double>& numbers, ImU32 ink);

// "0.45".
std::string two_digits(double value);
// "reveal ⏎" and what is to be said beside it.
void draw_reveal(ExercisePart& part, const std::string& beside);
// The hints that are shown, and H for the next.
void draw_hints(ExercisePart& part, std::size_t count, const char* more);
// What comes of it; nothing where it is empty.
void say_answer(ExercisePart& part, const LessonText& text, ImU32 colour);

}  // namespace attn
