// A matrix from a file of text: CSV, TSV or columns with spaces between, as spreadsheets, pandas, R and
// numpy.savetxt write it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/npy.h"

namespace attn {

struct TableFile {
  Array matrix;                           // rows × columns
  std::vector<std::string> columns = {};  // the names above; empty where there are none
  std::vector<std::string> rows =
      {};                       // the names at the left; empty where there are none, or they only count
  std::string understood = {};  // "CSV, 3×4; names above and at the left"
};

// UTF-8, with or without a byte order mark; lines of # above are skipped. Tabs, semicolons, commas or spaces
// lie between cells, told by the first line; with semicolons numbers may have decimal commas. A name is in
// quotes or does not begin as a number. Throws Error with line and column (both from 1; columns are cells)
// and the reason: blank cells, rows of another length, text that is abbreviated or no number. `text` is read
// line by line: no second copy of it is made.
TableFile parse_table_file(std::string_view text);

}  // namespace attn
