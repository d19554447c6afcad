// What is found out of the proof behind the results: losses of nudged numbers, in double. Private to
// app/workspaces/gradients.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workspaces/gradients/scene.h"
#include "core/checks/central_differences.h"

namespace attn {

// Of two numbers: the one that is looked at, and an input.
using ProofPlaces = std::array<std::optional<GradientsScene::Looked>, 2>;

// At one h. Where the loss is no number there is nothing more.
struct ProofPair {
  std::optional<double> loss = {};
  std::array<std::optional<Difference>, 2> numbers = {};
};
// At every h of the plot, in its order, as far as they are found.
struct ProofCurves {
  std::array<std::vector<Difference>, 2> points = {};
};
struct ProofOfAll {
  DifferenceCheck check = {};
};
// By how much the loss moves with a number of a stage.
struct ProofMove {
  StageIndex stage = 0;
  Cell cell;
  double moves = 0;
};

ProofPlaces proof_places(const GradientsScene& scene);
std::vector<double> curve_nudges();
Study<ProofPair> study_pair(const GradientsScene& scene);
Study<ProofCurves> study_curves(const GradientsScene& scene);
// Where it is asked for, or takes so little that nobody is asked; none: else.
std::optional<Study<ProofOfAll>> study_all(const GradientsScene& scene);
// The number is changed by that much. An error where the layer is too large.
Study<ProofMove> study_move(Frame& frame, const Results& results, StageIndex stage, Cell cell, double change);
// How many numbers a proof of all is about, and how many seconds it takes or a little more; whether those are
// so few that nobody is asked.
std::size_t inputs_to_check(const Results& results);
double seconds_to_check(const Results& results);
bool checked_unasked(const Results& results);
// How long a graph takes in double, up to this stage, by the shapes of its stages.
double seconds_in_double(const Graph& graph, StageIndex last);

// What was found of a number, or stale of the same number. None: of another, or nothing yet.
std::optional<Difference> found_of(const GradientsScene& scene, const Study<ProofPair>& study,
                                   std::size_t which);
// A found difference as it is to be shown: beside the device's gradient where that is compared. None: the
// device's is not here.
std::optional<Difference> shown_difference(const GradientsScene& scene, const Difference& found);
// "X[2, 3]", with the head where there are several.
std::string proof_name(const GradientsScene& scene, StageIndex stage, Cell cell);
// "1e−5": as many digits as it has, two at most.
std::string nudge_text(double h);
// Whether a number that is NaN or ∞ reached the loss, and where the first one stands.
struct ProofFault {
  double loss = 0;
  std::optional<StageFaults> first = {};
};
std::optional<ProofFault> proof_fault(const GradientsScene& scene, const std::optional<double>& in_double);

// The line below the plot.
void draw_proof_of_all(GradientsScene& scene, Rect line);

}  // namespace attn
