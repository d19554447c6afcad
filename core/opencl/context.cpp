// Devices listed and named; kernels compiled from the files inside the program, each family at its first use,
// with options that depend on the device alone.
#include "core/opencl/context.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/system/assets.h"

namespace attn::opencl {
namespace {

// Never the options that relax mathematics: NaN, infinities and small numbers are part of what the Lab shows.
constexpr const char* kOptions = "-cl-std=CL1.2";

// A kernel file with the files that it names in `#include "…"` lines in their places. Not left to the
// driver's compiler: the files are inside the program.
std::string source(std::string_view name) {
  constexpr std::string_view kInclude = "#include \"";
  std::string text;
  std::istringstream lines(asset_text(kernel_files(), "shaders", name));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(kInclude))
      text += source(line.substr(kInclude.size(), line.find('"', kInclude.size()) - kInclude.size()));
    else
      text += line + "\n";
  return text;
}

bool has_extension(const cl::Device& device, std::string_view name) {
  return device.getInfo<CL_DEVICE_EXTENSIONS>().find(name) != std::string::npos;
}

// Lanes of the accumulating type that the device's registers hold.
std::size_t vector_width(const cl::Device& device, Variant variant) {
  const cl_uint native = variant.double_sums ? device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE>()
                                             : device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>();
  for (const cl_uint width : {16u, 8u, 4u})
    if (native >= width) return width;
  return 2;  // the kernels are written in vectors, and OpenCL has no vector of one
}

// A register of as many doubles holds twice as many floats; OpenCL has vectors of up to 16.
std::size_t float_lanes(Variant variant, std::size_t width) {
  return variant.double_sums && width < 16 ? 2 * width : width;
}

std::string build_options(const cl::Device& device, Variant variant, std::size_t width) {
  std::string options = std::string(kOptions) + " -D WIDTH=" + std::to_string(width) +
                        " -D LANES=" + std::to_string(float_lanes(variant, width)) +
                        " -D DOUBLE_SUMS=" + (variant.double_sums ? "1" : "0") +
                        " -D JOINS_ITEMS=" + (variant.groups ? "1" : "0");
  // Else a division may be off by 2.5 units in the last place (OpenCL 1.2, section 7.4).
  if (device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
    options += " -cl-fp32-correctly-rounded-divide-sqrt";
  return options;
}

}  // namespace

std::string error_text(cl_int code) {
  switch (code) {
    case CL_DEVICE_NOT_FOUND:
      return "there is no device";
    case CL_DEVICE_NOT_AVAILABLE:
      return "the device is not available";
    case CL_COMPILER_NOT_AVAILABLE:
      return "the driver has no compiler";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
      return "the device's memory is full";
    case CL_OUT_OF_RESOURCES:
      return "the device ran out of resources";
    case CL_OUT_OF_HOST_MEMORY:
      return "the driver ran out of memory";
    case CL_BUILD_PROGRAM_FAILURE:
      return "a kernel did not compile";
    case CL_INVALID_BUFFER_SIZE:
      return "a matrix is larger than the device allows";
    case CL_INVALID_WORK_GROUP_SIZE:
      return "the device does not take work-groups of this size";
    case -1001:
      return "no OpenCL driver is installed; install pocl-opencl-icd or your GPU's driver";  // CL_PLATFORM_NOT_FOUND_KHR
    default:
      return "OpenCL error " + std::to_string(code);
  }
}

DriverError device_error(const std::string& device, const std::string& where, const cl::Error& error) {
  return {device + " failed in " + where + ": " + error_text(error.err()) + " (" + error.what() +
              "). Make the layer smaller, or use the reference",
          error.err()};
}

std::vector<cl::Device> list_devices(std::string& problem) {
  std::vector<cl::Device> all;
  try {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    for (const cl::Platform& platform : platforms) {
      std::vector<cl::Device> devices;
      try {
        platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
      } catch (const cl::Error& error) {
        // The devices of other platforms are still worth having.
        problem = platform.getInfo<CL_PLATFORM_NAME>() + ": " + error_text(error.err());
      }
      all.insert(all.end(), devices.begin(), devices.end());
    }
    if (all.empty() && problem.empty()) problem = "no OpenCL platform has a device";
  } catch (const cl::Error& error) {
    problem = error_text(error.err());
  }
  return all;
}

bool is_gpu(const cl::Device& device) {
  return (device.getInfo<CL_DEVICE_TYPE>() & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)) != 0;
}

std::string device_name(const cl::Device& device) {
  std::string name = device.getInfo<CL_DEVICE_NAME>();
  const auto printable = [](char c) { return c != ' ' && c != '\0' && c != '\n'; };
  const auto first = std::find_if(name.begin(), name.end(), printable);
  const auto last = std::find_if(name.rbegin(), name.rend(), printable).base();
  return first < last ? std::string(first, last) : std::string("unnamed device");
}

// As it is in a report: what is no UTF-8 is replaced there.
Identity identity_of(const cl::Device& device) {
  const auto readable = [](const std::string& text) {
    using Json = nlohmann::json;
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
  };
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  return {readable(device_name(device)), readable(platform.getInfo<CL_PLATFORM_NAME>()),
          readable(device.getInfo<CL_DRIVER_VERSION>())};
}

bool joins_items(bool gpu, std::size_t native_floats) {
  return gpu || native_floats <= 1;
}

Variant best_variant(const cl::Device& device) {
  return {.groups = joins_items(is_gpu(device), device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>()),
          .double_sums = has_extension(device, "cl_khr_fp64")};
}

Context::Context(const cl::Device& device, Variant variant)
    : device_(device),
      context_(device),
      queue_(context_, device, CL_QUEUE_PROFILING_ENABLE),
      variant_(variant),
      width_(opencl::vector_width(device, variant)),
      options_(build_options(device, variant, width_)) {}

std::size_t Context::float_lanes() const {
  return opencl::float_lanes(variant_, width_);
}

std::size_t Context::tile_vectors() const {
  return float_lanes() == 16 ? 4 : 2;
}

cl::Program& Context::program(const std::string& family) {
  if (const auto found = programs_.find(family); found != programs_.end()) return found->second;
  cl::Program program(context_, source(family + ".cl"));
  // Not by the binding, which asks for the log before it tells the error, and tells of that where there is
  // none.
  const cl_int error = ::clBuildProgram(program(), 0, nullptr, options_.c_str(), nullptr, nullptr);
  if (error != CL_SUCCESS) {
    const std::string what = device_name(device_) + " cannot compile " + family + ".cl";
    if (error != CL_BUILD_PROGRAM_FAILURE) throw DriverError(what + ": " + error_text(error), error);
    throw DriverError(what + ":\n" + program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_), error);
  }
  return programs_.emplace(family, std::move(program)).first->second;
}

// Kept by name alone: no two families have kernels of one name. A kernel object keeps the arguments of its
// last launch, so it serves one thread.
cl::Kernel& Context::kernel(const std::string& family, const std::string& name) {
  auto& of_family = kernels_[family];
  if (const auto found = of_family.find(name); found != of_family.end()) return found->second;
  return of_family.emplace(name, new_kernel(family, name)).first->second;
}

std::string kernel_hash() {
  std::uint64_t hash = 14695981039346656037ull;  // FNV-1a
  const auto add = [&](std::string_view bytes) {
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  };
  // The options that are missing here follow from the device, which a verdict names.
  add(kOptions);
  for (const Asset& file : kernel_files()) add(asset_text(kernel_files(), "shaders", file.name));
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace attn::opencl
