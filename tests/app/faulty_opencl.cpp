// A faulty driver, for programs started with LD_PRELOAD; FAULTY_OPENCL says how:
//   fails    launches of kernels fail for want of resources
//   wrong    results read back have their first number changed, from the fourth on, or that which
//            FAULTY_OPENCL_FROM says; how many were read is written to the file FAULTY_OPENCL_READS, if any
//   short    kernels find no memory to be compiled in, in the self-test too
//   hangs, crashes, exits, refuses, chatters    at the call that FAULTY_OPENCL_AT names
//   crashes at exit    when its process ends
// The self-test's child process is left alone but for "short": what fails here fails at work. What hangs
// first writes the number of its process to the pipe FAULTY_OPENCL_PIPE, if any, and holds that open to its
// end.
#include <CL/cl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <tuple>
#include <type_traits>

namespace {

bool at_work() {
  std::ifstream words("/proc/self/cmdline");
  const std::string line{std::istreambuf_iterator<char>(words), {}};
  return line.find(std::string("\0probe\0", 7)) == line.npos;
}

std::string variable(const char* name) {
  const char* word = std::getenv(name);
  return word != nullptr ? word : "";
}

bool faulty(const char* how) {
  return variable("FAULTY_OPENCL") == how && at_work();
}

[[noreturn]] void hang() {
  if (const std::string pipe = variable("FAULTY_OPENCL_PIPE"); !pipe.empty())
    ::dprintf(::open(pipe.c_str(), O_WRONLY), "%d\n", ::getpid());
  for (;;) ::pause();
}

void misbehave() {
  if (faulty("hangs")) hang();
  if (faulty("crashes")) std::abort();
  if (faulty("exits")) ::_exit(0);
  if (faulty("chatters")) std::puts("chatter"), std::fflush(stdout);
}

template <class Function>
Function real(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

template <class Result, class... Given>
Result refused(Given... given) {
  if constexpr (std::is_pointer_v<Result>) {  // those tell the error by their last argument
    *std::get<sizeof...(given) - 1>(std::tuple(given...)) = CL_OUT_OF_RESOURCES;
    return nullptr;
  } else {
    return CL_OUT_OF_RESOURCES;
  }
}

template <class Result, class... Takes>
Result pass(Result (*own)(Takes...), const char* name, Takes... given) {
  if (variable("FAULTY_OPENCL_AT") == name) {
    misbehave();
    if (faulty("refuses")) return refused<Result>(given...);
  }
  return real(own, name)(given...);
}

int reads = 0;

int first_wrong() {
  const std::string from = variable("FAULTY_OPENCL_FROM");
  return from.empty() ? 4 : std::stoi(from);
}

[[gnu::destructor]] void end() {
  if (const std::string file = variable("FAULTY_OPENCL_READS"); !file.empty() && at_work())
    std::ofstream(file) << reads;
  if (faulty("crashes at exit")) std::abort();
}

}  // namespace

extern "C" {

cl_int clGetPlatformIDs(cl_uint count, cl_platform_id* platforms, cl_uint* found) {
  return pass(&clGetPlatformIDs, "clGetPlatformIDs", count, platforms, found);
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint count, cl_device_id* devices,
                      cl_uint* found) {
  return pass(&clGetDeviceIDs, "clGetDeviceIDs", platform, type, count, devices, found);
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void* value, size_t* needed) {
  return pass(&clGetDeviceInfo, "clGetDeviceInfo", device, what, size, value, needed);
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int* error) {
  return pass(&clCreateCommandQueue, "clCreateCommandQueue", context, device, properties, error);
}

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count,
                           const cl_device_id* devices,
                           void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* data,
                           cl_int* error) {
  return pass(&clCreateContext, "clCreateContext", properties, count, devices, notify, data, error);
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** texts,
                                     const size_t* lengths, cl_int* error) {
  return pass(&clCreateProgramWithSource, "clCreateProgramWithSource", context, count, texts, lengths, error);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                      void(CL_CALLBACK* done)(cl_program, void*), void* data) {
  if (variable("FAULTY_OPENCL") == "short") return CL_OUT_OF_HOST_MEMORY;
  return pass(&clBuildProgram, "clBuildProgram", program, count, devices, options, done, data);
}

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* error) {
  return pass(&clCreateKernel, "clCreateKernel", program, name, error);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* error) {
  return pass(&clCreateBuffer, "clCreateBuffer", context, flags, size, host, error);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
  return pass(&clSetKernelArg, "clSetKernelArg", kernel, index, size, value);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local, cl_uint count,
                              const cl_event* wait, cl_event* event) {
  static int launches = 0;
  if (faulty("fails") && ++launches > 3) return CL_OUT_OF_RESOURCES;
  return pass(&clEnqueueNDRangeKernel, "clEnqueueNDRangeKernel", queue, kernel, dimensions, offset, global,
              local, count, wait, event);
}

void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                         size_t offset, size_t size, cl_uint count, const cl_event* wait, cl_event* event,
                         cl_int* error) {
  const bool spoils = (flags & CL_MAP_READ) != 0 && faulty("wrong") && ++reads >= first_wrong();
  void* mapped = pass(&clEnqueueMapBuffer, "clEnqueueMapBuffer", queue, buffer, spoils ? CL_TRUE : blocking,
                      flags, offset, size, count, wait, event, error);
  if (spoils && mapped != nullptr)
    static_cast<float*>(mapped)[0] += 0.5f;  // a kernel that runs would mend it
  return mapped;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void* mapped, cl_uint count,
                               const cl_event* wait, cl_event* event) {
  return pass(&clEnqueueUnmapMemObject, "clEnqueueUnmapMemObject", queue, buffer, mapped, count, wait, event);
}

cl_int clFlush(cl_command_queue queue) {
  return pass(&clFlush, "clFlush", queue);
}

cl_int clWaitForEvents(cl_uint count, const cl_event* events) {
  return pass(&clWaitForEvents, "clWaitForEvents", count, events);
}

cl_int clReleaseMemObject(cl_mem buffer) {
  return pass(&clReleaseMemObject, "clReleaseMemObject", buffer);
}

cl_int clReleaseKernel(cl_kernel kernel) {
  return pass(&clReleaseKernel, "clReleaseKernel", kernel);
}

cl_int clReleaseProgram(cl_program program) {
  return pass(&clReleaseProgram, "clReleaseProgram", program);
}

cl_int clReleaseCommandQueue(cl_command_queue queue) {
  return pass(&clReleaseCommandQueue, "clReleaseCommandQueue", queue);
}

cl_int clReleaseContext(cl_context context) {
  return pass(&clReleaseContext, "clReleaseContext", context);
}
}
