// Keeps measurements in the folder of what is known of devices.
#include "app/cli/measured_store.h"

#include "app/words/version.h"
#include "core/opencl/cache.h"

namespace attn {

MeasureSetup measures_of_this_machine() {
  const std::filesystem::path home = opencl::read_surroundings().cache_home;
  return {.store = home.empty() ? MeasureStore() : MeasureStore((home / "attention-lab").string()),
          .program = version()};
}

}  // namespace attn
