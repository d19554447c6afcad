// Every picture carries the session of what was asked for, not of how a part of it came into sight.
#include "app/cli/render_write.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>

#include "app/canvas/steps.h"
#include "app/cli/render_part.h"
#include "app/words/refuse.h"
#include "core/io/apng.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr std::uint16_t kStepTime = 1000;  // milliseconds, as steps are played in the window

PictureFormat read_picture_format(const RenderRequest& request) {
  const std::array<std::string, 3> names{"png", "svg", "apng"};
  const auto found = std::ranges::find(names, request.format);
  if (!request.format.empty() && found == names.end())
    refuse("--format", request.format, listed(names), names);
  if (found != names.end()) return static_cast<PictureFormat>(found - names.begin());
  if (request.output.ends_with(".svg")) return PictureFormat::svg;
  return request.output.ends_with(".apng") ? PictureFormat::apng : PictureFormat::png;
}

std::optional<NumbersFormat> read_numbers_format(const RenderRequest& request) {
  if (request.numbers.empty()) return std::nullopt;
  if (request.matrix.empty() && request.plot.empty())
    throw Error("--numbers: name the --matrix or --plot whose they are; trace writes those of all stages",
                Fault::option);
  if (request.numbers.ends_with(".csv")) return NumbersFormat::csv;
  if (request.numbers.ends_with(".npz")) return NumbersFormat::npz;
  refuse("--numbers", request.numbers, "a file that ends with .csv or .npz");
}

std::optional<ImU32> read_background(const std::string& word) {
  const std::array<std::string, 3> names{"theme", "white", "transparent"};
  if (word.empty() || word == names[0]) return std::nullopt;
  if (word == names[1]) return IM_COL32_WHITE;
  if (word == names[2]) return IM_COL32_BLACK_TRANS;
  refuse("--background", word, listed(names), names);
}

// A line for each picture where a window asked for them; for a person one a second, at most.
class ToldPictures {
 public:
  ToldPictures(std::ostream& err, bool each) : err_(err), each_(each) {}
  void tell(std::size_t number, std::size_t count) {
    const Clock::time_point now = Clock::now();
    const double taken = std::chrono::duration<double>(now - began_).count();
    const double left = taken * static_cast<double>(count - number) / static_cast<double>(number);
    if (!each_ && now - told_ < std::chrono::seconds(1)) return;
    told_ = now;
    err_ << "picture " << number << " of " << count << ", " << brief(std::ceil(left)) << " s left"
         << std::endl;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::ostream& err_;
  bool each_;
  Clock::time_point began_ = Clock::now(), told_ = began_;
};

// Goes through the steps of the workspace; each, by its number from 1 on, of so many, is on screen. From here
// on what is said and written is seen at once: nobody draws them again.
void walk_steps(Offscreen& screen, const RenderRequest& request, Console& console,
                const std::function<void(std::size_t, std::size_t)>& use) {
  if (console.fork) console.fork->hand_out();
  ToldPictures told(console.err, !request.settings.empty());
  Application& app = screen.app();
  const std::size_t count = app.steps().size();
  if (count == 0)
    throw Error("the workspace " + std::string(app.workspace().title) + " has no steps", Fault::option);
  for (std::size_t i = 0; i < count; ++i) {
    step_to(app.view(), app.steps(), i);
    screen.lab().settle();
    use(i + 1, count);
    told.tell(i + 1, count);
  }
}

// "scores.png": "scores-07.png", of less than a hundred.
std::string numbered_path(const std::string& path, std::size_t number, std::size_t count) {
  std::string digits = std::to_string(number);
  digits.insert(0, std::to_string(count).size() - digits.size(), '0');
  const std::filesystem::path whole(path);
  return (whole.parent_path() / (whole.stem().string() + "-" + digits + whole.extension().string())).string();
}

Picture picture_now(Offscreen& screen, const std::optional<Rect>& area, const PictureOptions& options) {
  if (options.background) return screen.picture_on(*options.background, area);
  screen.draw_whole();  // not what the frames on the way left of it
  screen.lab().frame();
  return screen.picture(area);
}

std::vector<std::byte> one_picture(Offscreen& screen, const std::optional<Rect>& area,
                                   const PictureOptions& options, const std::string& session) {
  if (options.format != PictureFormat::svg) return write_png(picture_now(screen, area, options), session);
  const std::string text = screen.svg(area, options.background, session);
  const Bytes bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

PictureOptions read_picture_options(const RenderRequest& request) {
  PictureOptions options{read_picture_format(request), read_background(request.background), request.steps,
                         read_numbers_format(request)};
  const bool apng = options.format == PictureFormat::apng;
  if ((apng || options.steps) && !(request.matrix.empty() && request.plot.empty()))
    throw Error("pictures of all steps are of the window or of a --panel: a matrix or a plot is not in each",
                Fault::option);
  if (request.present && !(request.matrix.empty() && request.plot.empty() && request.panel.empty()))
    throw Error("--present draws the whole window: leave out --matrix, --plot and --panel", Fault::option);
  if (apng && options.background == IM_COL32_BLACK_TRANS)
    throw Error("--background: an animation is opaque: use theme or white", Fault::option);
  return options;
}

void write_pictures(Offscreen& screen, const RenderRequest& request, const PictureOptions& options,
                    Console& console) {
  const std::string session = screen.app().session();
  const std::optional<Rect> area = bring_into_sight(screen, request);
  if (options.format == PictureFormat::apng) {
    ApngWriter writer(kStepTime);
    walk_steps(screen, request, console,
               [&](std::size_t, std::size_t) { writer.add(picture_now(screen, area, options)); });
    return console.write_file(request.output, writer.take(session));
  }
  if (options.steps)
    return walk_steps(screen, request, console, [&](std::size_t number, std::size_t count) {
      write_file(numbered_path(request.output, number, count),
                 one_picture(screen, area, options, session));  // those that are drawn stay
    });
  console.write_file(request.output, one_picture(screen, area, options, session));
  if (options.numbers)
    console.write_file(request.numbers, numbers_in_sight(screen, request)(*options.numbers));
}

}  // namespace attn
