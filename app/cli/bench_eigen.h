// Attention and a product by Eigen on all cores: what a device's times are compared with.
#pragma once

#include "core/measure/measure.h"

namespace attn::bench {

inline constexpr const char* kEigen = "eigen";

// Of the same numbers as the "full" of measure_subjects(). Up to kMostChecked tokens what the device makes of
// them is compared with it: Error(Fault::device) where they differ by more than rounding explains.
Contender eigen_contender(const MeasureShape& shape);
inline constexpr std::size_t kMostChecked = 512;

// Of two n×n matrices multiplied, up to an n; the same numbers as build_product's. Compared too.
inline constexpr const char* kEigenProduct = "eigen product";
Contender eigen_product_contender(std::size_t longest);

// Which instructions it uses here: "AVX-512", "AVX2 and FMA", "the processor's base".
const char* eigen_instructions();

}  // namespace attn::bench
