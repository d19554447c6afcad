// DriverError: what a driver answered instead of doing its work, with OpenCL's number for it.
#pragma once

#include <string>

#include "core/opencl/opencl.h"
#include "core/system/error.h"

namespace attn::opencl {

class DriverError : public Error {
 public:
  DriverError(const std::string& message, cl_int code) : Error(message, Fault::device), code_(code) {}

  // Another program may have what this one lacked.
  bool passes() const {
    return code_ == CL_OUT_OF_RESOURCES || code_ == CL_OUT_OF_HOST_MEMORY ||
           code_ == CL_MEM_OBJECT_ALLOCATION_FAILURE || code_ == CL_DEVICE_NOT_AVAILABLE;
  }

 private:
  cl_int code_;
};

}  // namespace attn::opencl
