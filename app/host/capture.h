// Pictures on request: F12 of the window, Shift+F12 of one panel.
#pragma once

#include <string>

#include "app/program/application.h"
#include "core/io/png.h"

namespace attn {

// If the application wants a picture of the frame that was just drawn into the bound framebuffer (`size`
// pixels), writes it with its session and says where.
void save_capture(Application& app, ImVec2 size);

// Where pictures go: the user's folder for pictures, else the current one. From XDG_PICTURES_DIR or
// $XDG_CONFIG_HOME/user-dirs.dirs.
std::string pictures_folder();

// The first of attention-lab-001.png, -002.png, … that is free in `folder`.
std::string free_picture_path(const std::string& folder);

}  // namespace attn
