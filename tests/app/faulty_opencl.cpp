// A faulty device, for programs started with LD_PRELOAD: launches of kernels fail for want of resources
// (FAULTY_OPENCL=fails), or results read back have one number changed (FAULTY_OPENCL=wrong). The self-test's
// child process is left alone: what fails here fails at work. FAULTY_OPENCL=short: kernels find no memory to
// be compiled in, in either.
#include <CL/cl.h>
#include <dlfcn.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

bool at_work() {
  std::ifstream words("/proc/self/cmdline");
  const std::string line{std::istreambuf_iterator<char>(words), {}};
  return line.find(std::string("\0probe\0", 7)) == line.npos;
}

bool asked(const char* how) {
  const char* word = std::getenv("FAULTY_OPENCL");
  return word != nullptr && std::string(word) == how;
}

bool faulty(const char* how) {
  return asked(how) && at_work();
}

template <class Function>
Function real(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                      void(CL_CALLBACK* done)(cl_program, void*), void* data) {
  if (asked("short")) return CL_OUT_OF_HOST_MEMORY;
  return real(&clBuildProgram, "clBuildProgram")(program, count, devices, options, done, data);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local, cl_uint count,
                              const cl_event* wait, cl_event* event) {
  static int launches = 0;
  if (faulty("fails") && ++launches > 3) return CL_OUT_OF_RESOURCES;
  return real(&clEnqueueNDRangeKernel, "clEnqueueNDRangeKernel")(queue, kernel, dimensions, offset, global,
                                                                 local, count, wait, event);
}

void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                         size_t offset, size_t size, cl_uint count, const cl_event* wait, cl_event* event,
                         cl_int* error) {
  void* mapped = real(&clEnqueueMapBuffer, "clEnqueueMapBuffer")(queue, buffer, blocking, flags, offset, size,
                                                                 count, wait, event, error);
  static int read = 0;
  if (faulty("wrong") && mapped != nullptr && ++read == 4) static_cast<float*>(mapped)[0] += 0.5f;
  return mapped;
}
}
