// One after the other, so that each finds its own free name.
#include "app/program/number_files.h"

#include <new>

#include "app/program/free_path.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

NumberFiles::Outcome written(const SaveNumbers& numbers) {
  try {
    const std::string ending = numbers.format == NumbersFormat::csv ? ".csv" : ".npz";
    const std::string path = free_picture_path(pictures_folder(), ending);
    write_file(path, numbers.write(numbers.format));
    return {numbers.title + " saved: " + path};
  } catch (const std::bad_alloc&) {
    return {numbers.title + ": there is not enough memory to write its numbers", true};
  } catch (const Error& error) {
    return {error.what(), true};
  }
}

}  // namespace

void NumberFiles::save(SaveNumbers numbers) {
  worker_.post({.name = std::to_string(++count_), .run = [this, numbers = std::move(numbers)](JobControl&) {
                  Outcome outcome = written(numbers);
                  {
                    const std::lock_guard lock(mutex_);
                    outcomes_.push_back(std::move(outcome));
                  }
                  if (wake_) wake_();
                  return true;
                }});
}

std::optional<NumberFiles::Outcome> NumberFiles::take() {
  const std::lock_guard lock(mutex_);
  if (outcomes_.empty()) return std::nullopt;
  Outcome first = std::move(outcomes_.front());
  outcomes_.erase(outcomes_.begin());
  return first;
}

}  // namespace attn
