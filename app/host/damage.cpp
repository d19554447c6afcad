// A tile's hash covers every triangle that touches it, in drawing order, with its clip rectangle and state.
// Tiles whose hash is another are joined into few rectangles, and the draw lists cut down to those.
#include "app/host/damage.h"

#include <algorithm>
#include <bit>

#include "app/host/fills.h"
#include "app/host/tiles.h"
#include "app/render/textures.h"
#include "app/theme/hash.h"

namespace attn {
namespace {

constexpr float kCover = 256 * 256;  // pixels; smaller fills hide too little for all to be held against them

// A triangle, or two over four corners.
struct Primitive {
  unsigned first, count;  // indices
  Rect box;               // clipped
  std::uint64_t hash;
  const ImDrawCmd* picture = nullptr;  // the callback that it shows a picture for
  Rect place = {};                     // of the whole picture
};

using attn::mixed;
std::uint64_t mixed(std::uint64_t hash, ImVec2 point) {
  return mixed(hash, std::bit_cast<std::uint64_t>(point));
}

Rect clipped(Rect box, const ImVec4& clip) {
  return {{std::max(box.min.x, clip.x), std::max(box.min.y, clip.y)},
          {std::min(box.max.x, clip.z), std::min(box.max.y, clip.w)}};
}

bool is_empty(Rect box) {
  return !(box.max.x > box.min.x && box.max.y > box.min.y);
}

// Two triangles over four corners in a row, as the toolkit writes rectangles and glyphs, and strokes their
// pieces: hashed as one.
bool is_pair(const ImDrawIdx* i) {
  const auto corners = [&](int b, int c, int d, int e) {
    return i[1] == i[0] + b && i[2] == i[0] + c && i[3] == i[0] && i[4] == i[0] + d && i[5] == i[0] + e;
  };
  return corners(1, 2, 2, 3) || corners(1, 3, 3, 2);
}

// The visible primitives of a command; `picture`: the callback that they are drawn by, if one of pictures.
std::vector<Primitive> primitives_of(const ImDrawList& list, const ImDrawCmd& command,
                                     const ImDrawCmd* picture) {
  std::vector<Primitive> primitives;
  primitives.reserve(command.ElemCount / 6 + 1);
  const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
  const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
  const ImVec4& clip = command.ClipRect;
  const std::uint64_t state = mixed(mixed(0, ImVec2(clip.x, clip.y)), ImVec2(clip.z, clip.w));
  for (unsigned at = 0; at + 3 <= command.ElemCount;) {
    const bool pair = at + 6 <= command.ElemCount && is_pair(indices + at);
    const unsigned count = pair ? 6 : 3, corners = pair ? 4 : 3;
    Primitive p{at, count, {vertices[indices[at]].pos, vertices[indices[at]].pos}, state};
    for (unsigned k = 0; k < corners; ++k) {
      const ImDrawVert& v = vertices[pair ? indices[at] + k : indices[at + k]];
      p.box.min = {std::min(p.box.min.x, v.pos.x), std::min(p.box.min.y, v.pos.y)};
      p.box.max = {std::max(p.box.max.x, v.pos.x), std::max(p.box.max.y, v.pos.y)};
      p.hash = mixed(mixed(mixed(p.hash, v.pos), v.uv), v.col);
    }
    at += count;
    p.picture = picture, p.place = p.box;
    p.box = clipped(p.box, command.ClipRect);
    if (!is_empty(p.box)) primitives.push_back(p);
  }
  return primitives;
}

ImDrawList& list_of(const ImDrawData& data, std::size_t i) {
  return *data.CmdLists[static_cast<int>(i)];
}

// The primitives of every command of a list; none of callbacks.
using Primitives = std::vector<std::vector<Primitive>>;

std::vector<Primitives> all_primitives(const ImDrawData& data) {
  std::vector<Primitives> all(static_cast<std::size_t>(data.CmdListsCount));
  const ImDrawCmd* picture = nullptr;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const ImDrawCmd& command : list_of(data, i).CmdBuffer) {
      all[i].emplace_back();
      if (command.UserCallback)
        picture = Textures::shows(command) ? &command : nullptr;
      else
        all[i].back() = primitives_of(list_of(data, i), command, picture);
    }
  return all;
}

// Covers end between pixels: what lies in one does so with all its pixels.
bool is_hidden(Rect box, const std::vector<Rect>& covers) {
  return std::ranges::any_of(covers, [&](const Rect& cover) {
    return box.min.x >= cover.min.x && box.min.y >= cover.min.y && box.max.x <= cover.max.x &&
           box.max.y <= cover.max.y;
  });
}

// What lies wholly below a large fill that is drawn later is as if it were not there.
void leave_out_hidden(const ImDrawData& data, std::vector<Primitives>& lists) {
  std::vector<Rect> covers;
  for (std::size_t i = lists.size(); i-- > 0;)
    for (std::size_t c = lists[i].size(); c-- > 0;) {
      const ImDrawList& list = list_of(data, i);
      const ImDrawCmd& command = list.CmdBuffer[static_cast<int>(c)];
      for (auto p = lists[i][c].rbegin(); p != lists[i][c].rend(); ++p)
        if (is_hidden(p->box, covers))
          p->count = 0;
        else if (p->picture || p->count < 6 || p->box.width() * p->box.height() < kCover)
          continue;
        else if (const auto fill = large_fill(list, command, p->first, kCover))
          covers.push_back(filled_pixels(*fill, command.ClipRect));
      std::erase_if(lists[i][c], [](const Primitive& p) { return p.count == 0; });
    }
}

// What a tile has of a picture: where a few of its numbers change the rest of it stays.
std::uint64_t content_in(const Primitive& p, Rect tile) {
  const Rect seen = clipped(tile, {p.box.min.x, p.box.min.y, p.box.max.x, p.box.max.y});
  const auto part = [&](ImVec2 at) {
    return ImVec2{(at.x - p.place.min.x) / p.place.width(), (at.y - p.place.min.y) / p.place.height()};
  };
  return Textures::content(*p.picture, part(seen.min), part(seen.max));
}

std::vector<std::uint64_t> hashes(const std::vector<Primitives>& lists, const Tiles& tiles,
                                  ImU32 background) {
  std::vector<std::uint64_t> hashes(tiles.count(), background);
  for (const Primitives& list : lists)
    for (const std::vector<Primitive>& command : list)
      for (const Primitive& p : command) {
        const int last_column = tiles.column(p.box.max.x), last_row = tiles.row(p.box.max.y);
        for (int row = tiles.row(p.box.min.y); row <= last_row; ++row)
          for (int column = tiles.column(p.box.min.x); column <= last_column; ++column) {
            std::uint64_t& hash = hashes[tiles.index(column, row)];
            hash = mixed(hash, p.hash);
            if (p.picture) hash = mixed(hash, content_in(p, tiles.region(column, column + 1, row, row + 1)));
          }
      }
  return hashes;
}

// The part of a command that is seen in each region, with indices of its own.
void append_restricted(const ImDrawList& list, const ImDrawCmd& command,
                       const std::vector<Primitive>& primitives, const std::vector<Rect>& regions,
                       ImVector<ImDrawCmd>& commands, ImVector<ImDrawIdx>& indices) {
  const Rect clip = whole_pixels(command.ClipRect);
  for (const Rect& region : regions) {
    const Rect seen = clipped(region, {clip.min.x, clip.min.y, clip.max.x, clip.max.y});
    if (is_empty(seen)) continue;
    ImDrawCmd part = command;
    part.ClipRect = {seen.min.x, seen.min.y, seen.max.x, seen.max.y};
    part.IdxOffset = static_cast<unsigned>(indices.Size);
    for (const Primitive& p : primitives) {
      if (is_empty(clipped(p.box, part.ClipRect))) continue;
      for (unsigned k = 0; k < p.count; ++k)
        indices.push_back(list.IdxBuffer[static_cast<int>(command.IdxOffset + p.first + k)]);
    }
    part.ElemCount = static_cast<unsigned>(indices.Size) - part.IdxOffset;
    if (part.ElemCount > 0) commands.push_back(part);
  }
}

// Callbacks stay where they are: they set the state of the commands behind them.
void restrict_list(ImDrawList& list, const Primitives& primitives, const std::vector<Rect>& regions) {
  ImVector<ImDrawCmd> commands;
  ImVector<ImDrawIdx> indices;
  for (int i = 0; i < list.CmdBuffer.Size; ++i)
    if (const ImDrawCmd& command = list.CmdBuffer[i]; command.UserCallback)
      commands.push_back(command);
    else
      append_restricted(list, command, primitives[static_cast<std::size_t>(i)], regions, commands, indices);
  list.CmdBuffer.swap(commands);
  list.IdxBuffer.swap(indices);
}

}  // namespace

std::vector<Rect> Damage::restrict_to_changes(ImDrawData& data, ImU32 background) {
  const Tiles tiles(data);
  std::vector<Primitives> primitives = all_primitives(data);
  leave_out_hidden(data, primitives);
  std::vector<std::uint64_t> now = hashes(primitives, tiles, background);
  const bool whole =
      tiles_.size() != now.size() || size_.x != data.DisplaySize.x || size_.y != data.DisplaySize.y;
  std::vector<bool> changed(now.size(), whole);
  for (std::size_t i = 0; i < now.size() && !whole; ++i) changed[i] = now[i] != tiles_[i];
  tiles_ = std::move(now);
  size_ = data.DisplaySize;
  const std::vector<Rect> regions = regions_of(changed, tiles);
  if (whole) return regions;  // nothing to leave out
  for (std::size_t i = 0; i < primitives.size(); ++i) restrict_list(list_of(data, i), primitives[i], regions);
  return regions;
}

}  // namespace attn
