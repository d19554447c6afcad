// devices: every device with its verdict, its largest error against the reference and its speed.
#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/commands.h"
#include "app/words/table.h"
#include "core/opencl/devices.h"
#include "core/reference/backend.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

struct DeviceRow {
  std::string device;  // the word for --device
  std::string type;
  opencl::Device facts;
};

DeviceRow reference_row() {
  const std::unique_ptr<Backend> reference = make_reference_backend();
  DeviceRow row{"reference", "reference", {}};
  row.facts.name = reference->name();
  row.facts.platform = "built in";
  row.facts.driver = "Eigen, double precision";
  row.facts.passed = true;
  row.facts.verdict = "what the others are compared with";
  row.facts.milliseconds = opencl::small_layer_milliseconds(*reference);
  return row;
}

bool has_tiles(const opencl::Device& facts) {
  return facts.passed && facts.flash_tiles != FlashTiles{};
}

// A device that failed has no error, no time and no tiles: null.
Json as_json(const DeviceRow& row) {
  const opencl::Device& facts = row.facts;
  return {{"device", row.device},
          {"name", facts.name},
          {"platform", facts.platform},
          {"driver", facts.driver},
          {"type", row.type},
          {"passed", facts.passed},
          {"verdict", facts.verdict},
          {"largest_error", facts.passed ? Json(facts.largest_error) : Json()},
          {"milliseconds", facts.passed ? Json(facts.milliseconds) : Json()},
          {"flash_tiles", has_tiles(facts) ? Json(to_text(facts.flash_tiles)) : Json()}};
}

std::string digits(double value, std::chars_format format, int precision) {
  char buffer[64];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value, format, precision);
  return std::string(buffer, status == std::errc() ? end : buffer);
}

std::vector<std::string> as_cells(const DeviceRow& row) {
  const opencl::Device& facts = row.facts;
  return {row.device,
          facts.name,
          facts.platform,
          facts.driver,
          facts.verdict,
          facts.passed ? digits(facts.largest_error, std::chars_format::scientific, 1) : "–",
          facts.passed ? digits(facts.milliseconds, std::chars_format::fixed, 3) : "–",
          has_tiles(facts) ? to_text(facts.flash_tiles) : "–"};
}

}  // namespace

void list_devices(const DevicesRequest& request, Console& console) {
  using opencl::Verdicts;
  const opencl::Survey survey = console.devices->survey(request.retest ? Verdicts::renewed : Verdicts::kept);
  print_lines(console.err, survey.notes);
  std::vector<DeviceRow> rows;
  for (const opencl::Device& device : survey.devices)
    rows.push_back({std::to_string(device.index), device.gpu ? "gpu" : "cpu", device});
  rows.push_back(reference_row());
  if (request.json) {
    Json list = Json::array();
    for (const DeviceRow& row : rows) list.push_back(as_json(row));
    const Json report{{"devices", list}, {"notes", survey.notes}};
    // Names come from drivers: bytes that are not UTF-8 are replaced, not fatal; what is not ASCII is
    // escaped.
    console.out << report.dump(2, ' ', true, Json::error_handler_t::replace) << '\n';
  } else {
    std::vector<std::vector<std::string>> table{{"device", "name", "platform", "driver", "verdict",
                                                 "largest error", "small layer, ms", "flash tiles"}};
    for (const DeviceRow& row : rows) table.push_back(as_cells(row));
    print_table(console.out, table, 5);
  }
}

}  // namespace attn
