// Listeners for the values of a session that may be large: each makes its part of the document as the text
// is read, and complains by its path. For session*.cpp only.
#pragma once

#include <string>
#include <vector>

#include "core/io/gathered.h"
#include "core/io/session_named.h"
#include "core/io/session_values.h"

namespace attn::session {

// JSON as it is, of little: more than so many values (long texts count as several), or a key given twice, is
// an Error.
class SmallListener : public JsonListener {
 public:
  SmallListener(std::string path, std::size_t most) : path_(std::move(path)), left_(most) {}

  void scalar(json&& value) override;
  void begin(bool array) override;
  void end() override { open_.pop_back(); }
  void key(std::string key) override;

  bool done() const { return open_.empty() && !value_.is_discarded(); }
  // Ready for another value then.
  json take() { return std::exchange(value_, json(json::value_t::discarded)); }

 private:
  json& place();
  void spend(std::size_t values);

  std::string path_;
  std::size_t left_;
  json value_ = json(json::value_t::discarded);
  std::vector<json*> open_;
  std::vector<std::string> keys_;  // of the objects that are open
};

// Two levels of brackets are one matrix, three a stack; an object names one in a file.
class TensorListener : public JsonListener {
 public:
  // `may_lack`: null says that there is none.
  TensorListener(std::string path, std::size_t& numbers, Tensor& result, bool may_lack, NamedTensors& names)
      : path_(std::move(path)), numbers_(numbers), result_(result), may_lack_(may_lack), names_(names) {}

  void scalar(json&& value) override;
  void begin(bool array) override;
  void end() override;
  void key(std::string key) override { named_->key(std::move(key)); }

 private:
  [[noreturn]] void refuse() const;
  void settle_levels(std::size_t levels);
  void end_row();
  void end_matrix();
  void end_name();
  std::string place() const;
  std::string row_place() const { return place() + " row " + std::to_string(row_); }

  std::string path_;
  std::size_t& numbers_;  // of the session, so far
  Tensor& result_;
  bool may_lack_;
  NamedTensors& names_;
  std::optional<SmallListener> named_;  // the name, as it is read
  std::size_t open_ = 0, levels_ = 0;   // levels: not known before the first number
  std::size_t matrix_ = 0, row_ = 0, column_ = 0;
  Shape shape_;  // of the first row, of the first matrix
  GatheredFloats values_;
};

class LabelsListener : public JsonListener {
 public:
  LabelsListener(std::string path, std::size_t& text, Labels& result)
      : path_(std::move(path)), text_(text), result_(result) {}

  void scalar(json&& value) override;
  void begin(bool array) override;
  void end() override { open_ = false; }
  void key(std::string) override {}

 private:
  std::string path_;
  std::size_t& text_;  // bytes, of the session, so far
  Labels& result_;
  bool open_ = false;
};

class OverridesListener : public JsonListener {
 public:
  // `workspace`: of all of them; empty where each names its own.
  OverridesListener(std::string path, std::string workspace, std::size_t& text,
                    std::vector<StageOverride>& result)
      : path_(std::move(path)), workspace_(std::move(workspace)), text_(text), result_(result) {}

  void scalar(json&& value) override;
  void begin(bool array) override;
  void end() override;
  void key(std::string key) override { item_->key(std::move(key)); }

 private:
  std::string item_path() const { return path_ + " entry " + std::to_string(result_.size()); }
  StageOverride read_item(const json& value) const;

  std::string path_, workspace_;
  std::size_t& text_;  // as of labels
  std::vector<StageOverride>& result_;
  std::optional<SmallListener> item_;
  std::size_t open_ = 0;
};

}  // namespace attn::session
