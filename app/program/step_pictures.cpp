// The process is told what to draw by a session and settings in a folder of their own. It says which picture
// is done; how many there are is counted on the disk, since a process that is stopped says no more.
#include "app/program/step_pictures.h"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "app/plot/plot_numbers.h"
#include "app/program/free_path.h"
#include "app/program/store.h"
#include "core/io/session.h"
#include "core/system/child.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/text.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

std::string bytes_words(std::uintmax_t bytes) {
  const auto number = static_cast<double>(bytes);
  return readout_text(PlotAxis::bytes, number, number / 10);
}

// Removed with all it holds.
class OwnFolder {
 public:
  OwnFolder() {
    std::string name = (fs::temp_directory_path() / "attention-lab-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw Error("no temporary folder can be made in " + name, Fault::output);
    path_ = name;
  }
  ~OwnFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// What lies at a path: a file, or the pictures in a folder. What a process that was killed had begun there is
// removed, and a folder without pictures too.
struct Written {
  std::size_t count = 0;
  std::uintmax_t bytes = 0;
};
Written pictures_at(const std::string& path) {
  Written written;
  std::error_code error;
  const auto add = [&](const fs::path& file) {
    const std::uintmax_t size = fs::file_size(file, error);
    if (!error) ++written.count, written.bytes += size;
  };
  remove_abandoned(path);
  if (!fs::is_directory(path, error)) {
    add(path);
    return written;
  }
  for (const auto& entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("step-") && name.ends_with(".png"))
      add(entry.path());
    else
      fs::remove(entry.path(), error);
  }
  if (written.count == 0) fs::remove(path, error);
  return written;
}

// The last that it said, without the name of the program.
std::string reason_of(const Child& child) {
  std::string line;
  for (const std::string& said : split(child.output, '\n'))
    if (!said.empty()) line = said;
  if (const std::string name = "attention-lab: "; line.starts_with(name)) line.erase(0, name.size());
  return line.empty() ? "the process that draws them " + child.ending() : line;
}

std::vector<std::string> words_of(const StepOrder& order, const OwnFolder& own, const std::string& path) {
  std::vector<std::string> words{
      "render",     own / "session.json",
      "--settings", own / "",
      "--device",   order.device,
      "--scale",    shortest(order.size.scale),
      "--size",     std::to_string(order.size.width) + "x" + std::to_string(order.size.height),
      "-o",         order.animation ? path : path + "/step.png"};
  if (!order.animation) words.emplace_back("--steps");
  return words;
}

}  // namespace

std::string StepSize::weight() const {
  const std::uintmax_t pixels = static_cast<std::uintmax_t>(width) * static_cast<std::uintmax_t>(height);
  return std::to_string(steps) + (steps == 1 ? " picture of " : " pictures of ") + std::to_string(width) +
         "×" + std::to_string(height) + " pixels, " + bytes_words(3 * pixels * steps) + " at most";
}

std::string StepPictures::start(StepOrder order, const std::string& folder) {
  const std::string path = free_picture_path(folder, order.animation ? ".apng" : "");
  {
    const std::lock_guard lock(mutex_);
    drawn_ = 0, line_.clear(), outcome_.reset();
  }
  running_ = true, steps_ = order.size.steps;
  // The one before has ended: it is joined at once.
  drawer_ = std::jthread([this, order = std::move(order), path](std::stop_token stop) {
    Outcome outcome;
    try {
      outcome = draw(order, path, std::move(stop));
    } catch (const std::exception& error) {
      outcome = {"no pictures of the steps: " + std::string(error.what()), true};
    }
    {
      const std::lock_guard lock(mutex_);
      outcome_ = std::move(outcome);
    }
    if (wake_) wake_();
  });
  return path;
}

std::size_t StepPictures::drawn() const {
  const std::lock_guard lock(mutex_);
  return drawn_;
}

double StepPictures::seconds_left() const {
  const std::lock_guard lock(mutex_);
  if (drawn_ < 2) return 0;  // what came before the first comes once
  const std::chrono::duration<double> taken = last_ - first_;
  return taken.count() * static_cast<double>(steps_ - drawn_) / static_cast<double>(drawn_ - 1);
}

std::optional<StepPictures::Outcome> StepPictures::take() {
  const std::lock_guard lock(mutex_);
  if (outcome_) running_ = false;
  return std::exchange(outcome_, std::nullopt);
}

// "picture 3 of 11", a line each.
void StepPictures::hear(std::string_view words) {
  constexpr std::string_view kPicture = "picture ";
  const std::lock_guard lock(mutex_);
  for (const char c : words) {
    if (c != '\n') {
      line_ += c;
      continue;
    }
    if (line_.starts_with(kPicture)) {
      std::from_chars(line_.data() + kPicture.size(), line_.data() + line_.size(), drawn_);
      last_ = std::chrono::steady_clock::now();
      if (drawn_ == 1) first_ = last_;
    }
    line_.clear();
  }
}

StepPictures::Outcome StepPictures::draw(const StepOrder& order, const std::string& path,
                                         std::stop_token stop) {
  const OwnFolder own;
  write_file(own / "session.json", write_session(order.document, order.look));
  Store(own / "", own / "").save_settings(order.settings);
  if (std::error_code error; !order.animation && !fs::create_directory(path, error))
    throw Error("the folder " + path + " cannot be made (" + error.message() + ")", Fault::output);
  const Child child =
      run_child(program_, words_of(order, own, path),
                {.stop = std::move(stop), .errors = true, .heard = [this](std::string_view words) {
                   hear(words);
                   if (wake_) wake_();
                 }});
  const Written written = pictures_at(path);
  const std::string place = " " + path + ", " + bytes_words(written.bytes);
  if (child.succeeded() && order.animation) return {"animation saved:" + place};
  if (child.succeeded()) return {std::to_string(written.count) + " pictures saved in" + place};
  const bool stopped = child.end == Child::End::stopped;
  const std::string before = stopped ? "stopped: " : reason_of(child) + "; ";
  if (written.count == 0) return {before + "nothing was written", !stopped};
  return {before + std::to_string(written.count) + " of " + std::to_string(order.size.steps) +
              " pictures are in" + place,
          !stopped};
}

}  // namespace attn
