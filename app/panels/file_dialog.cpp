// The program's own file dialog: a folder's sessions, archives and pictures, and a name.
#include <imgui.h>

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "app/frame/recording_view.h"
#include "app/language/speech.h"
#include "app/panels/overlay.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::array kEndings{".json", ".npz", ".png", ".svg", ".md"};

bool saves_lesson(const Frame& frame) {
  return frame.view.of<RecordingView>().choosing;
}

// Of what is saved.
std::string ending_of(const Frame& frame) {
  return saves_lesson(frame) ? ".lesson.md" : ".json";
}

// Of all files those with the ending; without one those that can be opened.
FolderListing list_folder(const std::string& folder, const std::string& wanted) {
  FolderListing listing{.folder = folder, .folders = {}, .files = {}, .error = {}};
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
    else if (wanted.empty() ? std::ranges::count(kEndings, ending) > 0 : ending == wanted)
      listing.files.push_back(name);
  }
  std::ranges::sort(listing.folders);
  std::ranges::sort(listing.files);
  return listing;
}

void enter(FileDialog& dialog, const fs::path& folder) {
  std::error_code ignored;
  dialog.folder = fs::weakly_canonical(folder, ignored).string();
  if (!dialog.saving) dialog.name.clear();
  dialog.listing = {};
}

// Over another file only when `replace` says so; else that is asked. The dialog stays until it is saved: what
// is refused is said here, and what is typed then is another name.
void save(Frame& frame, const fs::path& path, bool replace) {
  FileDialog& dialog = frame.view.overlays.files;
  const bool named = saves_lesson(frame) ? path.extension() == ".md" : path.has_extension();
  const std::string file = named ? path.string() : path.string() + ending_of(frame);
  std::error_code ignored;
  if (!replace && fs::exists(file, ignored) && !fs::equivalent(file, dialog.own, ignored)) {
    dialog.replaces = file;
    return;
  }
  dialog.replaces.clear();
  frame.asks.emplace_back(SaveFile{file, replace});
}

// Opens or saves `path`, or goes into it when it is a folder. What is refused can be typed anew at once.
void choose(Frame& frame, const fs::path& path) {
  FileDialog& dialog = frame.view.overlays.files;
  std::error_code ignored;
  dialog.error.clear();
  dialog.replaces.clear();
  dialog.focus = true;
  if (fs::is_directory(path, ignored)) {
    enter(dialog, path);
  } else if (dialog.saving) {
    save(frame, path, false);
  } else if (!fs::exists(path, ignored)) {
    dialog.error = path.string() + ": there is no such file";
  } else {
    frame.asks.emplace_back(OpenFile{path.string(), dialog.as_compared});
    dialog.open = false;
  }
}

// The row that was clicked: a folder with a "/" behind its name, or a file. Nothing else is drawn than what
// is in sight.
std::optional<std::string> clicked_row(const FolderListing& listing, const std::string& name) {
  std::optional<std::string> clicked;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(listing.folders.size() + listing.files.size()));
  while (clipper.Step())
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      const auto i = static_cast<std::size_t>(row), folders = listing.folders.size();
      const std::string text = i < folders ? listing.folders[i] + "/" : listing.files[i - folders];
      if (ImGui::Selectable(text.c_str(), text == name, ImGuiSelectableFlags_AllowDoubleClick))
        clicked = text;
    }
  return clicked;
}

void draw_listing(Frame& frame) {
  FileDialog& dialog = frame.view.overlays.files;
  // Listed when it is entered: a folder may be large and far away.
  if (dialog.listing.folder != dialog.folder)
    dialog.listing =
        list_folder(dialog.folder, dialog.saving ? fs::path(ending_of(frame)).extension().string() : "");
  const FolderListing& listing = dialog.listing;
  const fs::path folder = dialog.folder;
  if (!listing.error.empty()) say_wrapped(listing.error);
  const bool up = ImGui::Selectable("../");
  const auto clicked = clicked_row(listing, dialog.name);
  if (listing.folders.empty() && listing.files.empty())
    say_dim(saves_lesson(frame) ? "no lessons here yet"
            : dialog.saving     ? "no sessions here yet"
                                : "no sessions, .npz archives, pictures or lessons here");
  if (up) choose(frame, folder.parent_path());
  if (!clicked) return;
  if (clicked->ends_with('/') || ImGui::IsMouseDoubleClicked(0)) return choose(frame, folder / *clicked);
  dialog.name = *clicked;
  dialog.replaces.clear();
  dialog.focus = true;
}

