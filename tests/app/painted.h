// What drawing adds to a draw list, for tests of what is drawn in corners and triangles.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "app/host/headless.h"
#include "app/program/input.h"

namespace attn::tests {

// What a frame's foreground holds after `draw`.
struct Painted {
  std::vector<ImVec2> corners;
  int indices = 0;
};

inline Painted painted(const std::function<void(ImDrawList&, const Theme&)>& draw) {
  Painted result;
  Headless* running = nullptr;
  Headless lab({.document = read_document("three-tokens"), .settings = Settings{}, .on_top = [&] {
                  if (!running) return;
                  ImDrawList& list = *ImGui::GetForegroundDrawList();
                  const int vertices = list.VtxBuffer.Size, indices = list.IdxBuffer.Size;
                  draw(list, running->theme());
                  result = {{}, list.IdxBuffer.Size - indices};
                  for (int i = vertices; i < list.VtxBuffer.Size; ++i)
                    result.corners.push_back(list.VtxBuffer[i].pos);
                }});
  running = &lab;
  lab.frame();
  return result;
}

}  // namespace attn::tests
