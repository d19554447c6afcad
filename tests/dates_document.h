// A document whose stack is a trained model of dates, for tests: one that stays as it is, and that numpy has
// computed with (tests/oracles/make_dates_by_torch.py), whatever model the program comes with.
#pragma once

#include "core/document/document.h"
#include "core/io/stack_models.h"
#include "core/system/file.h"
#include "tests/places.h"

namespace attn::tests {

inline const StackSpec& dates_by_torch() {
  static const StackSpec kDates =
      dates_stack_of(read_file(std::string(kSourceDir) + "/tests/oracles/dates_by_torch.npz"));
  return kDates;
}

inline Document dates_document() {
  Document document;
  document.transformer = dates_by_torch();
  return document;
}

}  // namespace attn::tests
