// Kinds of events come with fixed frequencies: mostly pointing and pressing, sometimes keys and text, rarely
// another size. Bits of mt19937 are used as they are, since the standard's distributions differ by library.
#include "tests/app/random_ui.h"
#include "tests/app/documents.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <random>
#include <span>

#include "app/theme/toolkit.h"
#include "core/edits/edit.h"

namespace attn::tests {
namespace {

// How often each kind comes, in the order of Event::Kind.
constexpr std::array<double, 12> kFrequencies{30, 6, 12, 24, 3, 14, 6, 1.5, 2, 0.5, 0.06, 0.02};

struct Key {
  int key;
  Modifiers modifiers = {};
};

constexpr Modifiers kShift{.shift = true}, kAlt{.alt = true};

// All but Ctrl+S, Ctrl+Q and F12; those of the scale come with Event::scale, as they are slow.
const Key kKeys[] = {{GLFW_KEY_LEFT},
                     {GLFW_KEY_RIGHT},
                     {GLFW_KEY_UP},
                     {GLFW_KEY_DOWN},
                     {GLFW_KEY_UP, kShift},
                     {GLFW_KEY_RIGHT, kShift},
                     {GLFW_KEY_TAB},
                     {GLFW_KEY_TAB},
                     {GLFW_KEY_TAB, kShift},
                     {GLFW_KEY_ENTER},
                     {GLFW_KEY_ENTER},
                     {GLFW_KEY_KP_ENTER},
                     {GLFW_KEY_ESCAPE},
                     {GLFW_KEY_SPACE},
                     {GLFW_KEY_HOME},
                     {GLFW_KEY_END},
                     {GLFW_KEY_BACKSPACE},
                     {GLFW_KEY_DELETE},
                     {GLFW_KEY_PAGE_UP},
                     {GLFW_KEY_PAGE_DOWN},
                     {GLFW_KEY_F1},
                     {GLFW_KEY_F2},
                     {GLFW_KEY_1},
                     {GLFW_KEY_2},
                     {GLFW_KEY_9},
                     {GLFW_KEY_1, kAlt},
                     {GLFW_KEY_2, kAlt},
                     {GLFW_KEY_Z, kControl},
                     {GLFW_KEY_Z, kControl},
                     {GLFW_KEY_Z, kControlShift},
                     {GLFW_KEY_C, kControl},
                     {GLFW_KEY_V, kControl},
                     {GLFW_KEY_X, kControl},
                     {GLFW_KEY_A, kControl},
                     {GLFW_KEY_N, kControl},
                     {GLFW_KEY_O, kControl},
                     {GLFW_KEY_P, kControlShift},
                     {GLFW_KEY_PAGE_UP, kControl},
                     {GLFW_KEY_A},
                     {GLFW_KEY_MENU},
                     {GLFW_KEY_F10, kShift},
                     {GLFW_KEY_LEFT, kAlt},
                     {GLFW_KEY_DOWN, kAlt},
                     {GLFW_KEY_INSERT},
                     {GLFW_KEY_HOME, kControl}};

constexpr const char* kTexts[] = {"1", "2",    "0.5", "-3",   "sqrt(2)/2", "nan", "inf",     "1/0",
                                  "(", "abc",  "é",   "∞",    "=",         "h",   "softmax", "0",
                                  "-", "undo", " ",   "1e30", "?",         "q",   "sin(i+j)"};

constexpr const char* kClipboards[] = {"",
                                       "1",
                                       "1\t2\n3\t4",
                                       "[[1, 2], [3, x]]",
                                       "np.array([[0.5], [nan]])",
                                       "1,5;2,5",
                                       "\\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}",
                                       "hello"};

const ImVec2 kSizes[] = {{1600, 1000}, {1024, 640}, {2560, 1440}, {1280, 720}};
constexpr float kScales[] = {1, 2, 1, 1.5f};

template <class T, std::size_t N>
const T& chosen(const T (&list)[N], std::uint32_t number) {
  return list[number % N];
}

// Two independent shares from 0 to 1 of one number.
ImVec2 shares(std::uint32_t number) {
  return {static_cast<float>(number % 1009) / 1009, static_cast<float>(number / 1009 % 1013) / 1013};
}

ImVec2 within(Rect box, std::uint32_t number) {
  const ImVec2 share = shares(number);
  return {box.min.x + box.width() * share.x, box.min.y + box.height() * share.y};
}

bool too_large(const Document& document) {
  constexpr std::size_t kMost = 9, kMostNormals = std::size_t{1} << 18;  // those of the first document
  const LayerSpec& layer = document.layer();
  if (document.softmax.width * document.softmax.pairs > kMostNormals) return true;
  return std::max({query_count(layer), key_count(layer), head_count(layer), layer.x.columns(),
                   query_width(layer), key_width(layer), value_width(layer), layer.score_v.columns(),
                   layer.local_v.columns()}) > kMost;
}

}  // namespace

std::vector<Event> random_events(std::uint32_t seed, std::size_t count) {
  std::mt19937 random(seed);
  std::array<double, kFrequencies.size()> up_to{};
  double total = 0;
  for (std::size_t i = 0; i < up_to.size(); ++i) up_to[i] = total += kFrequencies[i];
  std::vector<Event> events;
  for (std::size_t i = 0; i < count; ++i) {
    const double place = static_cast<double>(random()) / 4294967296.0 * total;
    const auto kind = std::ranges::upper_bound(up_to, place) - up_to.begin();
    events.push_back({static_cast<Event::Kind>(kind), static_cast<std::uint32_t>(random())});
  }
  return events;
}

void Player::point(const Event& event) {
  const ImVec2 now = ImGui::GetIO().MousePos, size = ImGui::GetIO().DisplaySize;
  const std::uint32_t n = event.number;
  ImVec2 to = within({{0, 0}, size}, n);
  if (event.kind == Event::point_at_item && !targets_.empty())
    to = within(targets_[n / 1009 / 1013 % targets_.size()], n);
  if (event.kind == Event::nudge)
    to = {now.x + static_cast<float>(n % 31) - 15, now.y + static_cast<float>(n / 31 % 11) - 5};
  lab_.move(to);
}

// Naming every item costs as much as drawing it: only now and then.
void Player::look() {
  constexpr int kEvery = 12;
  constexpr int kCells = 8;  // a matrix is one item, and more than one thing to do
  if (played_++ % kEvery != 0) return;
  ImGui::GetIO().UserData = item_log_;
  lab_.frame();
  ImGui::GetIO().UserData = nullptr;
  targets_.clear();
  for (const Item& item : lab_.items())
    for (int i = 0; i < (item.path.ends_with("/cells") ? kCells : 1); ++i) targets_.push_back(item.box);
}

void Player::stay_small_and_write_nothing() {
  lab_.view().overlays.files.open = false;
  while (lab_.app().history().can_undo() && too_large(lab_.document())) lab_.app().undo();
}

void Player::play(const Event& event) {
  look();
  const std::uint32_t n = event.number;
  ImGuiIO& io = ImGui::GetIO();
  const int button = n % 8 == 0 ? 1 : 0;
  switch (event.kind) {
    case Event::point_at_item:
    case Event::point:
    case Event::nudge:
      point(event);
      break;
    case Event::press:
      io.MouseDown[button] ? lab_.release(button) : lab_.press(button);
      break;
    case Event::wheel:
      feed_wheel(n % 2 == 0 ? 1.0f : -1.0f, 0);
      lab_.frame();
      break;
    case Event::key:
      lab_.key(chosen(kKeys, n).key, chosen(kKeys, n).modifiers);
      break;
    case Event::text:
      io.AddInputCharactersUTF8(chosen(kTexts, n));
      lab_.frame();
      break;
    case Event::modifiers:
      lab_.hold({.control = n % 8 == 1, .shift = n % 8 == 2, .alt = n % 8 == 3});
      break;
    case Event::pause:
      lab_.frame(0.5f);
      break;
    case Event::clipboard:
      lab_.clipboard = chosen(kClipboards, n);
      break;
    case Event::resize:
      lab_.resize(chosen(kSizes, n));
      break;
    case Event::scale:
      lab_.set_scale(chosen(kScales, n));
      break;
  }
  stay_small_and_write_nothing();
}

}  // namespace attn::tests