void draw_name(Frame& frame) {
  FileDialog& dialog = frame.view.overlays.files;
  if (std::exchange(dialog.focus, false)) focus_next_item();
  ImGui::SetNextItemWidth(-frame.theme.px(90));
  bool take = ImGui::InputTextWithHint("##name", spoken("a name or a path").c_str(), &dialog.name,
                                       ImGuiInputTextFlags_EnterReturnsTrue);
  if (ImGui::IsItemEdited()) dialog.replaces.clear();
  ImGui::SameLine();
  take |= button(dialog.saving ? "Save" : "Open", {-1, 0});
  if (take && !dialog.name.empty()) choose(frame, fs::path(dialog.folder) / dialog.name);
}

// What was refused; else the keys.
std::string words_of(const FileDialog& dialog) {
  return dialog.error.empty() ? "Enter takes it, Esc closes" : dialog.error;
}

// The lines that they take beyond the first: a reason stands at the end, and is read whole.
float more_lines(const FileDialog& dialog) {
  const float width = ImGui::GetContentRegionAvail().x;
  return ImGui::CalcTextSize(spoken(words_of(dialog)).c_str(), nullptr, false, width).y -
         ImGui::GetTextLineHeight();
}

// What was refused or is asked; else the keys.
void draw_words(Frame& frame) {
  FileDialog& dialog = frame.view.overlays.files;
  const Theme& theme = frame.theme;
  if (dialog.replaces.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, dialog.error.empty() ? theme.faint : theme.bad);
    say_wrapped(words_of(dialog));
    ImGui::PopStyleColor();
    return;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string keep = "Another name", replace = "Replace it";
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  const float left = right - chip_size(theme, keep).x - chip_size(theme, replace).x - theme.px(24);
  const char* why = dialog.replaces == dialog.own ? " was changed on the disk" : " is there already";
  const std::string words = fs::path(dialog.replaces).filename().string() + why + ". Replace it?";
  const float down = (chip_size(theme, keep).y - font_size(theme.fonts.body)) / 2;
  draw_text(*ImGui::GetWindowDrawList(), theme.fonts.body, {at.x, at.y + down}, theme.warning,
            elided(theme.fonts.body, words, left - at.x));
  ChipRow row(theme, left, right);
  if (row.add({.id = "keep", .text = keep, .tooltip = {}, .on = true})) {
    dialog.replaces.clear();
    dialog.focus = true;
  }
  if (row.add({.id = "replace", .text = replace, .tooltip = "what it holds now is lost"}))
    save(frame, dialog.replaces, true);
}

}  // namespace

void draw_file_dialog(Frame& frame) {
  FileDialog& dialog = frame.view.overlays.files;
  const Theme& theme = frame.theme;
  begin_overlay(frame, "##files", {640, 460}, dialog.open);
  if (!dialog.open && !dialog.replaces.empty()) {  // Esc takes back the question first
    dialog.open = dialog.focus = true;
    dialog.replaces.clear();
  }
  ImGui::PushFont(theme.fonts.bold);
  say(saves_lesson(frame) ? "Save the lesson as"
      : dialog.saving     ? "Save session as"
                          : "Open a session, an .npz, a picture or a lesson");
  ImGui::PopFont();
  ImGui::TextDisabled("%s", dialog.folder.c_str());
  const float below = 2 * ImGui::GetFrameHeightWithSpacing() + theme.px(8) + more_lines(dialog);
  ImGui::BeginChild("##listing", {0, -below}, true);
  draw_listing(frame);
  ImGui::EndChild();
  begin_tab_stops();
  draw_name(frame);
  draw_words(frame);
  end_tab_stops();
  end_overlay();
}

}  // namespace attn
