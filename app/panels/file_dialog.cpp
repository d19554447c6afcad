// The program's own file dialog: a folder's sessions, archives and pictures, and a name.
#include <imgui.h>

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "app/panels/overlay.h"
#include "app/toolkit.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::array kEndings{".json", ".npz", ".png"};

struct Listing {
  std::vector<std::string> folders, files;
  std::string error;
};

Listing list_folder(const std::string& folder, bool saving) {
  Listing listing;
  std::error_code failed;
  fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, failed);
  if (failed) {
    listing.error = folder + ": " + failed.message();
    return listing;
  }
  for (; it != fs::directory_iterator(); it.increment(failed)) {
    if (failed) break;
    std::error_code ignored;
    const std::string name = it->path().filename().string(), ending = it->path().extension().string();
    if (name.starts_with(".")) continue;
    if (it->is_directory(ignored))
      listing.folders.push_back(name);
    else if (saving ? ending == ".json" : std::ranges::count(kEndings, ending) > 0)
      listing.files.push_back(name);
  }
  std::ranges::sort(listing.folders);
  std::ranges::sort(listing.files);
  return listing;
}

// Opens or saves `path`, or goes into it when it is a folder.
void choose(Frame& frame, const fs::path& path) {
  FileDialog& dialog = frame.view.overlays.files;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    dialog.folder = fs::weakly_canonical(path, ignored).string();
    if (!dialog.saving) dialog.name.clear();
    dialog.error.clear();
  } else if (dialog.saving) {
    frame.commands.push_back("save:" + (path.has_extension() ? path.string() : path.string() + ".json"));
    dialog.open = false;
  } else if (!fs::exists(path, ignored)) {
    dialog.error = path.string() + ": there is no such file";
  } else {
    frame.commands.push_back("open:" + path.string());
    dialog.open = false;
  }
}

void draw_listing(Frame& frame) {
  FileDialog& dialog = frame.view.overlays.files;
  const Listing listing = list_folder(dialog.folder, dialog.saving);
  const fs::path folder = dialog.folder;
  if (!listing.error.empty()) ImGui::TextWrapped("%s", listing.error.c_str());
  if (ImGui::Selectable("../")) choose(frame, folder.parent_path());
  for (const std::string& name : listing.folders)
    if (ImGui::Selectable((name + "/").c_str())) choose(frame, folder / name);
  for (const std::string& name : listing.files) {
    if (ImGui::Selectable(name.c_str(), name == dialog.name, ImGuiSelectableFlags_AllowDoubleClick)) {
      dialog.name = name;
      if (ImGui::IsMouseDoubleClicked(0)) choose(frame, folder / name);
    }
  }
  if (listing.folders.empty() && listing.files.empty())
    ImGui::TextDisabled(dialog.saving ? "no sessions here yet"
                                      : "no sessions, .npz archives or pictures here");
}

}  // namespace

void draw_file_dialog(Frame& frame) {
  FileDialog& dialog = frame.view.overlays.files;
  const Theme& theme = frame.theme;
  begin_overlay(frame, "##files", {640, 460}, dialog.open);
  ImGui::PushFont(theme.fonts.bold);
  ImGui::TextUnformatted(dialog.saving ? "Save session as" : "Open a session, an .npz or a picture");
  ImGui::PopFont();
  ImGui::TextDisabled("%s", dialog.folder.c_str());
  const float below = 2 * ImGui::GetFrameHeightWithSpacing() + theme.px(8);
  ImGui::BeginChild("##listing", {0, -below}, true);
  draw_listing(frame);
  ImGui::EndChild();
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-theme.px(90));
  bool take = ImGui::InputTextWithHint("##name", "a name or a path", &dialog.name,
                                       ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  take |= ImGui::Button(dialog.saving ? "Save" : "Open", {-1, 0});
  if (take && !dialog.name.empty()) choose(frame, fs::path(dialog.folder) / dialog.name);
  ImGui::PushStyleColor(ImGuiCol_Text, dialog.error.empty() ? theme.faint : theme.bad);
  ImGui::TextUnformatted(dialog.error.empty() ? "Enter takes it, Esc closes" : dialog.error.c_str());
  ImGui::PopStyleColor();
  end_overlay();
}

}  // namespace attn
