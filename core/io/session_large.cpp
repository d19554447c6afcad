// Shapes are told by the first row and the first matrix; whatever comes behind is held against them while it
// is read, and what is too long is counted but not kept.
#include "core/io/session_large.h"

#include "core/document/limits.h"
#include "core/io/session_stack.h"
#include "core/system/error.h"
#include "core/text/bytes.h"

namespace attn::session {
namespace {

// A list or an object takes, with what is around it, the memory of about four numbers, of 16 bytes each; a
// text or a key that of its letters as well.
constexpr std::size_t kOfList = 4;

std::size_t of_text(const std::string& text) {
  return kOfList + text.size() / 16;
}

}  // namespace

void SmallListener::spend(std::size_t values) {
  if (values > left_)
    fail(path_.empty() ? "the session" : path_,
         "holds more than a session says besides its matrices, labels and overrides");
  left_ -= values;
}

// Where the next value goes.
json& SmallListener::place() {
  if (open_.empty()) return value_ = nullptr;
  json& parent = *open_.back();
  return parent.is_array() ? parent.emplace_back(nullptr) : parent[keys_[open_.size() - 1]];
}

void SmallListener::scalar(json&& value) {
  spend(value.is_string() ? of_text(value.get_ref<const std::string&>()) : 1);
  place() = std::move(value);
}

void SmallListener::begin(bool array) {
  spend(kOfList);
  json& value = place();
  value = array ? json::array() : json::object();
  open_.push_back(&value);
  keys_.resize(open_.size());
  keys_.back().clear();
}

void SmallListener::key(std::string key) {
  spend(of_text(key));
  const bool twice = open_.back()->contains(key);
  keys_[open_.size() - 1] = std::move(key);
  if (!twice) return;
  std::string path = path_;
  for (std::size_t i = 0; i < open_.size(); ++i)
    if (!keys_[i].empty()) path += (path.empty() ? "" : ".") + keys_[i];
  throw Error(in_quotes(path) + " is there twice: keep one");
}

namespace {

constexpr const char* kRows = "must be rows of numbers, as in [[1, 2], [3, 4]]";

}  // namespace

std::string TensorListener::place() const {
  return levels_ == 3 ? path_ + " matrix " + std::to_string(matrix_) : path_;
}

// What stands where something else has to.
void TensorListener::refuse() const {
  if (levels_ == 0 || open_ == 0) fail(path_, kRows);
  if (open_ >= levels_)
    fail(row_place() + " number " + std::to_string(column_),
         "must be a number, \"nan\", \"inf\" or \"-inf\"");
  if (open_ + 1 == levels_) fail(row_place(), "must be a list of numbers");
  fail(place(), "must be a list of rows");
}

// The first number, or the first list that ends, says how many levels there are.
void TensorListener::settle_levels(std::size_t levels) {
  if (levels_ != 0) return;
  if (levels < 2) fail(path_, kRows);
  levels_ = levels;
}

void TensorListener::begin(bool array) {
  constexpr std::size_t kMost =
      64 + 3 * limits::kMostLabelBytes / 16;  // values in a name, three of them texts
  if (!array && open_ == 0 && !named_) named_.emplace(path_, kMost);
  if (named_) return named_->begin(array);
  if (!array) {
    if (levels_ == 0 && open_ > 1) settle_levels(open_);
    refuse();
  }
  if (open_ == 3) settle_levels(3);
  if (levels_ != 0 && open_ == levels_) refuse();
  ++open_;
}

void TensorListener::scalar(json&& value) {
  if (named_) return named_->scalar(std::move(value));
  if (open_ == 0 && value.is_null() && may_lack_) return;
  settle_levels(open_);
  if (open_ < levels_) refuse();
  const auto number = number_of(value);
  if (!number) refuse();
  const float rounded =
      float_at(*number, [this] { return row_place() + " number " + std::to_string(column_); });
  const bool first_row = matrix_ == 0 && row_ == 0;
  if (first_row || (column_ < shape_.columns && (matrix_ == 0 || row_ < shape_.rows))) {
    check_number_count(++numbers_);
    values_.push_back(rounded);
  }
  ++column_;
}

void TensorListener::end_row() {
  if (matrix_ == 0 && row_ == 0) {
    if (column_ == 0) fail(path_, "has no numbers: leave it out, or fill it");
    shape_.columns = column_;
  } else if (column_ != shape_.columns) {
    fail(row_place(),
         "has " + std::to_string(column_) + " numbers, expected " + std::to_string(shape_.columns));
  }
  ++row_;
  column_ = 0;
}

void TensorListener::end_matrix() {
  if (matrix_ == 0)
    shape_.rows = row_;
  else if (row_ != shape_.rows)
    fail(place(), "has " + std::to_string(row_) + " rows, expected " + std::to_string(shape_.rows));
  ++matrix_;
  row_ = 0;
}

void TensorListener::end_name() {
  named_->end();
  if (!named_->done()) return;
  const json name = named_->take();
  if (!name.contains("file")) refuse();
  result_ = names_.find(name, path_);
  check_number_count(numbers_ += result_.shape().size());
}

void TensorListener::end() {
  if (named_) return end_name();
  settle_levels(open_);
  if (open_ == levels_) end_row();
  if (open_ + 1 == levels_) end_matrix();
  if (--open_ > 0) return;
  shape_.stack = matrix_;
  result_ = {shape_, values_.take()};
}

void LabelsListener::begin(bool array) {
  if (!open_ && array) {
    open_ = true;
    return;
  }
  if (!open_) fail(path_, "must be a list of texts");
  fail(path_ + " entry " + std::to_string(result_.size()), "must be a text in quotes");
}

void LabelsListener::scalar(json&& value) {
  if (!open_) fail(path_, "must be a list of texts");
  check_label_count(path_, result_.size() + 1);
  const std::string path = path_ + " entry " + std::to_string(result_.size());
  read(value, path, result_.emplace_back());
  check_text_bytes(text_ += result_.back().size());
}

void OverridesListener::begin(bool array) {
  if (open_++ == 0) {
    if (!array) fail(path_, "must be a list of objects");
    return;
  }
  constexpr std::size_t kMost = 64 + 3 * limits::kMostLabelBytes / 16;  // values in one, three of them texts
  if (open_ == 2) item_.emplace(item_path(), kMost);
  item_->begin(array);
}

void OverridesListener::scalar(json&& value) {
  if (open_ == 0) fail(path_, "must be a list of objects");
  if (open_ == 1) fail(item_path(), "must be an object in braces");
  item_->scalar(std::move(value));
}

void OverridesListener::end() {
  if (--open_ == 0) return;
  item_->end();
  if (open_ > 1) return;
  check_override_count(result_.size() + 1);
  result_.push_back(read_item(item_->take()));
  check_text_bytes(text_ += result_.back().workspace.size() + result_.back().stage.size());
}

StageOverride OverridesListener::read_item(const json& value) const {
  const std::string path = item_path();
  ObjectReader object(value, path);
  StageOverride o{.workspace = workspace_, .stage = {}, .value = {}};
  if (workspace_.empty()) read(object.need("workspace"), path + ".workspace", o.workspace);
  read(object.need("stage"), path + ".stage", o.stage);
  if (const json* layer = object.find(kLayerOfStack)) {
    std::string key;
    read(*layer, path + "." + std::string(kLayerOfStack), key);
    const auto address = layer_of_stack(key);
    if (!address) fail(path + "." + std::string(kLayerOfStack), "must name an attention of the stack");
    o.layer = *address;
  }
  read(object.need("head"), path + ".head", o.value.cell.head);
  read(object.need("row"), path + ".row", o.value.cell.row);
  read(object.need("column"), path + ".column", o.value.cell.column);
  const json& number = object.need("value");
  o.value.value = float_of(number, path + ".value");
  object.refuse_unknown();
  return o;
}

}  // namespace attn::session
