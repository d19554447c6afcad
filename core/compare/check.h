// CheckSpec: the numbers of another program, stage by stage, that the layer A is checked against. A plain
// value.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/given.h"

namespace attn {

// Its fields, and all that is said about them, are listed in check_fields.h.
struct CheckSpec {
  bool on = false;                 // Compare shows it in place of A and B
  std::vector<std::string> file;   // one: the path that it was read from; none: nothing was read
  std::vector<std::string> names;  // as arrays were understood, in words of --names (core/io/dump.h)
  // Of the stages that bear these ids in a layer; empty: the file has none. Shapes are those of the stages.
  Tensor position, q, k, v, q_normed, k_normed, q_rotated, k_rotated, scores, scaled, capped, biased, masked,
      weights, masked_weights, dropped, head_output, concat, output;
  double absolute = 2e-6, relative = 2e-5;  // equal: |yours − ours| ≤ absolute + relative·|ours|
  bool pairs = true, three = false;         // of mistakes, tried as well as each alone
  std::vector<std::string> kept;            // words of the mistakes that are shown in ours

  bool operator==(const CheckSpec& other) const;
};

// Those that are there, in the order of a layer.
std::vector<GivenStage> given_stages(const CheckSpec& check);
// In place of what there was. Throws Error for an id that no stage of a layer has.
void set_given_stages(CheckSpec& check, std::span<const GivenStage> stages);
// The ids that a file may give, in the order of a layer.
std::vector<std::string> given_stage_ids();

}  // namespace attn
