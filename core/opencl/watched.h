// A backend whose results are held against the reference as they come: for whoever shows a device's numbers.
// It may have passed its self-test and be wrong all the same, by the size of what it computes, or by heat.
#pragma once

#include <memory>

#include "core/engine/engine.h"

namespace attn::opencl {

class Devices;

enum class WhenWrong {
  refuse,    // Error(Fault::device), naming the operation, the cell and both numbers, from there on
  reference  // computes in its place from there on; name() and failure() say so. Of results that are read
             // later that error is thrown besides: what was asked for with them has to be asked for again
};

// Of each result that comes here, at once or later, some rows are compared: the first, the last and others,
// other ones each time; all of a small one. It costs a few hundredths of a millisecond a result. What stays
// on the device is not compared, nor what is made from it.
std::unique_ptr<Backend> watched(std::unique_ptr<Backend> device, WhenWrong when);

// For an engine, whose worker makes the choice: Devices::choose, the reference in its place once it is wrong.
BackendFactory watched(std::shared_ptr<Devices> devices, std::string choice, std::shared_ptr<Budget> budget);

}  // namespace attn::opencl
