// GNU Octave, and what of it is MATLAB's.
#include "core/code/language.h"

namespace attn::code {
namespace {

using enum Binding;

const Spellings kOctaveSpellings{
    {Fn::place, call("(0:%N - 1)")},
    {Fn::column, call("reshape(0:%M - 1, 1, 1, [])")},
    {Fn::multiply, operation("%0 .* %1", factor)},
    {Fn::divide, operation("%0 ./ %1", factor)},
    {Fn::larger, call("larger(%0, %1)")},
    {Fn::where, call("where(%0, %1, %2)")},
    {Fn::row_max, call("largest(%0)")},
    {Fn::row_sum, call("sum(%0, 3)")},
    {Fn::column_sum, call("sum(%0, 2)")},
    {Fn::stack_sum, call("sum(%0, 1)")},
    {Fn::running_sum, call("cumsum(%0, 3)")},
    {Fn::descending, call("sort(%0, 3, \"descend\")")},
    {Fn::product, call("matmul(%0, %1)")},
    {Fn::transposed, call("permute(%0, [1 3 2])")},
    {Fn::exchanged, call("permute(%0, [2 1 3])")},
    {Fn::reshaped, call("reshaped(%0, [%S %N %M])")},
    {Fn::columns, call("columns_of(%0, %G:%E)")},
    {Fn::rows, call("rows_of(%0, %G:%E)")},
    {Fn::matrices, call("matrices_of(%0, %G:%E)")},
    {Fn::picked, call("columns_of(%0, %L)")},
    {Fn::by_index, call("by_index(%0, %I)")},
    {Fn::by_one_index, call("by_index(%0, %I)")},
    {Fn::beside, call("cat(3, %0, %1)")},
    {Fn::repeated, call("repelem(%0, %F, 1, 1)")},
    {Fn::tiled, call("repmat(%0, %F, 1, 1)")},
};

const std::vector<Helper> kOctaveHelpers{
    {"stack_of",
     "function y = stack_of(varargin)  % heads, rows, columns\n"
     "  y = zeros(numel(varargin), rows(varargin{1}), columns(varargin{1}));\n"
     "  for i = 1:numel(varargin)\n    y(i, :, :) = varargin{i};\n  end\nend\n"},
    {"matrix_of",
     "function y = matrix_of(x, i)\n"
     "  y = reshape(x(min(i, size(x, 1)), :, :), size(x, 2), size(x, 3));\nend\n"},
    {"matmul",
     "function y = matmul(a, b)\n"
     "  y = zeros(max(size(a, 1), size(b, 1)), size(a, 2), size(b, 3));\n"
     "  for i = 1:size(y, 1)\n    y(i, :, :) = matrix_of(a, i) * matrix_of(b, i);\n  end\nend\n"},
    {"where",
     "function y = where(condition, a, b)\n"
     "  spread = false(size(condition + a + b));\n"
     "  condition = condition | spread;\n  a = a + spread;\n"
     "  y = b + spread;\n  y(condition) = a(condition);\nend\n"},
    {"larger",
     "function y = larger(a, b)  % max() leaves NaN out\n"
     "  y = max(a, b);\n  y(isnan(a) | isnan(b)) = NaN;\nend\n"},
    {"largest",
     "function y = largest(x)  % max() leaves NaN out\n"
     "  y = max(x, [], 3);\n  y(any(isnan(x), 3)) = NaN;\nend\n"},
    {"reshaped",
     "function y = reshaped(x, shape)  % row after row; Octave counts columns first\n"
     "  y = permute(reshape(permute(x, [3 2 1]), fliplr(shape)), [3 2 1]);\nend\n"},
    {"columns_of", "function y = columns_of(x, at)\n  y = x(:, :, at);\nend\n"},
    {"rows_of", "function y = rows_of(x, at)\n  y = x(:, at, :);\nend\n"},
    {"matrices_of", "function y = matrices_of(x, at)\n  y = x(at, :, :);\nend\n"},
    {"by_index",
     "function y = by_index(x, index)\n"
     "  y = zeros(size(x, 1), rows(index), columns(index));\n"
     "  for i = 1:rows(index)\n    y(:, i, :) = x(:, min(i, size(x, 2)), index(i, :) + 1);\n  end\nend\n"},
};

}  // namespace

const Language kOctave{
    .name = "octave",
    .title = "Octave",
    .comment = "% ",
    .begin = "1;  % a script, though it begins with functions\n",
    .assign = " = ",
    .ends = ";\n",
    .nan = "NaN",
    .infinity = "Inf",
    .list_begin = "[",
    .list_end = "]",
    .list_first = 1,
    .stack_begin = "stack_of( ...\n  ",
    .matrix_begin = "[",
    .row_end = "",
    .matrix_end = "]",
    .stack_end = ")",
    .next_row = "; ...\n   ",
    .next_matrix = ", ...\n  ",
    .indices_begin = "[",
    .indices_end = "]",
    .output = "output = matrix_of(output, 1);\n",
    .spellings = with_operators(kOctaveSpellings),
    .helpers = kOctaveHelpers,
    .taken = {"exp",     "log",     "max", "sum",  "sort",   "size",    "rows",     "columns", "where",
              "larger",  "largest", "i",   "j",    "e",      "pi",      "end",      "if",      "for",
              "repelem", "repmat",  "cat", "erf",  "matmul", "reshape", "reshaped", "permute", "abs",
              "sqrt",    "sin",     "cos", "tanh", "zeros",  "cumsum"}};

}  // namespace attn::code
