// Where pictures and numbers go that are saved without asking for a name.
#pragma once

#include <string>

namespace attn {

// The user's folder for pictures, else the current one. From XDG_PICTURES_DIR or
// $XDG_CONFIG_HOME/user-dirs.dirs.
std::string pictures_folder();

// The first of attention-lab-001.png, -002.png, … (or another ending; none is that of a folder) that is free
// in `folder`.
std::string free_picture_path(const std::string& folder, const std::string& ending = ".png");

}  // namespace attn
