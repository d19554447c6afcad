// Plots as the workspaces have them, to be looked at.
#pragma once

#include "app/plot/plot.h"

namespace attn::tests {

Plot time_plot();
Plot memory_plot(const Theme& theme);
Plot decoding_plot();
Plot estimate_plot();
Plot kernels_plot();
Plot dimensions_plot();
Plot wavelength_plot();
Plot similarity_plot();
Plot histogram_plot();
Plot scores_plot();
Plot temperature_plot();
Plot scatter_plot();
Plot confidence_plot();

}  // namespace attn::tests
